#pragma once
// Parameters of learners: what each is called, means and may be, beside the values chosen for a trial. A
// method writes them down in a ParameterTable (parameter_table.h).

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

/// Values for every parameter of one learner.
class ParameterValues {
 public:
  /// Fills in defaults and checks types and ranges. Integers are taken where reals are asked for. Throws
  /// InvalidArgument whose text starts with the name of the parameter.
  static ParameterValues Resolve(const std::vector<Parameter>& table,
                                 const std::map<std::string, ParameterValue>& given);

  const std::map<std::string, ParameterValue>& all() const { return values_; }

 private:
  std::map<std::string, ParameterValue> values_;
};

}  // namespace okbench
