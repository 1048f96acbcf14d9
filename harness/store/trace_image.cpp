#include "harness/store/trace_image.h"

#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "harness/store/trace_content.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

constexpr std::size_t kMostText = 1 << 24;  // largest text attribute, in bytes
// Columns of up to this many values are stored in the header of their data set. A chunk costs 2 KB more.
constexpr hsize_t kSmallColumn = 64;

// Callback of H5Ewalk2: sets *shortage if an entry of the error stack is a lack of resources.
herr_t IsShortage(unsigned, const H5E_error2_t* error, void* shortage) {
  *static_cast<bool*>(shortage) |= error->maj_num == H5E_RESOURCE;
  return 0;
}

// Throws std::bad_alloc if HDF5 ran out of memory, else TraceError. `what` completes "HDF5 cannot ...".
[[noreturn]] void Fail(const char* what) {
  bool shortage = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, IsShortage, &shortage);
  if (shortage) throw std::bad_alloc();
  throw TraceError(std::string("HDF5 cannot ") + what);
}

// Owns one HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close, const char* what) : id_(id), close_(close) {
    if (id_ < 0) Fail(what);
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): used like the identifier

 private:
  hid_t id_;
  Close close_;
};

void Check(herr_t status, const char* what) {
  if (status < 0) Fail(what);
}

void PutText(hid_t object, const std::string& name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  Check(H5Tset_size(type, std::max<std::size_t>(text.size(), 1)), "size a text");
  Check(H5Tset_cset(type, H5T_CSET_UTF8), "mark a text as UTF-8");
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "make a scalar");
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  Check(H5Awrite(attribute, type, text.empty() ? "\0" : text.data()), "write an attribute");
}

void PutNumber(hid_t object, const std::string& name, std::int64_t value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "make a scalar");
  const Handle attribute(H5Acreate2(object, name.c_str(), H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, "make an attribute");
  Check(H5Awrite(attribute, H5T_NATIVE_INT64, &value), "write an attribute");
}

std::string GetText(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) throw TraceError(std::string("attribute '") + name + "' is missing");
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "open an attribute");
  const Handle type(H5Aget_type(attribute), H5Tclose, "read a type");
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    throw TraceError(std::string("attribute '") + name + "' is not a text");
  if (H5Tget_size(type) > kMostText) throw TraceError(std::string("attribute '") + name + "' is too long");
  std::string text(H5Tget_size(type), '\0');
  Check(H5Aread(attribute, type, text.data()), "read an attribute");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::int64_t GetNumber(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) throw TraceError(std::string("attribute '") + name + "' is missing");
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "open an attribute");
  std::int64_t value = 0;
  Check(H5Aread(attribute, H5T_NATIVE_INT64, &value), "read an attribute");
  return value;
}

void PutColumn(hid_t group, const Column& column) {
  const bool whole = std::holds_alternative<std::vector<std::int64_t>>(column.values);
  const hsize_t rows = column.size();
  const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose, "make a column");
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a column");
  Check(H5Pset_obj_track_times(properties, false), "make a column");
  if (rows <= kSmallColumn) {
    Check(H5Pset_layout(properties, H5D_COMPACT), "make a column");
  } else {
    const hsize_t chunk = std::min<hsize_t>(rows, 8192);
    Check(H5Pset_chunk(properties, 1, &chunk), "make a column");
    Check(H5Pset_shuffle(properties), "make a column");
    Check(H5Pset_deflate(properties, 4), "make a column");
  }
  const Handle data(H5Dcreate2(group, column.name.c_str(), whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, space,
                               H5P_DEFAULT, properties, H5P_DEFAULT),
                    H5Dclose, "make a column");
  const void* bytes =
      std::visit([](const auto& v) { return static_cast<const void*>(v.data()); }, column.values);
  if (rows > 0)
    Check(H5Dwrite(data, whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes),
          "write a column");
  PutNumber(data, "deterministic", column.deterministic ? 1 : 0);
}

template <class T>
std::vector<T> ReadValues(hid_t data, hid_t type, hsize_t rows) {
  std::vector<T> values(rows);
  if (rows > 0) Check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read a column");
  return values;
}

// Largest factor by which deflate compresses. It bounds the values of all columns, so that forged row counts
// allocate no more memory.
constexpr std::size_t kMostCompression = 1032;

