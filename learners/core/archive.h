#pragma once
// Archive: serializes the state of a learner, field by field. One function of a class both writes and reads:
//
//   void Serialize(Archive& archive) { archive.Field("t", t_); archive.Field("members", members_); }
//
// Fields are read in the order in which they were written. A field stores its name, type, value count and
// values, all little-endian, so archives are identical on every machine and every number is restored bit for
// bit. Reading checks name, type and count. Not thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace okbench {

/// Features that were added to all rows after an archive was written. They are 0 in its rows.
struct AddedFeatures {
  std::size_t count = 0;  ///< 0: none
  std::size_t at = 0;     ///< feature before which they are inserted
  bool sparse = false;    ///< the rows become sparse
};

class Archive {
 public:
  /// An empty archive to write to.
  Archive() = default;
  /// An archive to read from; `bytes` is the bytes() of a written one.
  explicit Archive(std::string bytes) : reading_(true), bytes_(std::move(bytes)) {}

  bool reading() const { return reading_; }
  /// Reads the state of a learner whose rows lacked some features: see AddedFeatures. For a state whose
  /// writer is known; the files of users have no added features.
  void Add(AddedFeatures added) { added_ = added; }
  const AddedFeatures& added() const { return added_; }
  /// The serialized bytes.
  const std::string& bytes() const { return bytes_; }

  /// Serializes one number, bool or enumerator. When reading, this and every function below throws
  /// InvalidArgument if the next field has another name, type or count.
  template <class V>
  requires std::is_arithmetic_v<V> || std::is_enum_v<V>
  void Field(const char* name, V& value) { Values(name, &value, 1); }

  /// Serializes a list of numbers. Reading resizes it.
  template <class V, class Allocator>
  requires std::is_arithmetic_v<V>
  void Field(const char* name, std::vector<V, Allocator>& values) {
    const std::size_t count = Head(name, TypeOf<V>(), sizeof(V), values.size());
    if (reading_) values.resize(count);
    Move(values.data(), sizeof(V), count);
  }
  void Field(const char* name, std::vector<bool>& values);

  template <class V, std::size_t kCount>
  void Field(const char* name, std::array<V, kCount>& values) {
    Values(name, values.data(), kCount);
  }

  /// Serializes a list of fixed length. Reading throws InvalidArgument if the stored length differs from
  /// values.size().
  template <class V>
  void Fixed(const char* name, V& values) {
    Values(name, values.data(), values.size());
  }

  /// Serializes `count` contiguous numbers, like Fixed().
  template <class V>
  void Values(const char* name, V* values, std::size_t count) {
    const std::size_t have = Head(name, TypeOf<V>(), sizeof(V), count);
    if (have != count) Fail(name, "has " + std::to_string(have) + " values, not " + std::to_string(count));
    Move(values, sizeof(V), count);
  }

  /// Ends reading. Throws InvalidArgument if unread fields remain.
  void Finish() const;
  /// Throws InvalidArgument("state: field 'NAME' CAUSE").
  [[noreturn]] static void Fail(const char* name, const std::string& cause);

 private:
  template <class V>
  static constexpr char TypeOf() {
    if (std::is_floating_point_v<V>) return 'f';
    if (std::is_same_v<V, bool>) return 'b';
    return std::is_enum_v<V> || std::is_unsigned_v<V> ? 'u' : 'i';
  }
  // Writes or reads name, type and count of a field; returns the count.
  std::size_t Head(const char* name, char type, std::size_t width, std::size_t count);
  void Move(void* values, std::size_t width, std::size_t count);
  std::uint64_t Whole(std::uint64_t value);

  bool reading_ = false;
  AddedFeatures added_;
  std::string bytes_;
  std::size_t place_ = 0;
};

}  // namespace okbench
