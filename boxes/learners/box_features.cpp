#include "boxes/learners/box_features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "boxes/learners/box_tape.h"

namespace okbench {
namespace {

// Sums below this absolute value are exact; 64 bits hold twice as much.
constexpr double kRoom = static_cast<double>(std::int64_t{1} << 62) / kFixedPointOne;

bool HasRoom(double value) { return value > -kRoom && value < kRoom; }

// Rounds to the nearest multiple of 1 / kFixedPointOne.
std::int64_t Rounded(double value) {
  const double units = value * kFixedPointOne;
  return static_cast<std::int64_t>(units + std::copysign(0.5, units));
}

std::string KeyOf(const BoxList& list, std::size_t words, int levels) {
  return list.key() + " " + std::to_string(words) + " " + std::to_string(levels);
}

}  // namespace

BoxHistogram HistogramOf(const WordImage& image, const PointLines& lines, std::size_t words, int levels,
                         const Box& box) {
  BoxHistogram histogram;
  std::array<PointRange, kMaxCells> cells;
  lines.Cells(box, levels, cells);
  std::vector<std::uint32_t> counts(words);
  for (std::size_t cell = 0; cell < static_cast<std::size_t>(CellsOf(levels)); ++cell) {
    const PointRange& range = cells[cell];
    for (int p = 0; p < image.planes; ++p)
      for (int r = range.r0; r < range.r1; ++r)
        for (int c = range.c0; c < range.c1; ++c) ++counts[image.plane(p)[r * image.columns + c]];
    for (std::size_t w = 0; w < words; ++w) {
      if (counts[w] == 0) continue;
      histogram.entries.push_back({static_cast<std::uint32_t>(cell * words + w), counts[w]});
      histogram.square += std::uint64_t{counts[w]} * counts[w];
      histogram.total += counts[w];
      counts[w] = 0;
    }
  }
  return histogram;
}

std::uint64_t Magnitude(BoxKernel kernel, const BoxHistogram& histogram) {
  if (kernel == BoxKernel::kL2Linear) return histogram.square;
  return kernel == BoxKernel::kL1Linear ? histogram.total : 0;
}

double LinearFactor(BoxKernel kernel, std::uint64_t magnitude) {
  if (kernel == BoxKernel::kRawLinear) return kRawFactor;
  if (magnitude == 0) return 0;
  const auto value = static_cast<double>(magnitude);
  return kernel == BoxKernel::kL2Linear ? 1 / std::sqrt(value) : kL1Factor / value;
}

double KernelOf(BoxKernel kernel, const BoxHistogram& a, const BoxHistogram& b) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0, j = 0; i < a.entries.size() && j < b.entries.size();) {
    const auto &x = a.entries[i], &y = b.entries[j];
    if (x.place == y.place)
      sum +=
          kernel == BoxKernel::kIntersection ? std::min(x.count, y.count) : std::uint64_t{x.count} * y.count;
    i += x.place <= y.place ? 1 : 0;
    j += y.place <= x.place ? 1 : 0;
  }
  if (kernel == BoxKernel::kIntersection) return static_cast<double>(sum) * kIntersectionFactor;
  return static_cast<double>(sum) *
         (LinearFactor(kernel, Magnitude(kernel, a)) * LinearFactor(kernel, Magnitude(kernel, b)));
}

BoxImage::BoxImage(const WordImage& image, const BoxList& list)
    : image_(&image), list_(&list), lines_(image) {
  // Counts of points are 16-bit integers.
  if (image.points.size() > std::numeric_limits<std::uint16_t>::max())
    throw InvalidArgument("image " + image.name + " has " + std::to_string(image.points.size()) +
                          " points with words; the maximum is 65535: scale the image down");
  by_column_.reserve(image.points.size());
  for (int c = 0; c < image.columns; ++c)
    for (int p = 0; p < image.planes; ++p)
      for (int r = 0; r < image.rows; ++r) by_column_.push_back(image.plane(p)[r * image.columns + c]);
}

std::shared_ptr<const std::vector<double>> BoxImage::LinearFactors(BoxKernel kernel, std::size_t words,
                                                                   int levels) const {
  const std::string key = KeyOf(*list_, words, levels) + " " + std::to_string(static_cast<int>(kernel));
  return image_->derived.Get<std::vector<double>>(key, [&] {
    std::vector<std::uint64_t> magnitudes;
    if (kernel == BoxKernel::kL2Linear) {
      magnitudes = TableSquares(*this, words, levels);
      if (magnitudes.empty()) magnitudes = SlideSquares(*this, words, levels);
    } else if (kernel == BoxKernel::kL1Linear) {
      // The cells of each level divide the box.
      for (std::size_t b = 0; b < list_->size(); ++b) {
        const Box& box = (*list_)[b];
        const PointRange range = {lines_.column(box.left), lines_.column(box.right), lines_.row(box.top),
                                  lines_.row(box.bottom)};
        magnitudes.push_back(static_cast<std::uint64_t>(levels * image_->planes) * range.points());
      }
    } else {
      magnitudes.resize(list_->size());
    }
    std::vector<double> factors(magnitudes.size());
    std::transform(magnitudes.begin(), magnitudes.end(), factors.begin(),
                   [&](std::uint64_t magnitude) { return LinearFactor(kernel, magnitude); });
    return std::make_shared<const std::vector<double>>(std::move(factors));
  });
}

