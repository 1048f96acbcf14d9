#include "harness/trace/trace_image.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "harness/trace/hdf5_image.h"
#include "harness/trace/trace_content.h"

namespace okbench {
namespace {

using hdf5::Check;
using hdf5::Handle;

// Columns of up to this many values are stored in the header of their data set. A chunk costs 2 KB more.
constexpr hsize_t kSmallColumn = 64;

// How the columns of a table are stored.
void SetLayout(hid_t properties, hsize_t rows) {
  Check(H5Pset_obj_track_times(properties, false), "make a column");
  if (rows <= kSmallColumn) {
    Check(H5Pset_layout(properties, H5D_COMPACT), "make a column");
    return;
  }
  const hsize_t chunk = std::min<hsize_t>(rows, 8192);
  Check(H5Pset_chunk(properties, 1, &chunk), "make a column");
  Check(H5Pset_shuffle(properties), "make a column");
  Check(H5Pset_deflate(properties, 4), "make a column");
}

void PutColumn(hid_t group, const Column& column, hid_t space, hid_t properties) {
  const bool whole = std::holds_alternative<std::vector<std::int64_t>>(column.values);
  const Handle data(H5Dcreate2(group, column.name.c_str(), whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, space,
                               H5P_DEFAULT, properties, H5P_DEFAULT),
                    H5Dclose, "make a column");
  const void* bytes =
      std::visit([](const auto& v) { return static_cast<const void*>(v.data()); }, column.values);
  if (column.size() > 0)
    Check(H5Dwrite(data, whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes),
          "write a column");
  hdf5::PutNumber(data, "deterministic", column.deterministic ? 1 : 0);
}

template <class T>
std::vector<T> ReadValues(hid_t data, hid_t type, hsize_t rows) {
  std::vector<T> values(rows);
  if (rows > 0) Check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read a column");
  return values;
}

// `budget` is the number of values that may still be read.
Column GetColumn(hid_t group, const std::string& name, std::size_t& budget) {
  hdf5::RequireMember(group, name);
  const Handle data(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "open a column");
  const Handle type(H5Dget_type(data), H5Tclose, "read a column");
  hdf5::RequireStoredHere(data, name);
  const hsize_t rows = hdf5::Length(data, name);
  if (rows > budget) throw TraceError("column '" + name + "' claims more rows than fit the file");
  budget -= rows;
  Column column;
  column.name = name;
  column.deterministic = hdf5::GetNumber(data, "deterministic") != 0;
  if (H5Tget_class(type) == H5T_INTEGER)
    column.values = ReadValues<std::int64_t>(data, H5T_NATIVE_INT64, rows);
  else
    column.values = ReadValues<double>(data, H5T_NATIVE_DOUBLE, rows);
  return column;
}

// Column order is part of the digest. It is stored as an attribute because HDF5 sorts by name.
void PutTable(hid_t file, const Table& table) {
  const Handle group(H5Gcreate2(file, table.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                     "make a group");
  // Making these for each column would take most of the time of a small trace.
  const hsize_t rows = table.rows();
  const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose, "make a column");
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a column");
  SetLayout(properties, rows);
  std::string order;
  for (const Column& column : table.columns) {
    PutColumn(group, column, space, properties);
    order += (order.empty() ? "" : ",") + column.name;
  }
  hdf5::PutText(group, "columns", order);
}

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size() && !text.empty();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return parts;
}

std::string MakeFile(const TraceContent& content) {
  const Handle file(hdf5::CreateImage(), H5Fclose, "make a file");
  hdf5::PutNumber(file, "format", kTraceFormat);
  hdf5::PutText(file, "trial_id", content.trial_id);
  hdf5::PutText(file, "trace_digest", content.trace_digest);
  hdf5::PutText(file, "content_digest", content.content_digest);
  hdf5::PutText(file, "spec", content.spec);
  hdf5::PutText(file, "summary", content.summary);
  hdf5::PutText(file, "provenance", content.provenance);
  hdf5::PutText(file, "provenance_digest", content.provenance_digest);
  std::string order;
  for (const Table& table : content.tables) {
    PutTable(file, table);
    order += (order.empty() ? "" : ",") + table.name;
  }
  hdf5::PutText(file, "tables", order);
  return hdf5::ImageOf(file);
}

TraceContent ReadFile(std::string_view image) {
  const Handle file(hdf5::OpenImage(image), H5Fclose, "open it");
  if (const std::int64_t format = hdf5::GetNumber(file, "format"); format != kTraceFormat)
    throw TraceError("format " + std::to_string(format) + ", expected " + std::to_string(kTraceFormat));
  TraceContent content;
  content.trial_id = hdf5::GetText(file, "trial_id");
  content.spec = hdf5::GetText(file, "spec");
  content.summary = hdf5::GetText(file, "summary");
  content.provenance = hdf5::GetText(file, "provenance");
  content.trace_digest = hdf5::GetText(file, "trace_digest");
  content.content_digest = hdf5::GetText(file, "content_digest");
  if (H5Aexists(file, "provenance_digest") > 0)
    content.provenance_digest = hdf5::GetText(file, "provenance_digest");
  std::size_t budget = image.size() * (hdf5::kMaxCompression / sizeof(double));
  for (const std::string& name : Split(hdf5::GetText(file, "tables"))) {
    hdf5::RequireMember(file, name);
    const Handle group(H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose, "open a group");
    Table table;
    table.name = name;
    for (const std::string& column : Split(hdf5::GetText(group, "columns")))
      table.columns.push_back(GetColumn(group, column, budget));
    content.tables.push_back(std::move(table));
  }
  return content;
}

}  // namespace

std::string MakeImage(const Trace& trace) {
  const TraceContent content = ContentOf(trace);
  const auto lock = hdf5::Lock();
  return MakeFile(content);
}

Trace ParseImage(std::string_view image) {
  TraceContent content;
  {
    const auto lock = hdf5::Lock();
    content = ReadFile(image);
  }
  return TraceOf(std::move(content));
}

}  // namespace okbench
