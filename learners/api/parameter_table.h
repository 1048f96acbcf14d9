#pragma once
// ParameterTable: the parameters of a method, written once. A row binds a member of the method's Options to
// what a spec calls it, what it may be and what it means; the default is the member's own initialiser. The
// table gives both the documentation (Parameter) and the typed Options.
//
//   ParameterTable<Options> table;
//   table.Real(&Options::lambda, "lambda", "lambda", Positive(), "", "regulariser")
//       .Switch(&Options::average, "average", "the average of all w predicts");
//
// Options may have a member `void Validate() const` for what single ranges cannot say; it throws
// InvalidArgument.

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

/// The rows of a table, whatever the options: what documents each parameter.
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
  /// `defaults` where they differ from the members' initialisers.
  explicit ParameterTable(Options defaults = {}) : defaults_(std::move(defaults)) {}

  /// `symbol` is how the paper writes it, `unit` "" for a pure number, `description` one line.
  ParameterTable& Real(double Options::*member, const char* name, const char* symbol, Interval range,
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
    return Set([member, choices](Options& options, const ParameterValue& asked) {
      for (const auto& [text, value] : choices)
        if (text == std::get<std::string>(asked)) options.*member = value;
    });
  }

  /// The options that these values come to.
  Options Read(const ParameterValues& values) const {
    Options options = defaults_;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      setters_[i](options, values.all().at(parameters_[i].name));
    return options;
  }

  /// The same. Throws InvalidArgument when they contradict each other.
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
