// Rows of results, as columns for Python and as JSON.

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "harness/results/comparison.h"
#include "harness/results/rows.h"
#include "python/native/calls.h"
#include "python/native/module.h"
#include "python/native/rows.h"

namespace okbench::python {
namespace {

using nlohmann::json;

// The values of one column: numbers, texts, or both (a parameter may be a number for one learner and a text
// for another).
class ColumnValues {
 public:
  void Set(std::size_t row, double number) {
    Grow(numbers_, row, std::numeric_limits<double>::quiet_NaN());
    numbers_[row] = number;
  }
  void Set(std::size_t row, bool value) {
    Expect(false, true);
    Set(row, value ? 1.0 : 0.0);
  }
  void Set(std::size_t row, const std::string& text) {
    Grow(codes_, row, -1);
    const auto [place, is_new] = known_.try_emplace(text, static_cast<std::int32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    codes_[row] = place->second;
  }

  /// {numbers, codes, texts, boolean} in the order of rows `order`; numbers or codes are None if no row has
  /// one.
  py::dict Object(const std::vector<std::size_t>& order, bool paths) const {
    using py::operator""_a;
    const bool texts = !codes_.empty() || (text_ && numbers_.empty());
    const bool numbers = !numbers_.empty() || !texts;
    return py::dict("numbers"_a = numbers ? Ordered(numbers_, order, std::nan("")) : py::none(),
                    "codes"_a = texts ? Ordered(codes_, order, std::int32_t{-1}) : py::none(),
                    "texts"_a = paths ? PathObjects(texts_) : TextObjects(texts_), "boolean"_a = boolean_);
  }

  /// What the values are, also if no row has one.
  void Expect(bool text, bool boolean) {
    text_ = text_ || text;
    boolean_ = boolean_ || boolean;
  }

 private:
  template <class T>
  static void Grow(std::vector<T>& values, std::size_t row, T missing) {
    if (values.size() <= row) values.resize(row + 1, missing);
  }
  template <class T>
  static py::object Ordered(const std::vector<T>& values, const std::vector<std::size_t>& order, T missing) {
    std::vector<T> ordered;
    ordered.reserve(order.size());
    for (const std::size_t row : order) ordered.push_back(row < values.size() ? values[row] : missing);
    return ArrayOf(ordered);
  }

  std::vector<double> numbers_;      // NaN: missing
  std::vector<std::int32_t> codes_;  // places in texts_; -1: missing
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::int32_t> known_;
  bool text_ = false, boolean_ = false;
};

// Columns by name; those of nested values are named like "kernel_evaluations/requested".
class Columns {
 public:
  /// `grouping`: leaves out the columns whose values differ between all trials.
  explicit Columns(bool grouping) : grouping_(grouping) {}

  void Add(const Row& row, std::size_t position) {
    positions_.push_back(position);
    VisitFields(row, [&](const RowField& field, const auto& value) {
      const std::string_view name = field.name;
      if (!grouping_ || (name != "id" && name != "trace_digest" && name != "file")) Put(field.name, value);
    });
    Put("", row.other);
  }

  py::dict Object() const {
    std::vector<std::size_t> order(positions_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return positions_[row]; });
    py::dict object;
    for (const std::string& name : names_)
      object[py::str(name)] = values_.at(name).Object(order, name == "file");
    return object;
  }

  std::size_t rows() const { return positions_.size(); }

 private:
  ColumnValues& Of(const std::string& name) {
    const auto [place, is_new] = values_.try_emplace(name);
    if (is_new) names_.push_back(name);
    return place->second;
  }

  void Put(const std::string& name, const std::string& text) { Of(name).Set(rows() - 1, text); }
  template <class T>
  void Put(const std::string& name, const std::optional<T>& value) {
    ColumnValues& column = Of(name);
    column.Expect(std::is_same_v<T, std::string>, std::is_same_v<T, bool>);
    if (!value) return;
    if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, bool>)
      column.Set(rows() - 1, *value);
    else
      column.Set(rows() - 1, static_cast<double>(*value));
  }
  void Put(const std::string& name, const json& value) {
    if (value.is_object())
      for (const auto& [key, part] : value.items()) Put(name.empty() ? key : name + "/" + key, part);
    else if (value.is_number())
      Of(name).Set(rows() - 1, value.get<double>());
    else if (value.is_boolean())
      Of(name).Set(rows() - 1, value.get<bool>());
    else if (value.is_string())
      Of(name).Set(rows() - 1, value.get_ref<const std::string&>());
    else if (value.is_null() && !name.empty())
      Of(name);
  }

