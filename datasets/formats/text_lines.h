#pragma once
// Text files, line by line and token by token; in a header for the speed of each format's loop.

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "learners/core/error.h"
#include "datasets/label_map.h"
#include "datasets/raw_rows.h"

namespace okbench::formats {

inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// A token for a message: cut when it is long, '?' for bytes that are no plain text.
inline std::string Shown(std::string_view token) {
  constexpr std::size_t kLongest = 40;
  std::string text(token.substr(0, kLongest));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text + (token.size() > kLongest ? "..." : "");
}

/// One line of a text file, read token by token; knows where it is for messages.
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

  /// A number at the present place, up to a blank, the stop character or the end.
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

  /// The label of a row, or its real target, up to the stop character.
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

/// Calls read(LineReader&) for each line that is not blank. Throws DataError when there is none.
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

}  // namespace okbench::formats
