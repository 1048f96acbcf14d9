#include "datasets/rows/label_map.h"

#include <charconv>
#include <limits>

namespace okbench {
namespace {

// Parses a number that spans the whole token; allows a leading '+'.
bool ParseNumber(std::string_view token, double& value) {
  if (!token.empty() && token.front() == '+') token.remove_prefix(1);
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  return error == std::errc() && end == token.data() + token.size() && !token.empty();
}

}  // namespace

LabelMap::LabelMap(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
  for (const std::string& token : tokens_) {
    double number = 0;
    numbers_.push_back(ParseNumber(token, number) ? number : std::numeric_limits<double>::quiet_NaN());
  }
}

std::optional<std::int32_t> LabelMap::Find(std::string_view token) const {
  for (std::size_t c = 0; c < tokens_.size(); ++c)
    if (tokens_[c] == token) return static_cast<std::int32_t>(c);
  double number = 0;
  if (!ParseNumber(token, number)) return std::nullopt;
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

}  // namespace okbench
