#include "datasets/readers.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "datasets/error.h"

namespace okbench {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A number that spans the whole token; a leading '+' is allowed.
template <class T>
bool ParseWhole(std::string_view token, T& value) {
  if (!token.empty() && token.front() == '+') token.remove_prefix(1);
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  return error == std::errc() && end == token.data() + token.size() && !token.empty();
}

// A token for a message: cut when it is long, '?' for bytes that are no plain text.
std::string Shown(std::string_view token) {
  constexpr std::size_t kLongest = 40;
  std::string text(token.substr(0, kLongest));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text + (token.size() > kLongest ? "..." : "");
}

// One line of a text file, read token by token; knows where it is for messages.
class LineReader {
 public:
  LineReader(const std::string& file, std::string_view line, std::size_t number)
      : file_(file), line_(line), number_(number) {}

  void SkipBlanks() {
    while (at_ < line_.size() && IsBlank(line_[at_])) ++at_;
  }
  bool AtEnd() const { return at_ >= line_.size(); }
  char Peek() const { return AtEnd() ? '\0' : line_[at_]; }
  void Skip(std::size_t count) { at_ += count; }

  std::string_view Until(char stop) {
    start_ = at_;
    while (at_ < line_.size() && line_[at_] != stop && !(stop == ' ' && IsBlank(line_[at_]))) ++at_;
    std::string_view token = line_.substr(start_, at_ - start_);
    while (!token.empty() && IsBlank(token.back())) token.remove_suffix(1);
    return token;
  }

  // A number at the present place, up to a blank, the stop character or the end.
  template <class T>
  T Number(char stop, const char* what) {
    start_ = at_;
    const char* begin = line_.data() + at_;
    if (begin < line_.data() + line_.size() && *begin == '+') ++begin;
    T value{};
    auto [end, error] = std::from_chars(begin, line_.data() + line_.size(), value);
    if constexpr (std::is_floating_point_v<T>) {
      // Too small for T is a zero (or a denormal); too large is not finite.
      long double wide = 0;
      if (error == std::errc::result_out_of_range &&
          std::from_chars(begin, line_.data() + line_.size(), wide).ec == std::errc() &&
          std::fabs(wide) < 1) {
        value = static_cast<T>(wide);
        error = std::errc();
      }
    }
    const auto after = static_cast<std::size_t>(end - line_.data());
    const bool stops = after == line_.size() || line_[after] == stop || IsBlank(line_[after]);
    if (error != std::errc() || !stops) {
      at_ = start_;
      Fail("'" + Shown(Until(stop)) + "' is not " + what);
    }
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value)) Fail("a value is not finite");
    at_ = after;
    return value;
  }

  [[noreturn]] void Fail(const std::string& cause) const {
    throw DataError(file_, number_, start_ + 1, cause);
  }

  // The label of a row, or its real target, up to the stop character.
  template <class T>
  void Target(char stop, const LabelMap& labels, RawRows<T>& rows) {
    if (labels.classes() > 0) {
      rows.labels.push_back(Label(Until(stop), labels));
      return;
    }
    rows.real.targets.push_back(Number<double>(stop, "a target"));
    rows.labels.push_back(0);
  }

  std::int32_t Label(std::string_view token, const LabelMap& labels) const {
    const auto label = labels.Find(token);
    if (!label) Fail("label '" + Shown(token) + "' is out of range; allowed are " + labels.Allowed());
    return *label;
  }

 private:
  const std::string& file_;
  std::string_view line_;
  std::size_t number_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
};

// Calls read(LineReader&) for each line that is not blank.
template <class Read>
void ForEachLine(const std::string& file, std::string_view text, const Read& read) {
  std::size_t number = 0;
  std::size_t rows = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    LineReader reader(file, line, ++number);
    reader.SkipBlanks();
    if (reader.AtEnd()) continue;
    read(reader);
    ++rows;
  }
  if (rows == 0) throw DataError(file, 0, 0, "the data set is empty");
}

std::uint32_t BigEndian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// Checks an IDX header: magic, then the sizes; returns the number of items.
std::size_t IdxItems(const std::string& file, std::string_view bytes, std::uint32_t magic,
                     std::size_t dimensions, std::size_t item_bytes) {
  const std::size_t header = 4 + 4 * dimensions;
  if (bytes.size() < header || BigEndian(bytes, 0) != magic)
    throw DataError(file, 0, 0, "is not an IDX file with magic number " + std::to_string(magic));
  std::size_t per_item = 1;
  for (std::size_t d = 1; d < dimensions; ++d) per_item *= BigEndian(bytes, 4 + 4 * d);
  const std::size_t items = BigEndian(bytes, 4);
  if (per_item != item_bytes)
    throw DataError(
        file, 0, 0,
        "holds items of " + std::to_string(per_item) + " bytes, expected " + std::to_string(item_bytes));
  if (bytes.size() != header + items * per_item)
    throw DataError(file, 0, 0,
                    "holds " + std::to_string(bytes.size()) + " bytes, but its header promises " +
                        std::to_string(header + items * per_item));
  if (items == 0) throw DataError(file, 0, 0, "the data set is empty");
  return items;
}

}  // namespace

