#pragma once
// LIBLINEAR's shared library, loaded when a solver first needs it: it brings a BLAS with threads of its own,
// which no other learner and no other verb should have to start.

#include <linear.h>

namespace okbench::liblinear {

/// What is used of its interface, as linear.h declares it.
struct Library {
  model* (*train)(const problem*, const parameter*);
  void (*free_and_destroy_model)(model**);
  void (*set_print_string_function)(void (*)(const char*));
};

/// Stays loaded. Thread-safe. Throws std::runtime_error when it is not installed or cannot be loaded.
const Library& Load();

}  // namespace okbench::liblinear
