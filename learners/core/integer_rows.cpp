#include "learners/core/integer_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"

namespace okbench {

bool IntegerScale::Fits(std::size_t features) const {
  constexpr std::int32_t kLowest = std::numeric_limits<std::int16_t>::min();
  constexpr std::int32_t kHighest = std::numeric_limits<std::int16_t>::max();
  // The instruction vpmaddwd overflows when it adds two products (-32768)^2, so -32768 is excluded.
  if (low > high || low <= kLowest || high > kHighest) return false;
  const auto most = static_cast<double>(std::max({std::abs(low), std::abs(high), high - low}));
  return most * most * static_cast<double>(features) < 0x1p31;
}

IntegerRows::IntegerRows(const IntegerScale& scale, std::size_t features)
    : scale_(scale), features_(features), stride_((features * (scale.bytes() ? 1 : 2) + 3) / 4 * 4) {
  if (!std::isfinite(scale.scale) || !(scale.scale > 0) || !scale.Fits(features))
    throw InvalidArgument("integers from " + std::to_string(scale.low) + " to " + std::to_string(scale.high) +
                          " in " + std::to_string(features) + " features overflow exact 32-bit sums");
}

void IntegerRows::Add(std::span<const std::int32_t> numbers) {
  if (numbers.size() != features_)
    throw InvalidArgument("a row has " + std::to_string(numbers.size()) + " integers, not " +
                          std::to_string(features_));
  // Branch-free, so that the compiler vectorises the loop.
  std::int32_t lowest = scale_.low, highest = scale_.high, sum = 0, norm = 0;
  for (const std::int32_t n : numbers) {
    lowest = std::min(lowest, n);
    highest = std::max(highest, n);
  }
  if (lowest < scale_.low || highest > scale_.high)
    throw InvalidArgument("an integer is out of range: must be from " + std::to_string(scale_.low) + " to " +
                          std::to_string(scale_.high));
  codes_.resize(codes_.size() + stride_);
  std::uint8_t* const to = codes_.data() + codes_.size() - stride_;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    const std::int32_t n = numbers[j];
    sum += n;
    norm += n * n;
    if (scale_.bytes()) {
      to[j] = static_cast<std::uint8_t>(n);
    } else {
      const auto word = static_cast<std::int16_t>(n);
      std::memcpy(to + 2 * j, &word, sizeof(word));
    }
  }
  squared_norms_.push_back(norm);
  sums_.push_back(sum);
}

void IntegerRows::Add(const IntegerRows& other, std::size_t i) {
  if (!(other.scale_ == scale_) || other.features_ != features_)
    throw InvalidArgument("cannot join integer rows with different scales or features");
  codes_.insert(codes_.end(), other.codes(i), other.codes(i) + stride_);
  squared_norms_.push_back(other.squared_norms_[i]);
  sums_.push_back(other.sums_[i]);
}

std::int32_t IntegerRows::number(std::size_t i, std::size_t feature) const {
  if (scale_.bytes()) return codes(i)[feature];
  std::int16_t word = 0;
  std::memcpy(&word, codes(i) + 2 * feature, sizeof(word));
  return word;
}

std::shared_ptr<const IntegerRows> SerializeIntegers(Archive& archive,
                                                     std::shared_ptr<const IntegerRows> rows,
                                                     std::size_t count, std::size_t features) {
  bool present = rows != nullptr;
  archive.Field("whole", present);
  if (!present) return nullptr;
  IntegerScale scale = rows ? rows->scale() : IntegerScale{};
  archive.Field("scale", scale.scale);
  archive.Field("unit_norm", scale.unit_norm);
  archive.Field("low", scale.low);
  archive.Field("high", scale.high);
  std::vector<std::int32_t> numbers;
  for (std::size_t i = 0; i < count && !archive.reading(); ++i)
    for (std::size_t j = 0; j < features; ++j) numbers.push_back(rows->number(i, j));
  archive.Field("numbers", numbers);
  if (!archive.reading()) return rows;
  if (numbers.size() != count * features) Archive::Fail("numbers", "does not fit the rows");
  auto read = std::make_shared<IntegerRows>(scale, features);
  for (std::size_t i = 0; i < count; ++i) read->Add(std::span(numbers).subspan(i * features, features));
  return read;
}

}  // namespace okbench
