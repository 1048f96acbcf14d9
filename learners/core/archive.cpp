#include "learners/core/archive.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace okbench {

void Archive::Fail(const char* name, const std::string& cause) {
  throw InvalidArgument(std::string("state: field '") + name + "' " + cause);
}

void Archive::Move(void* values, std::size_t width, std::size_t count) {
  const std::size_t size = width * count;
  if (size == 0) return;
  if (reading_) {
    std::memcpy(values, bytes_.data() + place_, size);
    place_ += size;
  } else {
    bytes_.append(static_cast<const char*>(values), size);
  }
  if constexpr (std::endian::native == std::endian::big) {
    char* first = reading_ ? static_cast<char*>(values) : bytes_.data() + bytes_.size() - size;
    for (std::size_t i = 0; i < count; ++i) std::reverse(first + i * width, first + (i + 1) * width);
  }
}

std::uint64_t Archive::Whole(std::uint64_t value) {
  if (reading_ && bytes_.size() - place_ < sizeof(value)) throw InvalidArgument("state: truncated");
  Move(&value, sizeof(value), 1);
  return value;
}

std::size_t Archive::Head(const char* name, char type, std::size_t width, std::size_t count) {
  const std::string head = std::string(name) + ':' + type + std::to_string(width);
  const std::uint64_t length = Whole(head.size());
  if (!reading_) {
    bytes_ += head;
    Whole(count);
    return count;
  }
  if (length != head.size() ||
      bytes_.compare(place_, std::min<std::size_t>(length, bytes_.size()), head) != 0)
    Fail(name, "not found; was the state written by another version or learner?");
  place_ += head.size();
  count = Whole(0);
  if (count > (bytes_.size() - place_) / width) Fail(name, "is truncated");
  if (type == 'b' &&
      bytes_.substr(place_, count).find_first_not_of(std::string_view("\0\1", 2)) != std::string::npos)
    Fail(name, "has a value that is neither 0 nor 1");
  return count;
}

void Archive::Field(const char* name, std::vector<bool>& values) {
  std::vector<std::uint8_t> bytes(values.begin(), values.end());
  Field(name, bytes);
  values.assign(bytes.begin(), bytes.end());
}

void Archive::Finish() const {
  if (reading_ && place_ != bytes_.size()) throw InvalidArgument("state: unread fields remain at the end");
}

}  // namespace okbench
