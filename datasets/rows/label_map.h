#pragma once
// LabelMap: from the labels in a data file to class indices.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace okbench {

/// Maps the label of a row, as written in the file, to a class index. A map without classes means that rows
/// have real targets instead of labels. Immutable.
class LabelMap {
 public:
  /// `tokens[c]` is the label of class c in the file.
  explicit LabelMap(std::vector<std::string> tokens);
  /// Returns the class of a label, or nullopt. Numeric labels match by value: "1", "1.0" and "+1" are equal.
  std::optional<std::int32_t> Find(std::string_view token) const;
  std::size_t classes() const { return tokens_.size(); }
  const std::vector<std::string>& tokens() const { return tokens_; }
  /// The allowed labels for messages, e.g. "1, 2, ..., 10".
  std::string Allowed() const;

 private:
  std::vector<std::string> tokens_;
  std::vector<double> numbers_;  // NaN for tokens that are not numbers
};

}  // namespace okbench
