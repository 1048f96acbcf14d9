# Flags of every okbench target: strict warnings, and no contraction of a*b+c. Contraction would let the compiler choose
# where to use fused multiply-add, and so change bits. Other compilers than those of CI warn about other code, so warnings
# are errors only on request.
option(OKBENCH_WERROR "Treat warnings of the compiler as errors" OFF)
add_library(okbench_options INTERFACE)
target_compile_options(
  okbench_options
  INTERFACE -ffp-contract=off
            -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wcast-qual
            -Wextra-semi
            $<$<BOOL:${OKBENCH_WERROR}>:-Werror>
            # GCC 12 reports overlapping copies in its own std::string (GCC bug 105329).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_include_directories(okbench_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
if(OKBENCH_SANITIZE)
  # With sanitizers, GCC 12 reports uninitialised values in its own std::regex. clang does not know this warning.
  target_compile_options(
    okbench_options INTERFACE -fsanitize=${OKBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
                              $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(okbench_options INTERFACE -fsanitize=${OKBENCH_SANITIZE})
  # The standard library then checks indices and pointers, also in reserved memory that AddressSanitizer considers valid.
  target_compile_definitions(okbench_options INTERFACE _GLIBCXX_ASSERTIONS)
  # Memory limits would stop AddressSanitizer itself.
  target_compile_definitions(okbench_options INTERFACE OKBENCH_SANITIZED)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(
      okbench_options INTERFACE -fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/sanitize.ignore)
  endif()
endif()
if(OKBENCH_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "OKBENCH_FUZZ needs clang's libFuzzer: cmake --preset sanitize")
  endif()
  # Every branch is instrumented for libFuzzer. Its main() is linked only into tests/fuzz.
  target_compile_options(okbench_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(okbench_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
