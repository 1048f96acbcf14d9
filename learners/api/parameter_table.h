#pragma once
// ParameterTable: the parameters of a method, written once. A row binds a member of the method's Options to what a
// spec calls it, what it may be and what it means; the default is the member's own initialiser. The table gives
// both the documentation (Parameter) and the typed Options.
//
//   ParameterTable<Options> table;
//   table.Real(&Options::lambda, "lambda", "lambda", Positive(), "", "regulariser")
//       .Switch(&Options::average, "average", "the average of all w predicts");
//
// Options may have a member `void Validate() const` for what single ranges cannot say; it throws InvalidArgument.

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "learners/api/parameters.h"

namespace okbench {

/// What a number may be: [low, high], or (low, high] when open.
struct Interval {
  double low;
  double high;
  bool open_low = false;
};

/// Real parameters stay below this, so that products of two of them are finite.
inline constexpr double kLargestParameter = 1e12;

inline Interval Positive() { return {0, kLargestParameter, true}; }
inline Interval NonNegative() { return {0, kLargestParameter}; }

/// The names of a choice with the values they stand for, as help lists them.
template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

template <class Options>
class ParameterTable {
 public:
  /// `defaults` where they differ from the members' initialisers.
  explicit ParameterTable(Options defaults = {}) : defaults_(std::move(defaults)) {}

  /// `symbol` is how the paper writes it, `unit` "" for a pure number, `description` one line.
  ParameterTable& Real(double Options::*member, std::string name, std::string symbol, Interval range,
                       std::string unit, std::string description) {
    return Add({.name = std::move(name),
                .symbol = std::move(symbol),
                .default_value = defaults_.*member,
                .minimum = range.low,
                .maximum = range.high,
                .open_minimum = range.open_low,
                .choices = {},
                .unit = std::move(unit),
                .description = std::move(description)},
               [member](Options& options, const ParameterValue& value) {
                 options.*member = std::get<double>(value);
               });
  }

  template <std::integral Whole, class Owner>
  requires std::derived_from<Options, Owner> ParameterTable& Integer(Whole Owner::*member, std::string name,
                                                                     std::string symbol, Interval range,
                                                                     std::string unit,
                                                                     std::string description) {
    return Add({.name = std::move(name),
                .symbol = std::move(symbol),
                .default_value = static_cast<std::int64_t>(defaults_.*member),
                .minimum = range.low,
                .maximum = range.high,
                .open_minimum = range.open_low,
                .choices = {},
                .unit = std::move(unit),
                .description = std::move(description)},
               [member](Options& options, const ParameterValue& value) {
                 options.*member = static_cast<Whole>(std::get<std::int64_t>(value));
               });
  }

  ParameterTable& Switch(bool Options::*member, std::string name, std::string description) {
    return Add(
        {.name = std::move(name),
         .symbol = {},
         .default_value = defaults_.*member,
         .choices = {},
         .unit = {},
         .description = std::move(description)},
        [member](Options& options, const ParameterValue& value) { options.*member = std::get<bool>(value); });
  }

  template <class Value, class Owner>
  requires std::derived_from<Options, Owner> ParameterTable& Choice(
      Value Owner::*member, std::string name, Choices<std::type_identity_t<Value>> choices,
      std::string description) {
    Parameter parameter{.name = std::move(name),
                        .symbol = {},
                        .default_value = std::string(),
                        .choices = {},
                        .unit = {},
                        .description = std::move(description)};
    for (const auto& [text, value] : choices) {
      parameter.choices.push_back(text);
      if (value == defaults_.*member) parameter.default_value = text;
    }
    return Add(std::move(parameter),
               [member, choices = std::move(choices)](Options& options, const ParameterValue& chosen) {
                 for (const auto& [text, value] : choices)
                   if (text == std::get<std::string>(chosen)) options.*member = value;
               });
  }

  const std::vector<Parameter>& parameters() const { return parameters_; }

  /// The options that checked values come to. Throws InvalidArgument when they contradict each other.
  Options Read(const ParameterValues& values) const {
    Options options = defaults_;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      setters_[i](options, values.all().at(parameters_[i].name));
    if constexpr (requires { options.Validate(); }) options.Validate();
    return options;
  }

 private:
  using Setter = std::function<void(Options&, const ParameterValue&)>;

  ParameterTable& Add(Parameter parameter, Setter setter) {
    parameters_.push_back(std::move(parameter));
    setters_.push_back(std::move(setter));
    return *this;
  }

  Options defaults_;
  std::vector<Parameter> parameters_;
  std::vector<Setter> setters_;
};

}  // namespace okbench
