#pragma once
// Parameters of learners: names, meanings and ranges, and the values chosen for a trial. Methods declare
// their parameters in a ParameterTable (parameter_table.h).

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace okbench {

using ParameterValue = std::variant<double, std::int64_t, bool, std::string>;

/// One parameter of a learner. Specs are checked against it, and `okbench help` prints it.
struct Parameter {
  std::string name;              ///< key in a spec
  std::string old_name{};        ///< earlier key, for messages; else empty
  std::string symbol;            ///< notation of the paper
  ParameterValue default_value;  ///< its variant alternative is the parameter's type
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool open_minimum = false;         ///< the minimum itself is excluded
  std::vector<std::string> choices;  ///< text parameters: allowed values
  std::string unit;                  ///< "" for a pure number
  std::string description;           ///< one line, with the equation that contains the parameter

  /// Returns the allowed values for messages and help: "a real number > 0", "an integer >= 1", "one of a, b".
  std::string Allowed() const;
};

/// Values for every parameter of one learner.
class ParameterValues {
 public:
  /// Fills in defaults and checks types and ranges. Accepts integers for real parameters. Throws
  /// InvalidArgument with a message that starts with the parameter's name.
  static ParameterValues Resolve(const std::vector<Parameter>& table,
                                 const std::map<std::string, ParameterValue>& given);

  /// A sorted vector: plans of many trials need less memory than with trees.
  using Map = boost::container::flat_map<std::string, ParameterValue>;
  const Map& all() const { return values_; }

 private:
  Map values_;
};

}  // namespace okbench
