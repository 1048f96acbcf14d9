#include "harness/trace/hdf5_image.h"

#include <algorithm>
#include <new>

#include "base/error.h"

namespace okbench::hdf5 {
namespace {

constexpr std::size_t kMaxText = 1 << 24;  // largest text attribute, in bytes

// Callback of H5Ewalk2: sets *shortage if an entry of the error stack is a lack of resources.
herr_t IsShortage(unsigned, const H5E_error2_t* error, void* shortage) {
  *static_cast<bool*>(shortage) |= error->maj_num == H5E_RESOURCE;
  return 0;
}

// A name that no other file in memory has. HDF5 would take two open files of one name for the same file.
std::string NewName() {
  static std::uint64_t count = 0;
  return "okbench-image-" + std::to_string(count++);
}

}  // namespace

std::unique_lock<std::mutex> Lock() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return lock;
}

void Fail(const char* what) {
  bool shortage = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, IsShortage, &shortage);
  if (shortage) throw std::bad_alloc();
  throw TraceError(std::string("HDF5 cannot ") + what);
}

void Check(herr_t status, const char* what) {
  if (status < 0) Fail(what);
}

Handle::Handle(hid_t id, Close close, const char* what) : id_(id), close_(close) {
  if (id_ < 0) Fail(what);
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

namespace {

// Opens an attribute of one value. HDF5 would write several values beyond the end of the caller's buffer.
hid_t OpenAttribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) throw TraceError(std::string("attribute '") + name + "' is missing");
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) Fail("open an attribute");
  const hid_t space = H5Aget_space(attribute);
  const hssize_t values = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  if (space >= 0) H5Sclose(space);
  if (values != 1) {
    H5Aclose(attribute);
    throw TraceError(std::string("attribute '") + name + "' is not a single value");
  }
  return attribute;
}

}  // namespace

std::string GetText(hid_t object, const char* name) {
  const Handle attribute(OpenAttribute(object, name), H5Aclose, "open an attribute");
  const Handle type(H5Aget_type(attribute), H5Tclose, "read a type");
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    throw TraceError(std::string("attribute '") + name + "' is not a text");
  if (H5Tget_size(type) > kMaxText) throw TraceError(std::string("attribute '") + name + "' is too long");
  std::string text(H5Tget_size(type), '\0');
  Check(H5Aread(attribute, type, text.data()), "read an attribute");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::int64_t GetNumber(hid_t object, const char* name) {
  const Handle attribute(OpenAttribute(object, name), H5Aclose, "open an attribute");
  std::int64_t value = 0;
  Check(H5Aread(attribute, H5T_NATIVE_INT64, &value), "read an attribute");
  return value;
}

void RequireMember(hid_t group, const std::string& name) {
  H5L_info_t link;
  if (name.find('/') != std::string::npos || name == "." ||
      H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
    throw TraceError("'" + name + "' is missing, or a link");
}

void RequireStoredHere(hid_t data, const std::string& name) {
  const Handle properties(H5Dget_create_plist(data), H5Pclose, "read a column");
  const H5D_layout_t layout = H5Pget_layout(properties);
  if ((layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) ||
      H5Pget_external_count(properties) != 0)
    throw TraceError("column '" + name + "' is stored outside the file");
}

hsize_t Length(hid_t data, const std::string& name) {
  const Handle space(H5Dget_space(data), H5Sclose, "read a column");
  if (H5Sget_simple_extent_ndims(space) != 1) throw TraceError("column '" + name + "' is not a list");
  hsize_t length = 0;
  Check(H5Sget_simple_extent_dims(space, &length, nullptr), "read a column");
  return length;
}

hid_t CreateImage() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a file");
  Check(H5Pset_fapl_core(access, 1 << 16, 0), "make a file in memory");
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "make a file");
  Check(H5Pset_sym_k(creation, 2, 4), "make a file");  // small nodes: groups have few members
  return H5Fcreate(NewName().c_str(), H5F_ACC_TRUNC, creation, access);
}

hid_t OpenImage(std::string_view bytes) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "open it");
  Check(H5Pset_fapl_core(access, 1 << 20, 0), "open it");
  // HDF5 copies the bytes.
  Check(H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()), "open it");  // NOLINT
  return H5Fopen(NewName().c_str(), H5F_ACC_RDONLY, access);
}

std::string ImageOf(hid_t file) {
  Check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush a file");
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0) Fail("make a file image");
  std::string image(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, image.data(), image.size()) < 0) Fail("make a file image");
  return image;
}

}  // namespace okbench::hdf5
