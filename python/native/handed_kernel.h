#pragma once
// HandedKernel: a Python object that evaluates a kernel and counts the evaluations, for learners written in
// Python.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <numeric>
#include <vector>

#include "base/error.h"
#include "learners/kernels/engine.h"
#include "python/native/rows.h"

namespace okbench::python {

/// Interface for both precisions. REQUIRES: the caller holds the GIL. It is also held during the evaluation,
/// because an engine must not be used by two threads at a time.
class AnyHandedKernel {
 public:
  virtual ~AnyHandedKernel() = default;
  /// The matrix k(a_i, b_j), with one row per row of `a`. Rows have the format of RowsOf. Each value counts
  /// as requested and computed once per call. Throws InvalidArgument.
  virtual py::array Values(const py::object& a, const py::object& b) = 0;
  /// "float32" or "float64".
  virtual const char* precision() const = 0;
  /// The kernel and its parameters, as text.
  virtual std::string Describe() const = 0;
};

/// A kernel engine of precision T.
template <class T>
class HandedKernel final : public AnyHandedKernel {
 public:
  explicit HandedKernel(const Kernel& kernel) : engine_(kernel) {}

  /// Sets the counter for all following values: learning or evaluation.
  void SetPurpose(Purpose purpose) { purpose_ = purpose; }
  const KernelCounts& counts() const { return engine_.counts(); }
  const char* precision() const override { return std::is_same_v<T, double> ? "float64" : "float32"; }
  std::string Describe() const override { return engine_.kernel().Describe(); }

  py::array Values(const py::object& a, const py::object& b) override {
    const Examples<T> rows = RowsOf<T>(a), others = RowsOf<T>(b);
    // The longer side becomes the support set, because its rows fill the SIMD lanes.
    return others.size() >= rows.size() ? Between(rows, others, false) : Between(others, rows, true);
  }

 private:
  // The matrix of kernel values, transposed if `swapped`.
  py::array Between(const Examples<T>& queries, const Examples<T>& vectors, bool swapped) {
    const Inputs<T> prepared = engine_.Prepare(static_cast<const RowSource<T>&>(queries));
    const Inputs<T> vector_inputs = engine_.Prepare(static_cast<const RowSource<T>&>(vectors));
    SupportBlocks<T> set = engine_.MakeBlocks(vectors, &queries);
    for (std::size_t i = 0; i < vectors.size(); ++i) set.Put(i, vector_inputs, i);
    const std::size_t n = queries.size(), m = vectors.size(), stride = set.slots();
    AlignedVector<T> values(n * stride);
    if (n > 0 && m > 0) engine_.Rows(set, prepared, AllRows(queries), purpose_, true, values.data(), stride);
    py::array_t<T> out(swapped ? std::vector<std::size_t>{m, n} : std::vector<std::size_t>{n, m});
    T* const to = out.mutable_data();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j) to[swapped ? j * n + i : i * m + j] = values[i * stride + j];
    return out;
  }

  KernelEngine<T> engine_;
  Purpose purpose_ = Purpose::kLearning;
};

}  // namespace okbench::python
