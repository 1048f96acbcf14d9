#include "datasets/text/message.h"

#include <algorithm>
#include <vector>

namespace okbench {
namespace {

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Removes the first line, including its line feed, from the text and returns it.
std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
  text.remove_prefix(line.size());
  return line;
}

struct Message {
  std::string_view header, body;
};

Message Split(std::string_view message) {
  for (std::string_view rest = message; !rest.empty();) {
    const std::string_view line = TakeLine(rest);
    if (line == "\n" || line == "\r\n")
      return {message.substr(0, message.size() - rest.size() - line.size()), rest};
  }
  return {message, {}};
}

// Returns the text of the Subject field, including continuation lines.
std::string Subject(std::string_view header) {
  constexpr std::string_view kField = "subject:";
  std::string text;
  bool inside = false;
  while (!header.empty()) {
    std::string_view line = TakeLine(header);
    const bool starts =
        std::equal(kField.begin(), kField.end(), line.begin(),
                   line.begin() + static_cast<std::ptrdiff_t>(std::min(line.size(), kField.size())),
                   [](char a, char b) { return a == Lower(b); });
    inside = starts || (inside && IsBlank(line.front()));
    if (inside) text += starts ? line.substr(kField.size()) : line;
  }
  return text + "\n";
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

// True for a blank line and for a line of dashes.
bool IsRule(std::string_view line) { return Trimmed(line).find_first_not_of('-') == std::string_view::npos; }

bool IsQuoted(std::string_view line) {
  for (const std::string_view start : {">", "|", "In article", "Quoted from"})
    if (line.starts_with(start)) return true;
  for (const std::string_view part : {"writes in", "writes:", "wrote:", "says:", "said:"})
    if (line.find(part) != std::string_view::npos) return true;
  return false;
}

std::string Stripped(std::string_view body) {
  body = Trimmed(body);
  std::vector<std::string_view> lines;
  while (!body.empty()) lines.push_back(TakeLine(body));
  const auto rule = std::find_if(lines.rbegin(), lines.rend(), IsRule);
  if (rule != lines.rend() && rule + 1 != lines.rend()) lines.erase(rule.base() - 1, lines.end());
  std::string text;
  for (const std::string_view line : lines)
    if (!IsQuoted(line)) text += line;
  return text;
}

}  // namespace

const char* ExtentName(TextExtent extent) {
  static const char* const kNames[] = {"headers", "subject-body", "body", "stripped"};
  return kNames[static_cast<int>(extent)];
}

const char* WeightsName(TermWeights weights) { return weights == TermWeights::kCounts ? "counts" : "tf-idf"; }

std::string TextOf(std::string_view message, TextExtent extent) {
  if (extent == TextExtent::kHeaders) return std::string(message);
  const auto [header, body] = Split(message);
  if (extent == TextExtent::kStripped) return Stripped(body);
  return (extent == TextExtent::kSubjectBody ? Subject(header) : "") + std::string(body);
}

}  // namespace okbench
