#pragma once
// LabelMap: how a data file writes its classes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// Turns the label of a row, as written in the file, into a class index. Without classes a row starts with
/// its real target instead.
class LabelMap {
 public:
  /// `tokens[c]` is how the file writes class c. Numbers match by value ("1", "1.0", "+1").
  explicit LabelMap(std::vector<std::string> tokens);
  std::optional<std::int32_t> Find(std::string_view token) const;
  std::size_t classes() const { return tokens_.size(); }
  const std::vector<std::string>& tokens() const { return tokens_; }
  /// "1, 2, ..., 10", for messages.
  std::string Allowed() const;

 private:
  std::vector<std::string> tokens_;
  std::vector<double> numbers_;  // NaN for tokens that are no numbers
};

}  // namespace okbench
