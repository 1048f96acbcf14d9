#!/bin/sh
# Builds libraries for wheels from Debian's source packages: tools/wheel-libraries.sh FOLDER. Does nothing if they are there.
#   HDF5       a static library without the S3 driver, which needs 20 libraries that no wheel should carry (curl, Kerberos, LDAP)
#   LIBLINEAR  a shared library with the reference BLAS inside, which okbench opens by name
# Copies the licences of all that a wheel contains from Debian's packages into FOLDER/licences.
set -eu
folder=$(realpath -m "$1")
[ -e "$folder/lib/pkgconfig/hdf5.pc" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lists of source packages of this machine's sources, apart from the system's own lists.
mkdir -p "$work/lists/partial"
# shellcheck disable=SC2016  # variables of apt
apt-get indextargets --format 'deb-src $(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u > "$work/sources.list"
sources() {
  apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$work/lists" \
    -o APT::Sandbox::User=root "$@"
}
# Runs a command, and prints the end of its output if it fails.
quietly() {
  "$@" > "$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
}

mkdir -p "$folder/licences"
for package in nlohmann-json3 nettle pybind11 zlib1g liblinear libblas libhdf5 libarchive libeigen3 libcli11 libboost libhwy libssl \
  libzstd libjpeg libpng liblzma libtbb libtomlplusplus libsimdjson libfmt libbz2; do
  cp "/usr/share/doc/$package-dev/copyright" "$folder/licences/$package"
done
cp /usr/share/common-licenses/GPL-3 /usr/share/common-licenses/LGPL-2.1 /usr/share/common-licenses/LGPL-3 /usr/share/common-licenses/Apache-2.0 \
  "$folder/licences" # the copyright files refer to them

cd "$work"
sources update
for package in hdf5 liblinear; do
  quietly sources --download-only --tar-only source "$package"
  mkdir "$package"
  tar --extract --strip-components=1 --directory "$package" --file "$package"_*.orig.tar.*
done

cd "$work/hdf5"
quietly ./configure --prefix="$folder" --libdir="$folder/lib" --with-pic --enable-static --disable-shared --disable-hl --disable-cxx --disable-fortran \
  --disable-tests --disable-tools --disable-mirror-vfd --without-szlib --with-zlib CFLAGS='-O2 -w'
quietly make --silent -j "$(nproc)" install

cd "$work/liblinear"
g++ -O3 -fPIC -shared -Wl,-soname,liblinear.so.4 -Wl,--exclude-libs,ALL linear.cpp tron.cpp \
  "$(g++ -print-file-name=blas/libblas.a)" -o "$folder/lib/liblinear.so.4"

# Last, because it marks the folder as complete. CMake finds HDF5 by it.
mkdir -p "$folder/lib/pkgconfig"
cat > "$folder/lib/pkgconfig/hdf5.pc" <<EOF
Name: hdf5
Description: HDF5 without its S3 driver
Version: 1
Cflags: -I$folder/include
Libs: -L$folder/lib -lhdf5 -lz -lm
EOF
