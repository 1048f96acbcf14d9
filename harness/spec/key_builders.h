#pragma once
// Builders for the tables of spec keys: Integer("epochs", 1, "passes over the rows").From(1).

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "harness/spec/spec_key.h"

namespace okbench::keys {

inline constexpr double kNoMaximum = std::numeric_limits<double>::infinity();

// Builder of a SpecKey. Each member function sets one field and returns the builder.
struct Row : SpecKey {
  Row(const char* key, KeyKind of, const char* text)
      : SpecKey{.name = key, .kind = of, .description = text} {}
  Row& Required() { return required = true, *this; }
  Row& ByTier() { return tier = true, *this; }
  Row& Default(ParameterValue value) { return default_value = std::move(value), *this; }
  Row& Rule(std::string must) { return rule = std::move(must), *this; }
  Row& Above(double low) { return minimum = low, open_minimum = true, *this; }
  Row& From(double low, double high = kNoMaximum) { return minimum = low, maximum = high, *this; }
  Row& Below(double high) { return maximum = high, open_maximum = true, *this; }
  Row& OneOf(std::vector<std::string> texts) { return choices = std::move(texts), *this; }
};

inline Row Integer(const char* name, const char* text) { return {name, KeyKind::kInteger, text}; }
inline Row Integer(const char* name, std::uint64_t value, const char* text) {
  return Integer(name, text).Default(static_cast<std::int64_t>(value));
}
inline Row Real(const char* name, const char* text) { return {name, KeyKind::kReal, text}; }
inline Row Switch(const char* name, bool value, const char* text) {
  return Row{name, KeyKind::kSwitch, text}.Default(value);
}
inline Row Text(const char* name, const char* text) { return {name, KeyKind::kText, text}; }
// Uses the first choice as the default.
inline Row Choice(const char* name, std::vector<std::string> choices, const char* text) {
  std::string first = choices.front();
  return Row{name, KeyKind::kChoice, text}.OneOf(std::move(choices)).Default(std::move(first));
}
inline Row Texts(const char* name, const char* text) { return {name, KeyKind::kTexts, text}; }
inline Row Integers(const char* name, const char* text) { return {name, KeyKind::kIntegers, text}; }
inline Row Reals(const char* name, const char* text) { return {name, KeyKind::kReals, text}; }
inline Row Value(const char* name, const char* text) { return {name, KeyKind::kValue, text}; }
inline Row List(const char* name, const char* text) { return {name, KeyKind::kAxis, text}; }
inline Row Table(const char* name, const char* text) { return {name, KeyKind::kTable, text}; }
inline Row Tables(const char* name, const char* text) { return {name, KeyKind::kTables, text}; }

}  // namespace okbench::keys
