#pragma once
// HDF5 files in memory: what trace_image.cpp and segment.cpp have in common.
//
// HDF5 is not thread-safe. REQUIRES for every function and handle here: the caller holds the lock of Lock().

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace okbench::hdf5 {

/// Largest factor by which deflate compresses. Limits the values that a file of some size can have, so that
/// forged sizes allocate no more memory.
inline constexpr std::size_t kMaxCompression = 1032;

/// Locks HDF5 and disables its printing of error stacks.
std::unique_lock<std::mutex> Lock();

/// Throws std::bad_alloc if HDF5 ran out of memory, else TraceError. `what` completes "HDF5 cannot ...".
[[noreturn]] void Fail(const char* what);

/// Calls Fail(what) for a negative status.
void Check(herr_t status, const char* what);

/// Owns one HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close, const char* what);
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): used like the identifier

 private:
  hid_t id_;
  Close close_;
};

/// Write and read attributes of an object. The readers throw TraceError for a missing or unsuitable one.
void PutText(hid_t object, const std::string& name, const std::string& text);
void PutNumber(hid_t object, const std::string& name, std::int64_t value);
std::string GetText(hid_t object, const char* name);
std::int64_t GetNumber(hid_t object, const char* name);

/// Throws TraceError unless `name` is a direct member of the group, by a hard link: other links lead to other
/// objects, or to other files.
void RequireMember(hid_t group, const std::string& name);

/// Throws TraceError unless the values of a data set are in this file: not in external files, and not mapped
/// from other data sets.
void RequireStoredHere(hid_t data, const std::string& name);

/// The number of elements of a data set of one dimension. Throws TraceError for other dimensions.
hsize_t Length(hid_t data, const std::string& name);

/// An identifier of a new, empty file in memory, or of one with these bytes, which HDF5 copies.
hid_t CreateImage();
hid_t OpenImage(std::string_view bytes);

/// The bytes of a file in memory.
std::string ImageOf(hid_t file);

}  // namespace okbench::hdf5
