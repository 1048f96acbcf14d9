#pragma once
// UserLearners: registers user-defined learners written in Python for the duration of a run.
//
// The object is called through the package's facade (okbench.api.python_learners), which has
//   make(kernel)                the object of one trial; kernel(A, B) gives the values k(a_i, b_j)
//   object.scores(rows)         float64, (rows, 1) or (rows, classes)
//   object.learn(rows, labels)  one row
//   object.support_vectors()    an int
// Errors of the object are a TrialFailure of kind "learner". The interpreter's lock is held wherever the
// object works, the kernel that it was handed included: several trials take turns.

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace okbench::python {

namespace py = pybind11;

/// Adds learners to the registry and removes them on destruction. Each learner has the attributes name,
/// title, code (name of its source), sha256 (of its source) and make.
/// REQUIRES: the caller holds the GIL, and no other run is active in this process.
class UserLearners {
 public:
  /// Throws InvalidArgument when a name is already registered; then no learner is added.
  explicit UserLearners(const std::vector<py::object>& learners);
  ~UserLearners();
  UserLearners(const UserLearners&) = delete;
  UserLearners& operator=(const UserLearners&) = delete;

 private:
  std::vector<std::string> added_;
};

/// Adds the Python class HandedKernel to the module.
void AddUserLearners(py::module_& module);

}  // namespace okbench::python
