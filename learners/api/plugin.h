#pragma once
// Plugin: a learner in a shared library that a program loads (okbench --plugin FILE).
//
//   OKBENCH_PLUGIN(okbench::mine::Describe)   // once, outside of all namespaces
//
// Program and plugin exchange C++ types, so both must be built with the same headers, compiler and standard
// library. OKBENCH_PLUGIN_INTERFACE identifies these. A program finds this text in the file's bytes before it
// loads the file.

#include "learners/api/interface_digest.h"
#include "learners/api/learner_info.h"

#ifdef __FAST_MATH__
#error "-ffast-math changes results: compile learners without it"
#endif

#define OKBENCH_TEXT_OF(value) #value
#define OKBENCH_TEXT(value) OKBENCH_TEXT_OF(value)

/// Increment it with every change of the code that OKBENCH_PLUGIN generates.
#define OKBENCH_PLUGIN_VERSION 1

#ifdef __clang__
#define OKBENCH_COMPILER "Clang " __clang_version__
#else
#define OKBENCH_COMPILER "GNU " __VERSION__
#endif

#ifdef _LIBCPP_VERSION
#define OKBENCH_LIBRARY "libc++ " OKBENCH_TEXT(_LIBCPP_VERSION)
#elif defined(_GLIBCXX_DEBUG)
#define OKBENCH_LIBRARY "libstdc++ " OKBENCH_TEXT(__GLIBCXX__) " with its debug mode"
#else
#define OKBENCH_LIBRARY "libstdc++ " OKBENCH_TEXT(__GLIBCXX__)
#endif

/// Prefix of every interface text, in all versions.
#define OKBENCH_PLUGIN_MARK "okbench plugin interface: "

/// "okbench plugin interface: version 1; GNU 12.2.0; libstdc++ 20220819; headers 0123...;"
#define OKBENCH_PLUGIN_INTERFACE                                                             \
  OKBENCH_PLUGIN_MARK                                                                        \
  "version " OKBENCH_TEXT(OKBENCH_PLUGIN_VERSION) "; " OKBENCH_COMPILER "; " OKBENCH_LIBRARY \
                                                  "; headers " OKBENCH_INTERFACE_DIGEST ";"

namespace okbench {

/// Result of the exported function okbench_plugin().
struct PluginAbout {
  const char* interface;  ///< OKBENCH_PLUGIN_INTERFACE
  LearnerInfo (*describe)();
};

}  // namespace okbench

// Learners built into the program (OKBENCH_LEARNERS) may contain the line: it expands to nothing there.
#ifdef OKBENCH_OF_PROGRAM
#define OKBENCH_PLUGIN(describe_function) static_assert(true)
#else
#define OKBENCH_PLUGIN(describe_function)                                                          \
  extern "C" __attribute__((visibility("default"))) const okbench::PluginAbout* okbench_plugin() { \
    static const okbench::PluginAbout about = {OKBENCH_PLUGIN_INTERFACE, &(describe_function)};    \
    return &about;                                                                                 \
  }                                                                                                \
  static_assert(true)
#endif
