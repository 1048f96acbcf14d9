#include "harness/spec/spec_key.h"

#include <cmath>

namespace okbench {
namespace {

std::string RangeText(const SpecKey& key) {
  return (key.open_minimum ? " > " : " >= ") + NumberText(key.minimum) +
         (std::isfinite(key.maximum) ? (key.open_maximum ? " and < " : " and <= ") + NumberText(key.maximum)
                                     : "");
}

std::string Listed(const std::vector<std::string>& choices) {
  std::string list;
  for (const auto& choice : choices) list += (list.empty() ? "" : ", ") + choice;
  return list;
}

}  // namespace

std::string NumberText(double value) {
  std::string text = std::to_string(value);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

const char* KindName(KeyKind kind) {
  static const char* const kNames[] = {"integer",  "number",  "switch", "text",   "choice", "texts",
                                       "integers", "numbers", "value",  "values", "table",  "tables"};
  return kNames[static_cast<int>(kind)];
}

bool SpecKey::IsPlaceholder() const { return name.front() >= 'A' && name.front() <= 'Z'; }

std::string SpecKey::MustBe() const {
  switch (kind) {
    case KeyKind::kInteger:
      return "be an integer" + RangeText(*this);
    case KeyKind::kReal:
      return "be a number" + RangeText(*this);
    case KeyKind::kSwitch:
      return "be true or false";
    case KeyKind::kText:
      return "be a text in quotes";
    case KeyKind::kChoice:
      return "be one of " + Listed(choices);
    case KeyKind::kTexts:
      return "be a text or a list of texts";
    case KeyKind::kIntegers:
      return "be a list of integers";
    case KeyKind::kReals:
      return "be a list of numbers";
    case KeyKind::kValue:
      return "be a number, a text, true or false, or { divide_by_n = number }";
    case KeyKind::kAxis:
      return "be a non-empty list of values";
    case KeyKind::kTable:
      return "be a table";
    case KeyKind::kTables:
      return "be a list of tables, at least one";
  }
  return "";
}

std::string SpecKey::Allowed() const {
  const std::string must = rule.empty() ? MustBe() : rule;
  if (must.starts_with("be ")) return must.substr(3);
  return must.starts_with("list ") ? "a list of " + must.substr(5) : must;
}

}  // namespace okbench
