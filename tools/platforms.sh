#!/bin/sh
# Builds and tests okbench on other releases of Debian: tools/platforms.sh RELEASE[:TESTS]... such as trixie, sid:build or
# trixie:tests/python. TESTS: "root" only makes the root file system with the packages; "build" stops after `okbench check`; a folder runs the
# C++ tests and the Python tests below it; default: `make test`. Each release has a root file system below OKBENCH_PLATFORMS (default: ~/.cache/okbench/platforms),
# which is made once. The compiler cache is shared with this machine. Prints one line a release; logs are in build/platforms.
# Exit status: 1 if a release failed.
set -eu

roots=${OKBENCH_PLATFORMS:-${XDG_CACHE_HOME:-$HOME/.cache}/okbench/platforms}
cache=$(ccache --get-config cache_dir)
logs=$PWD/build/platforms
mkdir -p "$roots" "$cache" "$logs"

# A frozen mirror of an unstable release has an expired index.
make_root() {
  [ -e "$roots/$1/made" ] && return
  rm -rf "${roots:?}/$1"
  mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --include=ca-certificates,git,make \
    "$1" "$roots/$1"
  touch "$roots/$1/made"
}

# Runs a command in the root of a release, in the clone that it has as /okbench.
inside() {
  root=$roots/$1
  shift
  bwrap --bind "$root" / --proc /proc --dev /dev --perms 1777 --tmpfs /tmp --bind "$cache" /ccache --ro-bind /etc/resolv.conf /etc/resolv.conf \
    --chdir /okbench --clearenv --setenv HOME /root --setenv PATH /usr/sbin:/usr/bin:/sbin:/bin --setenv LANG C.UTF-8 \
    --setenv CCACHE_DIR /ccache --setenv DEBIAN_FRONTEND noninteractive "$@"
}

# Clones HEAD, builds, checks, tests. Uses the interpreter and compiler of the release.
try() {
  release=$1 tests=$2
  make_root "$release"
  rm -rf "${roots:?}/$release/okbench"
  git clone --quiet . "$roots/$release/okbench"
  inside "$release" git config --global --replace-all safe.directory '*'
  [ "$tests" != root ] || { inside "$release" tools/setup.sh run python test; return; }
  inside "$release" make build
  inside "$release" build/release/okbench check
  case $tests in
    build) ;;
    "") inside "$release" make test CHARTS= ;;
    *) inside "$release" make test CHARTS= TESTS="$tests" ;;
  esac
}

# What a log says: versions, durations, digests, tests.
summary() {
  versions=$(inside "$1" /usr/bin/python3 -c 'import numpy, platform, sklearn
print(f"Python {platform.python_version()}, NumPy {numpy.__version__}, scikit-learn {sklearn.__version__}")' 2>/dev/null)
  echo "$(inside "$1" g++ --version | head -n 1), $versions," \
    "$(sed -n 's/^build *\([0-9]*\) s.*/build \1 s/p; s/^\([0-9]* of [0-9]*\) trials match.*/\1 digests/p;
      s/^C++ *\([0-9]*\) s .*/C++ tests \1 s/p; s/^Python *\([0-9]*\) s  \(.*\)/Python tests \1 s: \2/p' "$2" | tr '\n' ',' | sed 's/,$//; s/,/, /g')"
}

status=0
for platform in "$@"; do
  release=${platform%%:*}
  tests=$(echo "$platform:" | cut -d : -f 2)
  log=$logs/$release.log
  start=$(date +%s)
  # set -e has no effect in a condition.
  set +e
  (set -e; try "$release" "$tests") > "$log" 2>&1
  failed=$?
  set -e
  if [ "$failed" = 0 ]; then
    echo "$release: passed in $(($(date +%s) - start)) s: $(summary "$release" "$log")"
  else
    echo "$release: failed; the whole output is in $log"
    tail -n 20 "$log" >&2
    status=1
  fi
done
exit "$status"