LabelMap::LabelMap(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
  for (const std::string& token : tokens_) {
    double number = 0;
    numbers_.push_back(ParseWhole(token, number) ? number : std::numeric_limits<double>::quiet_NaN());
  }
}

std::optional<std::int32_t> LabelMap::Find(std::string_view token) const {
  for (std::size_t c = 0; c < tokens_.size(); ++c)
    if (tokens_[c] == token) return static_cast<std::int32_t>(c);
  double number = 0;
  if (!ParseWhole(token, number)) return std::nullopt;
  for (std::size_t c = 0; c < numbers_.size(); ++c)
    if (numbers_[c] == number) return static_cast<std::int32_t>(c);
  return std::nullopt;
}

std::string LabelMap::Allowed() const {
  if (tokens_.size() > 4) return tokens_[0] + ", " + tokens_[1] + ", ..., " + tokens_.back();
  std::string text;
  for (std::size_t c = 0; c < tokens_.size(); ++c) text += (c ? ", " : "") + tokens_[c];
  return text;
}

template <class T>
RawRows<T> ReadLibsvm(const std::string& file, std::string_view text, std::size_t features,
                      const LabelMap& labels) {
  RawRows<T> rows;
  rows.features = features;
  rows.offsets.push_back(0);
  ForEachLine(file, text, [&](LineReader& line) {
    line.Target(' ', labels, rows);
    std::uint32_t last = 0;
    for (line.SkipBlanks(); !line.AtEnd(); line.SkipBlanks()) {
      const auto index = line.Number<std::uint32_t>(':', "a feature index");
      if (line.Peek() != ':') line.Fail("expected index:value");
      if (index < 1 || index > features)
        line.Fail("feature index " + std::to_string(index) + " is outside 1.." + std::to_string(features));
      if (index <= last) line.Fail("feature indices must increase");
      last = index;
      line.Skip(1);
      const T value = line.Number<T>(' ', "a number");
      if (value == 0) continue;
      rows.indices.push_back(index - 1);
      rows.values.push_back(value);
    }
    rows.offsets.push_back(rows.values.size());
  });
  return rows;
}

template <class T>
RawRows<T> ReadDelimited(const std::string& file, std::string_view text, char separator, std::size_t features,
                         const LabelMap& labels) {
  RawRows<T> rows;
  rows.features = features;
  ForEachLine(file, text, [&](LineReader& line) {
    line.Target(separator, labels, rows);
    std::size_t count = 0;
    for (;;) {
      line.SkipBlanks();
      if (line.AtEnd()) break;
      if (separator != ' ') {
        if (line.Peek() != separator) line.Fail(std::string("expected '") + separator + "'");
        line.Skip(1);
        line.SkipBlanks();
      }
      const T value = line.Number<T>(separator, "a number");
      if (++count > features) line.Fail("the row has more than " + std::to_string(features) + " features");
      rows.values.push_back(value);
    }
    if (count < features)
      line.Fail("the row has " + std::to_string(count) + " features, expected " + std::to_string(features));
  });
  return rows;
}

template <class T>
RawRows<T> ReadIdx(const std::string& image_file, std::string_view images, const std::string& label_file,
                   std::string_view label_bytes, std::size_t features, const LabelMap& labels) {
  const std::size_t count = IdxItems(image_file, images, 2051, 3, features);
  if (IdxItems(label_file, label_bytes, 2049, 1, 1) != count)
    throw DataError(label_file, 0, 0, "has not as many labels as " + image_file + " has images");
  RawRows<T> rows;
  rows.features = features;
  rows.values.reserve(count * features);
  for (const char c : images.substr(16)) rows.values.push_back(static_cast<T>(static_cast<unsigned char>(c)));
  for (std::size_t i = 0; i < count; ++i) {
    const int written = static_cast<unsigned char>(label_bytes[8 + i]);
    const auto label = labels.Find(std::to_string(written));
    if (!label)
      throw DataError(label_file, 0, 0,
                      "label " + std::to_string(written) + " of item " + std::to_string(i) +
                          " is out of range; allowed are " + labels.Allowed());
    rows.labels.push_back(*label);
  }
  return rows;
}

#define OKBENCH_INSTANTIATE(T)                                                                               \
  template RawRows<T> ReadLibsvm<T>(const std::string&, std::string_view, std::size_t, const LabelMap&);     \
  template RawRows<T> ReadDelimited<T>(const std::string&, std::string_view, char, std::size_t,              \
                                       const LabelMap&);                                                     \
  template RawRows<T> ReadIdx<T>(const std::string&, std::string_view, const std::string&, std::string_view, \
                                 std::size_t, const LabelMap&);
OKBENCH_INSTANTIATE(float)
OKBENCH_INSTANTIATE(double)
#undef OKBENCH_INSTANTIATE

}  // namespace okbench
