#pragma once
// OwnLearners: registers user-defined learners written in Python for the duration of a run.
//
// The learner is called through the facade okbench.facade.own_learners, which provides
//   make(kernel, classes)     returns the object of one trial; classes is 0 for binary labels;
//                             kernel(A, B) returns the matrix k(a_i, b_j)
//   one.scores(rows)          returns float64 of shape (rows, 1) or (rows, classes)
//   one.learn(row, label)     learns from one row
//   one.support_vectors()     returns an int
// An exception in the object becomes a TrialFailure of kind "learner". The GIL is held during every call of
// the object and during kernel evaluations, so concurrent trials alternate.

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace okbench::python {

namespace py = pybind11;

/// Adds learners to the registry and removes them on destruction. Each learner has the attributes name,
/// title, code (name of its source), sha256 (of its source) and make.
/// REQUIRES: the caller holds the GIL, and no other run is active in this process.
class OwnLearners {
 public:
  /// Throws InvalidArgument when a name is already registered; then no learner is added.
  explicit OwnLearners(const std::vector<py::object>& learners);
  ~OwnLearners();
  OwnLearners(const OwnLearners&) = delete;
  OwnLearners& operator=(const OwnLearners&) = delete;

 private:
  std::vector<std::string> added_;
};

/// Adds the Python class HandedKernel to the module.
void AddOwnLearners(py::module_& module);

}  // namespace okbench::python
