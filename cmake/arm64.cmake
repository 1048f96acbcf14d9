# Toolchain: 64-bit ARM from a machine of another kind, with the libraries in OKBENCH_SYSROOT (tools/machines.sh makes it).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(OKBENCH_SYSROOT "" CACHE PATH "Folder of an arm64 system's headers and libraries")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES OKBENCH_SYSROOT)
set(CMAKE_SYSROOT ${OKBENCH_SYSROOT})
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)  # notes on what GCC 10 changed; all of it is compiled by one compiler
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Programs are this machine's, all else is the sysroot's.
set(CMAKE_FIND_ROOT_PATH ${OKBENCH_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${OKBENCH_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${OKBENCH_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${OKBENCH_SYSROOT}/usr/share/pkgconfig)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${OKBENCH_SYSROOT}/usr/lib/aarch64-linux-gnu:${OKBENCH_SYSROOT}/lib/aarch64-linux-gnu")
