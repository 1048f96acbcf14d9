#include "harness/trace/segment.h"

#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/inner_file.h"
#include "base/sha256.h"
#include "base/whole_file.h"
#include "harness/trace/hdf5_image.h"
#include "harness/trace/user_block.h"

namespace okbench {
namespace segments {

using hdf5::Check;
using hdf5::Handle;

// An open list of a segment.
class List {
 public:
  List(hid_t file, const char* name, std::size_t most)
      : data_((hdf5::RequireMember(file, name), H5Dopen2(file, name, H5P_DEFAULT)), H5Dclose, "open a list"),
        length_(hdf5::Length(data_, name)) {
    hdf5::RequireStoredHere(data_, name);
    if (length_ > most) throw TraceError(std::string("list '") + name + "' claims more than fits the file");
  }

  hsize_t length() const { return length_; }
  hid_t data() const { return data_; }

  // The elements [first, first + count) as values of `type`.
  void Read(hsize_t first, hsize_t count, hid_t type, void* values) const {
    if (count == 0) return;
    const Handle file_space(H5Dget_space(data_), H5Sclose, "read a list");
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose, "read a list");
    Check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &first, nullptr, &count, nullptr), "read a list");
    Check(H5Dread(data_, type, memory, file_space, H5P_DEFAULT, values), "read a list");
  }

 private:
  Handle data_;
  hsize_t length_;
};

// Texts one after another.
class Texts {
 public:
  Texts(hid_t file, const std::string& name, std::size_t count, std::size_t most)
      : list_(file, name.c_str(), most), ends_(count) {
    const List ends(file, (name + "_end").c_str(), most);
    if (ends.length() != count) throw TraceError("its lists differ in length");
    ends.Read(0, count, H5T_NATIVE_INT64, ends_.data());
    std::int64_t before = 0;
    for (const std::int64_t end : ends_) {
      if (end < before) throw TraceError("positions of '" + name + "' decrease");
      before = end;
    }
    if (static_cast<hsize_t>(before) != list_.length())
      throw TraceError("positions of '" + name + "' do not cover the list");
  }

  std::string At(std::size_t i) const { return Slice(i == 0 ? 0 : ends_[i - 1], ends_[i]); }

  std::vector<std::string> All() const {
    const std::string all = Slice(0, ends_.empty() ? 0 : ends_.back());
    std::vector<std::string> texts;
    std::int64_t before = 0;
    for (const std::int64_t end : ends_) {
      texts.push_back(all.substr(static_cast<std::size_t>(before), static_cast<std::size_t>(end - before)));
      before = end;
    }
    return texts;
  }

 private:
  std::string Slice(std::int64_t from, std::int64_t to) const {
    std::string text(static_cast<std::size_t>(to - from), '\0');
    list_.Read(static_cast<hsize_t>(from), text.size(), H5T_NATIVE_UINT8, text.data());
    return text;
  }

  List list_;
  std::vector<std::int64_t> ends_;
};

}  // namespace segments

namespace {

using segments::List;
using segments::Texts;

namespace fs = std::filesystem;
using hdf5::Check;
using hdf5::Handle;

constexpr std::string_view kSegmentMagic = "okbench-segment 1\n";
constexpr std::int64_t kSegmentFormat = 1;
constexpr hsize_t kChunk = 1 << 18;    // bytes that are compressed together
constexpr std::size_t kMaxName = 255;  // longest file name, in bytes
constexpr const char* kPrefix = "segment-";

void PutList(hid_t file, const std::string& name, hid_t type, hsize_t length, const void* values) {
  const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose, "make a list");
  const Handle data(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Dclose, "make a list");
  if (length > 0) Check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write a list");
}

// Texts one after another, compressed.
class Compressed {
 public:
  // REQUIRES: the texts are not all empty. Does not call HDF5, so that other threads can.
  Compressed(const std::vector<PackedTrial>& trials, std::string PackedTrial::*member) {
    std::string all;
    for (const PackedTrial& trial : trials) {
      all += trial.*member;
      ends_.push_back(static_cast<std::int64_t>(all.size()));
    }
    size_ = all.size();
    chunk_ = std::min<hsize_t>(size_, kChunk);
    all.resize((size_ + chunk_ - 1) / chunk_ * chunk_, '\0');
    for (std::size_t start = 0; start < all.size(); start += chunk_) {
      uLongf size = compressBound(chunk_);
      std::string& chunk = chunks_.emplace_back(size, '\0');
      const auto* bytes = reinterpret_cast<const Bytef*>(all.data() + start);
      if (compress2(reinterpret_cast<Bytef*>(chunk.data()), &size, bytes, chunk_, kLevel) != Z_OK)
        throw std::bad_alloc();
      chunk.resize(size);
    }
  }

