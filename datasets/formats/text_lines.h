#pragma once
// Readers of text files by line and by token. Inline, because they run in the inner loop of each format.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "datasets/rows/label_map.h"
#include "datasets/rows/raw_rows.h"

namespace okbench::formats {

inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// A word in lower case; only the letters A to Z change.
inline std::string LowerCase(std::string_view word) {
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// Returns a token for a message: at most 40 characters, with '?' for bytes outside printable ASCII.
inline std::string Shown(std::string_view token) {
  constexpr std::size_t kLongest = 40;
  std::string text(token.substr(0, kLongest));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text + (token.size() > kLongest ? "..." : "");
}

/// Reads one line of a text file token by token. Error messages contain file, line and column of the last
/// token. Keeps a reference to `file`, which must outlive the reader.
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

  /// Whether this is the first line and its second field is the number of features, but it has too few or too
  /// many fields for a row with a label: "ROWS,FEATURES,NAME,...", as scikit-learn's files begin.
  bool CountsRows(char separator, std::size_t features) const {
    if (number_ != 1) return false;
    const auto separators = static_cast<std::size_t>(std::count(line_.begin(), line_.end(), separator));
    const std::size_t second = line_.find(separator) + 1;
    return separators > 0 && separators != features &&
           line_.substr(second, line_.find(separator, second) - second) == std::to_string(features);
  }

  /// Reads the token up to `stop` or the end, without trailing blanks. ' ' stops at any blank. Does not skip
  /// `stop`.
  std::string_view Until(char stop) {
    start_ = at_;
    while (at_ < line_.size() && line_[at_] != stop && !(stop == ' ' && IsBlank(line_[at_]))) ++at_;
    std::string_view token = line_.substr(start_, at_ - start_);
    while (!token.empty() && IsBlank(token.back())) token.remove_suffix(1);
    return token;
  }

  /// Reads a number up to a blank, `stop` or the end. Fails with "... is not `what`".
  template <class T>
  T Number(char stop, const char* what) {
    start_ = at_;
    const char* begin = line_.data() + at_;
    if (begin < line_.data() + line_.size() && *begin == '+') ++begin;
    T value{};
    auto [end, error] = std::from_chars(begin, line_.data() + line_.size(), value);
    if constexpr (std::is_floating_point_v<T>) {
      // A value too small for T becomes zero or a denormal. A value too large for T is an error.
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

  /// Number of the line in its file, from 1.
  std::size_t number() const { return number_; }
  /// Throws DataError at the start of the last token.
  [[noreturn]] void Fail(const std::string& cause) const {
    throw DataError(file_, number_, start_ + 1, cause);
  }

  /// Reads the label of a row, or its real target if `labels` has no classes, and appends it to `rows`.
  template <class T>
  void Target(char stop, const LabelMap& labels, RawRows<T>& rows) {
    if (labels.classes() > 0) {
      rows.labels.push_back(Label(Until(stop), labels));
      return;
    }
    rows.real.targets.push_back(Number<double>(stop, "a target"));
    rows.labels.push_back(0);
  }

  /// Returns the class of a label. Fails if the label is unknown.
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

/// Calls read(LineReader&) for each non-blank line. Throws DataError if all lines are blank.
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
