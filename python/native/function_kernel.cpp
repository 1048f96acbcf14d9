#include "python/native/function_kernel.h"

#include <pybind11/numpy.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "python/native/rows.h"

namespace okbench::python {
namespace {

class Callable final : public KernelFunction {
 public:
  explicit Callable(py::object callable) : owner_(Owner(std::move(callable))) {}

  void Values(const double* a, std::size_t n, const double* b, std::size_t m, std::size_t features,
              double* out) const override {
    const py::gil_scoped_acquire lock;
    // Copies: the callable may keep its arguments.
    const auto matrix = [features](const double* rows, std::size_t count) {
      return py::array_t<double>({count, features}, rows);
    };
    const py::object result = callable()(matrix(a, n), matrix(b, m));
    const auto values = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(result);
    if (!values || values.ndim() != 2 || static_cast<std::size_t>(values.shape(0)) != n ||
        static_cast<std::size_t>(values.shape(1)) != m) {
      PyErr_Clear();
      throw InvalidArgument("kernel: the callable must return a matrix of shape (" + std::to_string(n) +
                            ", " + std::to_string(m) + ")");
    }
    std::copy_n(values.data(), n * m, out);
  }

  std::string Describe() const override { return "callable"; }

 private:
  const py::object& callable() const { return *static_cast<const py::object*>(owner_.get()); }

  std::shared_ptr<const void> owner_;
};

class Precomputed final : public KernelFunction {
 public:
  void Values(const double* a, std::size_t n, const double* b, std::size_t m, std::size_t features,
              double* out) const override {
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t s = 0; s < m; ++s)
        out[r * m + s] = Value(a + r * features, b + s * features, features);
  }
  std::string Describe() const override { return "precomputed"; }

 private:
  static double Value(const double* a, const double* b, std::size_t features) {
    const double* const values = b[0] >= 0 ? a : b;
    const double index = b[0] >= 0 ? b[0] : a[0];
    if (!(index >= 0) || index + 1 >= static_cast<double>(features))
      return std::numeric_limits<double>::quiet_NaN();
    return values[1 + static_cast<std::size_t>(index)];
  }
};

}  // namespace

std::shared_ptr<const KernelFunction> CallableKernel(py::object callable) {
  return std::make_shared<Callable>(std::move(callable));
}

std::shared_ptr<const KernelFunction> PrecomputedKernel() { return std::make_shared<Precomputed>(); }

}  // namespace okbench::python
