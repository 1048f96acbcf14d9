#!/bin/sh
# Checks the quick tier on emulated processors: tools/cross-arch.sh BUILD JOBS [SPEC...]. Runs the program of BUILD on x86-64
# without AVX-512. Builds a 64-bit ARM program in build/arm64 with Debian's libraries in build/arm64-root, and runs it.
# Every trace must equal the committed reference. The build takes several minutes, the emulation some more.
set -eu

build=$1 jobs=$2
shift 2
root=$PWD/build/arm64-root
libraries=$root/usr/lib/aarch64-linux-gnu

fail() {
  echo "cross-arch: $1" >&2
  exit 1
}

# Registers qemu-aarch64 with the kernel, because `okbench check` starts further processes of the ARM program.
register_arm64() {
  kernel=/proc/sys/fs/binfmt_misc
  [ -e $kernel/register ] || mount -t binfmt_misc binfmt_misc $kernel 2>/dev/null || true
  [ -e $kernel/qemu-aarch64 ] && return
  magic='\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  printf '%s' ":qemu-aarch64:M::$magic:$mask:$(command -v qemu-aarch64):" 2>/dev/null > $kernel/register ||
    fail "cannot register qemu-aarch64 with binfmt_misc; run as root"
}

# Extracts headers and libraries without installing packages, so links made by package scripts are made here.
make_root() {
  [ -e "$root/made" ] && return
  rm -rf "$root"
  packages=libc6-dev,libstdc++-12-dev,libhwy-dev,libeigen3-dev,libhdf5-dev,libtomlplusplus-dev,libcli11-dev,libfmt-dev,libtbb-dev
  packages=$packages,libboost-dev,liblinear-dev,nlohmann-json3-dev,libsimdjson-dev,libssl-dev,libarchive-dev,libjpeg62-turbo-dev,libpng-dev,zlib1g-dev
  mmdebstrap --quiet --architectures=arm64 --variant=extract --include="$packages" bookworm "$root" ||
    fail "cannot download Debian's arm64 libraries"
  ln -sf hdf5-serial.pc "$libraries/pkgconfig/hdf5.pc"
  ln -sf blas/libblas.so.3 "$libraries/libblas.so.3"
  touch "$root/made"
}

if [ "$(uname -m)" = x86_64 ]; then
  echo "cross-arch: x86-64 with AVX2 alone"
  # This version of QEMU emulates AVX2 but no AVX-512.
  qemu-x86_64 -cpu max "$build/okbench" check --jobs "$jobs" "$@"
fi

echo "cross-arch: 64-bit ARM"
register_arm64
make_root
cmake --preset release -B build/arm64 --toolchain cmake/arm64.cmake -DOKBENCH_SYSROOT="$root" -DOKBENCH_PYTHON_IN_PLACE=OFF > build/arm64.log ||
  fail "cmake failed; see build/arm64.log"
cmake --build build/arm64 --target okbench_program
QEMU_LD_PREFIX=$root build/arm64/okbench check --jobs "$jobs" "$@"