  bool grouping_;
  std::vector<std::size_t> positions_;
  std::vector<std::string> names_;  // in order of appearance
  std::unordered_map<std::string, ColumnValues> values_;
};

RowRequest RequestOf(const std::vector<std::filesystem::path>& paths, bool searches, bool stale,
                     std::optional<double> target) {
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(path.string());
  return {.paths = texts, .folds = searches, .stale = stale, .axes = true, .target = target};
}

py::tuple RowColumns(const std::vector<std::filesystem::path>& paths, bool searches, bool stale,
                     std::optional<double> target, bool grouping) {
  Columns columns(grouping);
  RowRequest request = RequestOf(paths, searches, stale, target);
  request.axes = !grouping;
  std::vector<std::string> messages;
  Unlocked([&] {
    LoadPlugins();
    ForEachRow(
        request, [&](const Row& row, std::size_t position) { columns.Add(row, position); },
        [&](const std::string& line) { messages.push_back(line); });
  });
  return py::make_tuple(columns.Object(), columns.rows(), TextObjects(messages));
}

py::tuple RowsAsJson(const std::vector<std::filesystem::path>& paths, bool searches, bool stale,
                     std::optional<double> target, const std::function<void(const std::string&)>& write) {
  constexpr std::size_t kBuffer = std::size_t{64} << 20;  // characters that are written together
  std::vector<std::string> messages;
  bool complete = true, first = true;
  std::string text = "{\"format\": 1, \"trials\": [";
  const auto flush = [&] {
    const py::gil_scoped_acquire lock;
    write(std::exchange(text, ""));
  };
  Unlocked([&] {
    LoadPlugins();
    ForEachRow(
        RequestOf(paths, searches, stale, target),
        [&](const Row& row, std::size_t) {
          if (row.status == "missing") return;
          complete = complete && row.HasNumbers();
          text += (std::exchange(first, false) ? "\n" : ",\n") + row.Json().dump();
          if (text.size() >= kBuffer) flush();
        },
        [&](const std::string& line) { messages.push_back(line); });
    text += "\n]}\n";
    flush();
  });
  return py::make_tuple(complete, TextObjects(messages));
}

py::list Fields() {
  using py::operator""_a;
  py::list list;
  const Row row;
  VisitFields(row, [&](const RowField& field, const auto&) {
    list.append(py::dict("name"_a = field.name, "meaning"_a = field.meaning,
                         "reproducible"_a = field.reproducible, "stored"_a = field.stored));
  });
  return list;
}

py::tuple CompareBits(const std::filesystem::path& a, const std::filesystem::path& b) {
  Comparison bits;
  Unlocked([&] { bits = Compare(a.string(), b.string()); });
  py::list differences;
  using py::operator""_a;
  for (const Difference& d : bits.differences)
    differences.append(py::dict("trial"_a = TextObject(d.trial), "table"_a = d.table, "column"_a = d.column,
                                "row"_a = d.row, "a"_a = d.a, "b"_a = d.b));
  return py::make_tuple(bits.compared, differences);
}

}  // namespace

void AddResultRows(py::module_& module) {
  module.def("rows", &RowColumns, py::arg("paths"), py::arg("searches") = false, py::arg("stale") = false,
             py::arg("target") = std::nullopt, py::arg("grouping") = false,
             "Return (columns, number of rows, messages) of all trials of trace files and folders.\n\n"
             "columns: {name: {numbers, codes, texts, boolean}}. grouping: without id, trace_digest and "
             "file, and without "
             "the\nparameters of trials that have no result, for the memory of many trials. Raise ValueError "
             "for a path without results, "
             "TraceFileError.");
  module.def("rows_json", &RowsAsJson, py::arg("paths"), py::arg("searches"), py::arg("stale"),
             py::arg("target"), py::arg("write"),
             "Pass the rows as JSON to write(text), without trials that have not run. Return (whether every "
             "row has numbers,\nmessages).");
  module.def("row_fields", &Fields, "Return name, meaning, reproducible and stored of the fields of a row.");
  module.def("compare", &CompareBits, py::arg("a"), py::arg("b"),
             "Return (number of compared traces, differences) of two traces or folders, bit for bit.");
}

}  // namespace okbench::python
