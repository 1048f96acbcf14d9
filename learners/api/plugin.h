#pragma once
// Plugin: a learner in a shared library of its own, which a program loads (okbench --plugin FILE).
//
//   OKBENCH_PLUGIN(okbench::mine::Describe)   // once, outside of all namespaces
//
// What passes between program and plugin are C++ types, so both are of the same headers, compiler and
// standard library. The text below says which; a program looks for it in the file's bytes before it loads
// anything.

#include "learners/api/interface_digest.h"
#include "learners/api/learner_info.h"

#ifdef __FAST_MATH__
#error "-ffast-math changes bits: a learner is compiled without it"
#endif

#define OKBENCH_TEXT_OF(value) #value
#define OKBENCH_TEXT(value) OKBENCH_TEXT_OF(value)

/// Raised with any change of what the macro below makes.
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

/// How every such text begins, whatever the version.
#define OKBENCH_PLUGIN_MARK "okbench plugin interface: "

/// "okbench plugin interface: version 1; GNU 12.2.0; libstdc++ 20220819; headers 0123...;"
#define OKBENCH_PLUGIN_INTERFACE                                                             \
  OKBENCH_PLUGIN_MARK                                                                        \
  "version " OKBENCH_TEXT(OKBENCH_PLUGIN_VERSION) "; " OKBENCH_COMPILER "; " OKBENCH_LIBRARY \
                                                  "; headers " OKBENCH_INTERFACE_DIGEST ";"

namespace okbench {

/// What the symbol okbench_plugin gives.
struct PluginAbout {
  const char* interface;  ///< OKBENCH_PLUGIN_INTERFACE
  LearnerInfo (*describe)();
};

}  // namespace okbench

// A learner that the program is built with (OKBENCH_LEARNERS) may have the line, too.
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
