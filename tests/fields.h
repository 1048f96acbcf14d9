#pragma once
// Changes the fields of an object one at a time, for tests of data identity.

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/fields.h"
#include "harness/spec/spec.h"

namespace okbench::testing {

/// Changes a value.
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
  void operator()(OutputSpec& outputs) const {
    static const OutputTable table = [] {
      OutputTable result{};
      result.name = "other";
      result.to_json = [](const OutputOptions&) { return nlohmann::json(1); };
      return result;
    }();
    outputs = {&table, std::make_shared<OutputOptions>()};
  }
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

/// Changes each field in turn, calls check(role), and restores it. Descends into nested structs.
template <class T, class Check>
void ForEachChange(T& object, const Check& check) {
  VisitFields(object, [&check]<class Role, class Field>(Role how, Field& field) {
    if constexpr (!std::is_same_v<Role, identity::Nested>) {
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
