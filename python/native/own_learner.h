#pragma once
// Learners that are Python objects: the registry knows them while a run has them.
//
// The object is asked and taught through the package's facade (okbench.api.python_learners), which has
//   make(kernel)              the object of one trial; kernel(A, B) gives the values k(a_i, b_j)
//   one.scores(rows)          float64, (rows, 1) or (rows, classes)
//   one.learn(rows, labels)   one row
//   one.support_vectors()     an int
// Errors of the object are a TrialFailure of kind "learner". The interpreter's lock is held wherever the
// object works, the kernel that it was handed included: several trials take turns.

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace okbench::python {

namespace py = pybind11;

/// Adds learners to the registry until it goes. Each has the attributes name, title, code (what its source is
/// called), sha256 and make. With the interpreter's lock; no run may be going on.
class OwnLearners {
 public:
  /// Throws InvalidArgument when a name is taken.
  explicit OwnLearners(const std::vector<py::object>& learners);
  ~OwnLearners();
  OwnLearners(const OwnLearners&) = delete;
  OwnLearners& operator=(const OwnLearners&) = delete;

 private:
  std::vector<std::string> added_;
};

/// Adds the class of the kernel that such learners are handed.
void AddOwnLearners(py::module_& module);

}  // namespace okbench::python