// Throws unless `name` is a direct member of the group, by a hard link: other links lead to other objects, or
// to other files.
void RequireMember(hid_t group, const std::string& name) {
  H5L_info_t link;
  if (name.find('/') != std::string::npos || name == "." ||
      H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
    throw TraceError("'" + name + "' is missing, or a link");
}

// Throws unless the values are in this file: not in external files, and not mapped from other data sets.
void RequireStoredHere(hid_t data, const std::string& name) {
  const Handle properties(H5Dget_create_plist(data), H5Pclose, "read a column");
  const H5D_layout_t layout = H5Pget_layout(properties);
  if ((layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) ||
      H5Pget_external_count(properties) != 0)
    throw TraceError("column '" + name + "' is stored outside the file");
}

// `budget` is the number of values that may still be read.
Column GetColumn(hid_t group, const std::string& name, std::size_t& budget) {
  RequireMember(group, name);
  const Handle data(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "open a column");
  const Handle space(H5Dget_space(data), H5Sclose, "read a column");
  const Handle type(H5Dget_type(data), H5Tclose, "read a column");
  RequireStoredHere(data, name);
  hsize_t rows = 0;
  if (H5Sget_simple_extent_ndims(space) != 1) throw TraceError("column '" + name + "' is not a list");
  Check(H5Sget_simple_extent_dims(space, &rows, nullptr), "read a column");
  if (rows > budget) throw TraceError("column '" + name + "' claims more rows than fit the file");
  budget -= rows;
  Column column;
  column.name = name;
  column.deterministic = GetNumber(data, "deterministic") != 0;
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
  std::string order;
  for (const Column& column : table.columns) {
    PutColumn(group, column);
    order += (order.empty() ? "" : ",") + column.name;
  }
  PutText(group, "columns", order);
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
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a file");
  Check(H5Pset_fapl_core(access, 1 << 16, 0), "make a file in memory");
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "make a file");
  Check(H5Pset_sym_k(creation, 2, 4), "make a file");  // small nodes: groups have few members
  const Handle file(H5Fcreate("okbench-trace", H5F_ACC_TRUNC, creation, access), H5Fclose, "make a file");
  PutNumber(file, "format", kTraceFormat);
  PutText(file, "trial_id", content.trial_id);
  PutText(file, "trace_digest", content.trace_digest);
  PutText(file, "content_digest", content.content_digest);
  PutText(file, "spec", content.spec);
  PutText(file, "summary", content.summary);
  PutText(file, "provenance", content.provenance);
  PutText(file, "provenance_digest", content.provenance_digest);
  std::string order;
  for (const Table& table : content.tables) {
    PutTable(file, table);
    order += (order.empty() ? "" : ",") + table.name;
  }
  PutText(file, "tables", order);
  Check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush a file");
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0) Fail("make a file image");
  std::string image(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, image.data(), image.size()) < 0) Fail("make a file image");
  return image;
}

TraceContent ReadFile(std::string_view image) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "open it");
  Check(H5Pset_fapl_core(access, 1 << 20, 0), "open it");
  // HDF5 copies the bytes.
  Check(H5Pset_file_image(access, const_cast<char*>(image.data()), image.size()), "open it");  // NOLINT
  const Handle file(H5Fopen("okbench-trace", H5F_ACC_RDONLY, access), H5Fclose, "open it");
  if (const std::int64_t format = GetNumber(file, "format"); format != kTraceFormat)
    throw TraceError("format " + std::to_string(format) + ", expected " + std::to_string(kTraceFormat));
  TraceContent content;
  content.trial_id = GetText(file, "trial_id");
  content.spec = GetText(file, "spec");
  content.summary = GetText(file, "summary");
  content.provenance = GetText(file, "provenance");
  content.trace_digest = GetText(file, "trace_digest");
  content.content_digest = GetText(file, "content_digest");
  if (H5Aexists(file, "provenance_digest") > 0)
    content.provenance_digest = GetText(file, "provenance_digest");
  std::size_t budget = image.size() * (kMostCompression / sizeof(double));
  for (const std::string& name : Split(GetText(file, "tables"))) {
    RequireMember(file, name);
    const Handle group(H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose, "open a group");
    Table table;
    table.name = name;
    for (const std::string& column : Split(GetText(group, "columns")))
      table.columns.push_back(GetColumn(group, column, budget));
    content.tables.push_back(std::move(table));
  }
  return content;
}

// Locks HDF5, which is not thread-safe, and disables its printing of error stacks.
std::unique_lock<std::mutex> UseHdf5() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return lock;
}

}  // namespace

std::string MakeImage(const Trace& trace) {
  const TraceContent content = ContentOf(trace);
  const auto lock = UseHdf5();
  return MakeFile(content);
}

Trace ParseImage(std::string_view image) {
  TraceContent content;
  {
    const auto lock = UseHdf5();
    content = ReadFile(image);
  }
  return TraceOf(std::move(content));
}

}  // namespace okbench
