#!/bin/sh
# Installs what okbench needs on Debian 12, Debian 13 or Ubuntu 24.04: tools/setup.sh GROUP... with the groups run, python,
# package, test, fuzz, docs, workflow, slurm, web, cross-arch, platforms, newest, external, bench, lint, sandbox. Does nothing
# if all packages are installed. As root or with sudo it installs; else it prints the command to run. The group external also
# makes build/external, a virtual environment with River, CapyMOA and others; it needs Python 3.12 or later.
set -eu

packages=""
external=""
for group in "$@"; do
  case "$group" in
    run) packages="$packages build-essential cmake ninja-build ccache pkg-config git libhwy-dev libeigen3-dev libhdf5-dev
      libtomlplusplus-dev libcli11-dev libfmt-dev libtbb-dev libboost-dev liblinear-dev nlohmann-json3-dev libsimdjson-dev libssl-dev libarchive-dev
      libjpeg-dev libpng-dev zlib1g-dev
      python3 python3-numpy python3-scipy python3-matplotlib python3-jinja2 python3-pooch python3-requests python3-tqdm python3-tomli-w
      python3-sklearn dataset-fashion-mnist" ;;
    python) packages="$packages python3-dev pybind11-dev python3-tomli-w python3-scipy python3-sklearn python3-pandas python3-xarray" ;;
    package) packages="$packages python3-pip dpkg-dev file gzip help2man libzstd-dev nettle-dev liblzma-dev libbz2-dev libblas-dev" ;;
    test) packages="$packages catch2 python3-h5py python3-hypothesis python3-pytest python3-pytest-xdist python3-sklearn python3-pandas python3-xarray python3-imblearn python3-mypy bzip2 clang locales procps
      qemu-user lintian chromium chromium-driver python3-selenium bubblewrap openssh-client" ;;
    sandbox) packages="$packages bubblewrap openssh-client" ;;
    fuzz) packages="$packages clang libclang-rt-dev" ;;
    docs) packages="$packages python3-sphinx python3-myst-parser python3-breathe furo doxygen python3-numpy python3-pandas python3-sphinx-gallery" ;;
    workflow) packages="$packages snakemake" ;;
    slurm) packages="$packages slurm-wlm munge" ;;
    web) command -v npm >/dev/null 2>&1 || packages="$packages npm" ;;
    newest) packages="$packages python3-venv" ;;
    external) external=yes; command -v java >/dev/null 2>&1 || packages="$packages default-jre-headless" ;;
    platforms) packages="$packages mmdebstrap bubblewrap ccache" ;;
    cross-arch) packages="$packages qemu-user g++-aarch64-linux-gnu mmdebstrap" ;;
    bench) packages="$packages libbenchmark-dev libopenblas-dev libsvm-dev libdlib-dev liblinear-dev time" ;;
    lint) packages="$packages clang-format clang-tidy shellcheck black flake8" ;;
    *) echo "setup: unknown group '$group'; known are run, python, package, test, fuzz, docs, workflow, slurm, web, cross-arch, platforms, newest, external, bench, lint, sandbox" >&2; exit 2 ;;
  esac
done

# Makes the environment of the locked list, unless it is there already.
make_external() {
  lock=bench/external/requirements.lock
  cmp -s "$lock" build/external/requirements.lock && return
  for python in python3.14 python3.13 python3.12 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9]*/bin/python3; do
    if "$python" -c 'import venv, sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
      rm -rf build/external
      "$python" -m venv build/external &&
        build/external/bin/python -m pip install --quiet --require-hashes --requirement "$lock" &&
        cp "$lock" build/external/ && return
      return 1
    fi
  done
  echo "setup: River and CapyMOA need Python 3.12 or later with venv; their tests are skipped" >&2
}

if ! command -v dpkg-query >/dev/null 2>&1; then
  # shellcheck disable=SC2086  # a list of words
  echo "setup: this is not a Debian system; install the equivalents of:" $packages >&2
  exit 0
fi

missing=""
for package in $packages; do
  if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
    missing="$missing $package"
  fi
done
if [ -z "$missing" ]; then
  [ -z "$external" ] || make_external
  exit
fi

command="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
  become=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  become="sudo"
else
  echo "setup: Debian packages are missing and you are not root. Run this, then try again:" >&2
  echo "  sudo $command" >&2
  exit 1
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$become apt-get update -qq
# shellcheck disable=SC2086  # a list of words
$become env DEBIAN_FRONTEND=noninteractive $command >/dev/null
[ -z "$external" ] || make_external
