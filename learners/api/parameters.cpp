#include "learners/api/parameters.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"

namespace okbench {
namespace {

std::string Bound(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string TypeName(const ParameterValue& value) {
  static const char* const kNames[] = {"a real number", "an integer", "true or false", "a text"};
  return kNames[value.index()];
}

ParameterValue Checked(const Parameter& parameter, ParameterValue value) {
  if (std::holds_alternative<double>(parameter.default_value) && std::holds_alternative<std::int64_t>(value))
    value = static_cast<double>(std::get<std::int64_t>(value));
  if (value.index() != parameter.default_value.index())
    throw InvalidArgument(parameter.name + " is " + TypeName(value) + ", but must be " + parameter.Allowed());
  bool fits = true;
  const auto* real = std::get_if<double>(&value);
  const auto number = [&] { return real ? *real : static_cast<double>(std::get<std::int64_t>(value)); };
  if (const auto* text = std::get_if<std::string>(&value)) {
    fits = std::find(parameter.choices.begin(), parameter.choices.end(), *text) != parameter.choices.end();
  } else if (!std::holds_alternative<bool>(value)) {
    const bool above = parameter.open_minimum ? number() > parameter.minimum : number() >= parameter.minimum;
    fits = std::isfinite(number()) && above && number() <= parameter.maximum;
  }
  if (fits) return value;
  const auto* given = std::get_if<std::string>(&value);
  throw InvalidArgument(parameter.name + " = " + (given ? "'" + *given + "'" : Bound(number())) +
                        " must be " + parameter.Allowed());
}

}  // namespace

std::string Parameter::Allowed() const {
  if (std::holds_alternative<bool>(default_value)) return "true or false";
  if (std::holds_alternative<std::string>(default_value)) {
    std::string text = "one of ";
    for (std::size_t i = 0; i < choices.size(); ++i) text += (i ? ", " : "") + choices[i];
    return text;
  }
  std::string text = std::holds_alternative<std::int64_t>(default_value) ? "an integer" : "a real number";
  if (std::isfinite(minimum)) text += (open_minimum ? " > " : " >= ") + Bound(minimum);
  if (std::isfinite(maximum)) text += (std::isfinite(minimum) ? " and <= " : " <= ") + Bound(maximum);
  return text;
}

ParameterValues ParameterValues::Resolve(const std::vector<Parameter>& table,
                                         const std::map<std::string, ParameterValue>& given) {
  ParameterValues result;
  result.values_.reserve(table.size());
  for (const Parameter& parameter : table) {
    const auto entry = given.find(parameter.name);
    result.values_[parameter.name] =
        Checked(parameter, entry == given.end() ? parameter.default_value : entry->second);
  }
  for (const auto& [name, value] : given) {
    if (result.values_.contains(name)) continue;
    for (const Parameter& parameter : table)
      if (parameter.old_name == name) throw InvalidArgument(name + ": renamed to " + parameter.name);
    std::vector<std::string> names;
    for (const Parameter& parameter : table) names.push_back(parameter.name);
    throw InvalidArgument(name + " is not a parameter of this learner" + DidYouMean(name, names));
  }
  return result;
}

}  // namespace okbench