std::shared_ptr<const BoxTape> BoxImage::Tape(std::size_t words, int levels) const {
  return image_->derived.Get<BoxTape>(KeyOf(*list_, words, levels),
                                      [&] { return std::make_shared<const BoxTape>(*this, words, levels); });
}

BoxFunction::BoxFunction(BoxKernel kernel, std::size_t words, int levels)
    : kernel_(kernel), words_(words), levels_(levels) {
  const std::size_t places = words * static_cast<std::size_t>(CellsOf(levels));
  if (kernel == BoxKernel::kIntersection)
    places_.resize(places);
  else
    weights_.resize(places);
}

void BoxFunction::Clear() {
  std::fill(weights_.begin(), weights_.end(), 0);
  std::fill(places_.begin(), places_.end(), Place{});
  pool_.assign(1, 0);
  mass_ = 0;
  broken_ = false;
}

void BoxFunction::Reserve(Place& place, std::uint32_t length) {
  if (length > place.capacity) {
    const auto first = static_cast<std::uint32_t>(pool_.size());
    const std::uint32_t capacity = std::max(length, 2 * place.capacity);
    pool_.resize(pool_.size() + capacity + 1);
    std::copy_n(pool_.begin() + place.first, place.length, pool_.begin() + first);
    place = {first, place.length, capacity};
  }
  place.length = std::max(place.length, length);
}

// Converts to units. A NaN, or a value outside the exact range, makes all scores of the function NaN.
std::int64_t BoxFunction::Units(double value) {
  broken_ = broken_ || !HasRoom(value);
  return HasRoom(value) ? Rounded(value) : 0;
}

void BoxFunction::Move(const BoxHistogram& support, double from, double to) {
  // mass_ is an upper bound on the sum over the points of any box.
  double points = 0;
  for (const BoxHistogram::Entry& entry : support.entries) points += entry.count;
  mass_ += (std::abs(to) - std::abs(from)) * points;
  if (kernel_ == BoxKernel::kIntersection) {
    const std::int64_t change = Units(to) - (from == 0 ? 0 : Units(from));
    if (change == 0) return;
    for (const BoxHistogram::Entry& entry : support.entries) {
      Place& place = places_[entry.place];
      Reserve(place, entry.count);
      std::int64_t* steps = pool_.data() + place.first;
      for (std::uint32_t c = 0; c < entry.count; ++c) steps[c] += change;
    }
    return;
  }
  const double factor = LinearFactor(kernel_, Magnitude(kernel_, support));
  for (const auto& [coefficient, sign] : {std::pair{to, 1}, std::pair{from, -1}}) {
    if (coefficient == 0) continue;
    if (!HasRoom(coefficient)) {
      broken_ = true;
      return;
    }
    for (const BoxHistogram::Entry& entry : support.entries)
      weights_[entry.place] += sign * Units(coefficient * (entry.count * factor));
  }
}

bool BoxFunction::Fits(std::size_t points) const {
  if (broken_) return false;
  if (kernel_ == BoxKernel::kIntersection) return mass_ < kRoom;
  std::int64_t largest = 0;
  for (const std::int64_t weight : weights_) largest = std::max(largest, std::abs(weight));
  return static_cast<double>(largest) / kFixedPointOne * static_cast<double>(points) * levels_ < kRoom;
}

double BoxFunction::Score(const BoxHistogram& box) const {
  if (broken_ || mass_ >= kRoom) return std::numeric_limits<double>::quiet_NaN();
  std::int64_t sum = 0;
  for (const BoxHistogram::Entry& entry : box.entries) {
    if (kernel_ == BoxKernel::kIntersection) {
      const auto contributions = steps(entry.place);
      for (std::size_t c = 0; c < std::min<std::size_t>(entry.count, contributions.size()); ++c)
        sum += contributions[c];
    } else {
      sum += weights_[entry.place] * entry.count;
    }
  }
  return kernel_ == BoxKernel::kIntersection
             ? IntersectionScore(sum)
             : LinearScore(sum, LinearFactor(kernel_, Magnitude(kernel_, box)));
}

}  // namespace okbench
