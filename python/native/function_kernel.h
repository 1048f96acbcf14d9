#pragma once
// Kernels of estimators that the engine does not compute: a Python callable, or a matrix of values.

#include <pybind11/pybind11.h>

#include <memory>

#include "learners/kernels/kernel.h"

namespace okbench::python {

namespace py = pybind11;

/// The kernel of a callable f(A, B) that returns the matrix k(a_i, b_j). Acquires the GIL for each call.
/// Throws InvalidArgument if the shape of the matrix is wrong, and the exception of the callable.
std::shared_ptr<const KernelFunction> CallableKernel(py::object callable);

/// The kernel of a precomputed matrix. A row is [p, k(x, x_0), ..., k(x, x_n-1)], where p is the index of x
/// in the training set, or -1 for other rows. The value of two training rows is taken from the first.
std::shared_ptr<const KernelFunction> PrecomputedKernel();

}  // namespace okbench::python