  void Put(hid_t file, const std::string& name) const {
    const Handle space(H5Screate_simple(1, &size_, nullptr), H5Sclose, "make a list");
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a list");
    Check(H5Pset_obj_track_times(properties, false), "make a list");
    Check(H5Pset_chunk(properties, 1, &chunk_), "make a list");
    Check(H5Pset_deflate(properties, kLevel), "make a list");
    const Handle data(
        H5Dcreate2(file, name.c_str(), H5T_STD_U8LE, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
        "make a list");
    for (hsize_t i = 0; i < chunks_.size(); ++i) {
      const hsize_t first = i * chunk_;
      Check(H5Dwrite_chunk(data, H5P_DEFAULT, 0, &first, chunks_[i].size(), chunks_[i].data()),
            "write a list");
    }
    PutList(file, name + "_end", H5T_STD_I64LE, ends_.size(), ends_.data());
  }

 private:
  static constexpr int kLevel = 3;  // of zlib

  hsize_t size_ = 0, chunk_ = 0;
  std::vector<std::int64_t> ends_;
  std::vector<std::string> chunks_;
};

Handle NameType(std::size_t size) {
  return {[size] {
            const hid_t type = H5Tcopy(H5T_C_S1);
            H5Tset_size(type, size);
            H5Tset_cset(type, H5T_CSET_UTF8);
            return type;
          }(),
          H5Tclose, "make a text type"};
}

void PutNames(hid_t file, const std::vector<PackedTrial>& trials) {
  std::size_t longest = 1;
  for (const PackedTrial& trial : trials) longest = std::max(longest, trial.file.size());
  std::string all;
  for (const PackedTrial& trial : trials) all += trial.file + std::string(longest - trial.file.size(), '\0');
  PutList(file, "file", NameType(longest), trials.size(), all.data());
}

std::string MakeImage(const std::vector<PackedTrial>& trials) {
  const Compressed traces(trials, &PackedTrial::trace), rows(trials, &PackedTrial::row);
  const auto lock = hdf5::Lock();
  const Handle file(hdf5::CreateImage(), H5Fclose, "make a file");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  hdf5::PutNumber(file, "format", kSegmentFormat);
  hdf5::PutNumber(file, "created", std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  PutNames(file, trials);
  traces.Put(file, "trace");
  rows.Put(file, "row");
  return hdf5::ImageOf(file);
}

std::vector<std::string> GetNames(hid_t file, std::size_t most) {
  const List list(file, "file", most);
  const Handle stored(H5Dget_type(list.data()), H5Tclose, "read a type");
  const std::size_t size = H5Tget_size(stored);
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) > 0 || size == 0 || size > kMaxName)
    throw TraceError("its list of files has no names");
  if (list.length() > most / size) throw TraceError("list 'file' claims more than fits the file");
  std::string all(list.length() * size, '\0');
  list.Read(0, list.length(), NameType(size), all.data());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list.length(); ++i) {
    std::string name = all.substr(i * size, size);
    name.resize(std::min(name.find('\0'), name.size()));
    if (!IsInnerName(name) || name.find('/') != std::string::npos)
      throw TraceError("one of its trials has an invalid file name");
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

struct Segment::Content {
  explicit Content(std::string_view image)
      : most(image.size() * hdf5::kMaxCompression),
        file(hdf5::OpenImage(image), H5Fclose, "open it"),
        files((RequireFormat(), GetNames(file, most))),
        created(hdf5::GetNumber(file, "created")),
        traces(file, "trace", files.size(), most),
        rows(file, "row", files.size(), most) {}

  void RequireFormat() const {
    if (const std::int64_t format = hdf5::GetNumber(file, "format"); format != kSegmentFormat)
      throw TraceError("format " + std::to_string(format) + ", expected " + std::to_string(kSegmentFormat));
  }

  std::size_t most;  // elements that a list can have
  Handle file;
  std::vector<std::string> files;
  std::int64_t created;
  Texts traces, rows;
};

bool IsSegment(const fs::path& path) {
  return path.extension() == ".h5" && path.filename().native().starts_with(kPrefix);
}

fs::path WriteSegment(const fs::path& folder, const std::vector<PackedTrial>& trials) {
  std::string bytes;
  try {
    bytes = WithUserBlock(kSegmentMagic, MakeImage(trials));
  } catch (const TraceError& error) {
    throw TraceError(folder.string() + ": " + error.what());
  }
  fs::path path = folder / (kPrefix + Sha256Hex(bytes).substr(0, 16) + ".h5");
  WriteFileAtomically(path.string(), bytes.data(), bytes.size());
  return path;
}

Segment::Segment(const fs::path& path) : path_(path) {
  const std::string bytes = WholeFile<TraceError>(path.string());
  try {
    const std::string_view image = VerifiedImage(kSegmentMagic, bytes);
    const auto lock = hdf5::Lock();
    content_ = std::make_unique<Content>(image);
  } catch (const TraceError& error) {
    throw TraceError(path.string() + ": not a valid segment: " + error.what());
  }
}

Segment::~Segment() {
  const auto lock = hdf5::Lock();
  content_.reset();
}

const std::vector<std::string>& Segment::files() const { return content_->files; }
std::int64_t Segment::created() const { return content_->created; }

std::string Segment::Trace(std::size_t i) const {
  const auto lock = hdf5::Lock();
  return content_->traces.At(i);
}

std::vector<std::string> Segment::Rows() const {
  const auto lock = hdf5::Lock();
  return content_->rows.All();
}

}  // namespace okbench
