#pragma once
// Shared code of the tests of NORMA and SVMD.

#include "learners/bases/online_svm.h"
#include "tests/helpers.h"

namespace okbench::testing {

template <class T>
LearnerContext<T> OnlineContext(const Examples<T>& train, const Kernel& kernel) {
  return {.train = &train, .test = nullptr, .kernel = kernel, .lookahead = 48};
}

inline OnlineSvmOptions Hinge(double c, std::size_t buffer) {
  OnlineSvmOptions options;
  options.loss = "hinge";
  options.c = c;
  options.buffer = buffer;
  return options;
}

}  // namespace okbench::testing
