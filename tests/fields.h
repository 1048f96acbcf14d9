#pragma once
// Changing the fields of an object one at a time, for tests of what identifies data.

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "datasets/fields.h"

namespace okbench::testing {

/// Gives a value another one.
struct Changer {
  template <class T>
  void operator()(T& value) const {
    if constexpr (HasFields<T>)
      VisitFields(value, [this](auto, auto& field) { (*this)(field); });
    else if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(value == T{} ? 1 : 0);
    else if constexpr (std::is_same_v<T, bool>)
      value = !value;
    else
      value += 1;
  }
  void operator()(std::string& text) const { text += "x"; }
  template <class T>
  void operator()(std::vector<T>& list) const {
    list.emplace_back();
  }
  template <class T>
  void operator()(std::optional<T>& value) const {
    value = value ? std::nullopt : std::optional<T>(T{});
  }
  template <class T>
  void operator()(std::map<std::string, T>& values) const {
    for (auto& [key, value] : values) (*this)(value);
  }
};

/// Calls check(told) for each field with this one changed, and puts it back; fields that are told by their
/// own are descended into.
template <class T, class Check>
void ForEachChange(T& object, const Check& check) {
  VisitFields(object, [&check]<class Told, class Field>(Told how, Field& field) {
    if constexpr (!std::is_same_v<Told, identity::Nested>) {
      const Field kept = field;
      Changer()(field);
      check(how);
      field = kept;
    } else if constexpr (HasFields<Field>) {
      ForEachChange(field, check);
    } else {
      for (auto& element : field) ForEachChange(element, check);
    }
  });
}

}  // namespace okbench::testing
