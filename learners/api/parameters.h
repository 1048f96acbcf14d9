#pragma once
// Parameters of learners: what each is called, means and may be, beside the values chosen for a trial.

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace okbench {

using ParameterValue = std::variant<double, std::int64_t, bool, std::string>;

/// One parameter of a learner: a description that specs are checked against and `okbench list` prints.
struct Parameter {
  std::string name;              ///< key in a spec
  std::string symbol;            ///< as the paper writes it
  ParameterValue default_value;  ///< its alternative is the parameter's type
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool open_minimum = false;         ///< the minimum itself is excluded
  std::vector<std::string> choices;  ///< for text parameters: what is allowed
  std::string unit;                  ///< "" when it is a pure number
  std::string description;           ///< one line, with the equation it stands in

  /// "real in (0, inf)", "integer >= 1", "one of a, b": what is allowed, for messages and help.
  std::string Allowed() const;
};

/// A parameter table's row, short to write: real and whole numbers, switches and choices.
Parameter RealParameter(std::string name, std::string symbol, double value, double minimum, double maximum,
                        bool open_minimum, std::string unit, std::string description);
Parameter IntegerParameter(std::string name, std::string symbol, std::int64_t value, double minimum,
                           double maximum, std::string unit, std::string description);
Parameter SwitchParameter(std::string name, bool value, std::string description);
Parameter ChoiceParameter(std::string name, std::vector<std::string> choices, std::string description);

/// Values for every parameter of one learner.
class ParameterValues {
 public:
  /// Fills in defaults and checks types and ranges. Integers are taken where reals are asked for. Throws
  /// InvalidArgument whose text starts with the name of the parameter.
  static ParameterValues Resolve(const std::vector<Parameter>& table,
                                 const std::map<std::string, ParameterValue>& given);

  double Real(const std::string& name) const { return std::get<double>(values_.at(name)); }
  std::int64_t Integer(const std::string& name) const { return std::get<std::int64_t>(values_.at(name)); }
  bool Switch(const std::string& name) const { return std::get<bool>(values_.at(name)); }
  const std::string& Choice(const std::string& name) const { return std::get<std::string>(values_.at(name)); }
  const std::map<std::string, ParameterValue>& all() const { return values_; }

 private:
  std::map<std::string, ParameterValue> values_;
};

}  // namespace okbench
