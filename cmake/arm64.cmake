# Toolchain file: cross-compiles for 64-bit ARM with the libraries in OKBENCH_SYSROOT (made by tools/machines.sh).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(OKBENCH_SYSROOT "" CACHE PATH "Folder with the headers and libraries of an arm64 system")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES OKBENCH_SYSROOT)
set(CMAKE_SYSROOT ${OKBENCH_SYSROOT})
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)  # no notes on ABI changes in GCC 10, since one compiler builds all code
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Find programs on this machine, everything else in the sysroot.
set(CMAKE_FIND_ROOT_PATH ${OKBENCH_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${OKBENCH_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${OKBENCH_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${OKBENCH_SYSROOT}/usr/share/pkgconfig)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${OKBENCH_SYSROOT}/usr/lib/aarch64-linux-gnu:${OKBENCH_SYSROOT}/lib/aarch64-linux-gnu")
