#include "base/names.h"

#include <algorithm>

namespace okbench {

bool IsInnerName(const std::string& name) {
  // Limits of common file systems. Longer names would fail in the system call with a less clear error.
  constexpr std::size_t kLongestPart = 255, kLongest = 1024;
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (name.empty() || name.size() > kLongest || name.front() == '/' ||
      std::any_of(name.begin(), name.end(), control))
    return false;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    const std::string part = name.substr(start, end - start);
    if (part.empty() || part == "." || part == ".." || part.size() > kLongestPart) return false;
    start = end + 1;
  }
  return true;
}

std::string OneLine(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < ' ' || byte == 127;
    if (!control)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace okbench
