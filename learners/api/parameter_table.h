#pragma once
// ParameterTable: the parameters of a method, stated once. A row binds a member of the method's Options to
// its name in specs, its range and its description; the member's initialiser is the default. The table
// produces both the documentation (Parameter) and the typed Options.
//
//   ParameterTable<Options> table;
//   table.Real(&Options::lambda, "lambda", "lambda", Positive(), "", "regulariser")
//       .Switch(&Options::average, "average", "the average of all w predicts");
//
// Options may have a member `void Validate() const` that checks constraints between parameters; it throws
// InvalidArgument.

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "learners/api/parameters.h"

namespace okbench {

/// Range of a number: [low, high], or (low, high] if open_low.
struct Interval {
  double low;
  double high;
  bool open_low = false;
};

/// Upper limit of real parameters; products of two of them stay finite.
inline constexpr double kLargestParameter = 1e12;

inline Interval Positive() { return {0, kLargestParameter, true}; }
inline Interval NonNegative() { return {0, kLargestParameter}; }

/// Names and values of a choice, in the order of the help.
template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// The rows of a table, independent of the Options type.
class ParameterRows {
 public:
  const std::vector<Parameter>& parameters() const { return parameters_; }

 protected:
  void AddNumber(const char* name, const char* symbol, ParameterValue value, Interval range, const char* unit,
                 const char* description);
  void AddText(const char* name, ParameterValue value, std::vector<std::string> choices,
               const char* description);

  std::vector<Parameter> parameters_;
};

template <class Options>
class ParameterTable : public ParameterRows {
 public:
  /// `defaults` replaces the initialisers of Options.
  explicit ParameterTable(Options defaults = {}) : defaults_(std::move(defaults)) {}

  /// `symbol` is the paper's notation, `unit` is "" for a pure number, `description` is one line.
  template <class Owner>
  requires std::derived_from<Options, Owner> ParameterTable& Real(double Owner::*member, const char* name,
                                                                  const char* symbol, Interval range,
                                                                  const char* unit, const char* description) {
    AddNumber(name, symbol, defaults_.*member, range, unit, description);
    return Set([member](Options& options, const ParameterValue& value) {
      options.*member = std::get<double>(value);
    });
  }

  template <std::integral Whole, class Owner>
  requires std::derived_from<Options, Owner> ParameterTable& Integer(Whole Owner::*member, const char* name,
                                                                     const char* symbol, Interval range,
                                                                     const char* unit,
                                                                     const char* description) {
    AddNumber(name, symbol, static_cast<std::int64_t>(defaults_.*member), range, unit, description);
    return Set([member](Options& options, const ParameterValue& value) {
      options.*member = static_cast<Whole>(std::get<std::int64_t>(value));
    });
  }

  ParameterTable& Switch(bool Options::*member, const char* name, const char* description) {
    AddText(name, defaults_.*member, {}, description);
    return Set(
        [member](Options& options, const ParameterValue& value) { options.*member = std::get<bool>(value); });
  }

  template <class Value, class Owner>
  requires std::derived_from<Options, Owner> ParameterTable& Choice(
      Value Owner::*member, const char* name, const Choices<std::type_identity_t<Value>>& choices,
      const char* description) {
    std::vector<std::string> texts;
    std::string chosen;
    for (const auto& [text, value] : choices) {
      texts.push_back(text);
      if (value == defaults_.*member) chosen = text;
    }
    AddText(name, chosen, std::move(texts), description);
    return Set([member, choices](Options& options, const ParameterValue& given) {
      for (const auto& [text, value] : choices)
        if (text == std::get<std::string>(given)) options.*member = value;
    });
  }

  /// Sets the earlier key of the last parameter: specs that have it get a message with the new one.
  ParameterTable& Replaces(const char* old_name) {
    parameters_.back().old_name = old_name;
    return *this;
  }

  /// Converts values to Options. REQUIRES: `values` has every parameter of the table.
  Options Read(const ParameterValues& values) const {
    Options options = defaults_;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      setters_[i](options, values.all().at(parameters_[i].name));
    return options;
  }

  /// As Read(). Throws InvalidArgument if Options::Validate() rejects the values.
  Options ReadChecked(const ParameterValues& values) const {
    Options options = Read(values);
    if constexpr (requires { options.Validate(); }) options.Validate();
    return options;
  }

 private:
  using Setter = std::function<void(Options&, const ParameterValue&)>;

  ParameterTable& Set(Setter setter) {
    setters_.push_back(std::move(setter));
    return *this;
  }

  Options defaults_;
  std::vector<Setter> setters_;
};

}  // namespace okbench
