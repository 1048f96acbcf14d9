#pragma once
// Converts NumPy arrays and compressed rows of SciPy to Examples and back, and traces to arrays. Examples
// borrow the values.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/trace/trace.h"
#include "learners/core/examples.h"

namespace okbench::python {

namespace py = pybind11;

/// Keeps a Python object alive. May be released on any thread; acquires the GIL for that.
inline std::shared_ptr<const void> Owner(py::object object) {
  return {new py::object(std::move(object)), [](const void* pointer) {
            const py::gil_scoped_acquire lock;
            delete static_cast<const py::object*>(pointer);
          }};
}

/// A view of an array that keeps the array alive.
template <class V>
Shared<V> Borrow(const py::array_t<V, py::array::c_style>& array) {
  return Shared<V>(std::span<const V>(array.data(), static_cast<std::size_t>(array.size())), Owner(array));
}

/// Unlabelled examples of a C-contiguous array (rows, features), or of a tuple (data, indices, indptr,
/// features) of compressed rows. REQUIRES: indices increase within each row. Values are borrowed, and indices
/// too if they are int32. Throws InvalidArgument.
template <class T>
Examples<T> RowsOf(const py::object& rows) {
  using Dense = py::array_t<T, py::array::c_style>;
  if (py::isinstance<py::tuple>(rows)) {
    const auto parts = rows.cast<py::tuple>();
    const auto data = parts[0].cast<Dense>();
    const auto indices =
        parts[1].cast<py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>>();
    const auto starts = parts[2].cast<py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>>();
    const auto features = parts[3].cast<std::size_t>();
    // Indices are never negative, so int32 and uint32 have the same bits.
    const Shared<std::uint32_t> places(std::span(reinterpret_cast<const std::uint32_t*>(indices.data()),
                                                 static_cast<std::size_t>(indices.size())),
                                       Owner(indices));
    std::vector<std::size_t> offsets(starts.data(), starts.data() + starts.size());
    const std::size_t count = offsets.empty() ? 0 : offsets.size() - 1;
    return Examples<T>::Unlabelled(count, features, Borrow<T>(data), std::move(offsets), places);
  }
  const auto dense = rows.cast<Dense>();
  return Examples<T>::Unlabelled(static_cast<std::size_t>(dense.shape(0)),
                                 static_cast<std::size_t>(dense.shape(1)), Borrow<T>(dense));
}

/// A text as a Python object. Bytes that are not UTF-8 become surrogates.
inline py::object TextObject(const std::string& text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "surrogateescape"));
}

/// The name of a file as a Python object, in the encoding of Python's file names.
inline py::object PathObject(const std::string& path) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<py::ssize_t>(path.size())));
}

inline py::list TextObjects(const std::vector<std::string>& texts) {
  py::list list;
  for (const std::string& text : texts) list.append(TextObject(text));
  return list;
}

inline py::list PathObjects(const std::vector<std::string>& paths) {
  py::list list;
  for (const std::string& path : paths) list.append(PathObject(path));
  return list;
}

/// Copies values into a vector.
template <class V>
py::array ArrayOf(const std::vector<V>& values) {
  return py::array_t<V>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// The tables of a trace: {table: {column: array}}.
inline py::dict TablesOf(const Trace& trace) {
  py::dict tables;
  for (const Table& table : trace.tables) {
    py::dict columns;
    for (const Column& column : table.columns)
      columns[py::str(column.name)] =
          std::visit([](const auto& values) { return ArrayOf(values); }, column.values);
    tables[py::str(table.name)] = columns;
  }
  return tables;
}

/// Copies row-major values into a matrix.
template <class T>
py::array MatrixOf(const std::vector<T>& values, std::size_t rows, std::size_t columns) {
  return py::array_t<T>({rows, columns}, values.data());
}

/// Copies examples into a dense array (rows, features), or a tuple (data, indices, indptr, features) if they
/// are sparse.
template <class T>
py::object RowsObject(const Examples<T>& rows) {
  std::vector<T> values;
  std::vector<std::int32_t> indices;
  std::vector<std::int64_t> starts = {0};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowView<T> row = rows.row(i);
    values.insert(values.end(), row.values, row.values + row.count);
    if (row.indices != nullptr) indices.insert(indices.end(), row.indices, row.indices + row.count);
    starts.push_back(static_cast<std::int64_t>(values.size()));
  }
  if (!rows.sparse()) return MatrixOf(values, rows.size(), rows.features());
  return py::make_tuple(ArrayOf(values), ArrayOf(indices), ArrayOf(starts), rows.features());
}

}  // namespace okbench::python
