#pragma once
// One row from a dict of features by name, as River passes rows.

#include <Python.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "learners/core/examples.h"

namespace okbench::python {

namespace py = pybind11;

/// repr() of a Python object.
inline std::string Repr(py::handle object) { return py::repr(object).cast<std::string>(); }

/// Where the values of a dict go.
struct DictLayout {
  std::size_t features;  ///< of the row
  bool sparse;           ///< the row is sparse
  bool constant;         ///< the last feature is 1
};

/// The row of a dict {name: number}. `places` is {name: feature}. A feature that `x` lacks is 0. Returns
/// nothing if `x` has a name that `places` lacks, unless `ignore`: then the name is left out. Throws
/// InvalidArgument for a value that is no finite number.
template <class T>
std::optional<Examples<T>> RowOfDict(const py::dict& places, const py::dict& x, const DictLayout& layout,
                                     bool ignore) {
  std::vector<std::pair<std::uint32_t, T>> entries;
  PyObject *name = nullptr, *number = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(x.ptr(), &position, &name, &number) != 0;) {
    PyObject* const place = PyDict_GetItemWithError(places.ptr(), name);
    if (place == nullptr) {
      if (PyErr_Occurred() != nullptr) throw py::error_already_set();
      if (ignore) continue;
      return std::nullopt;
    }
    const double value = PyFloat_AsDouble(number);
    const bool is_number = PyErr_Occurred() == nullptr;
    PyErr_Clear();
    if (!is_number || !std::isfinite(value))
      throw InvalidArgument("feature " + Repr(name) + " is " + Repr(number) + ": not a finite number");
    const std::size_t feature = PyLong_AsSize_t(place);
    if (feature >= layout.features) throw InvalidArgument("feature " + Repr(name) + " has no column");
    entries.emplace_back(static_cast<std::uint32_t>(feature), static_cast<T>(value));
  }
  if (layout.constant) entries.emplace_back(static_cast<std::uint32_t>(layout.features - 1), T(1));
  if (!layout.sparse) {
    std::vector<T> values(layout.features, T(0));
    for (const auto& [place, value] : entries) values[place] = value;
    return Examples<T>::Unlabelled(1, layout.features, std::move(values));
  }
  std::sort(entries.begin(), entries.end());
  std::vector<T> values;
  std::vector<std::uint32_t> indices;
  for (const auto& [place, value] : entries) {
    values.push_back(value);
    indices.push_back(place);
  }
  const std::size_t end = values.size();
  return Examples<T>::Unlabelled(1, layout.features, std::move(values), {0, end}, std::move(indices));
}

}  // namespace okbench::python
