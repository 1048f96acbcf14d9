#pragma once
// SpecKey: a key of a spec, written once. TomlReader reads and checks by it, and `okbench list keys` prints
// it.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "learners/api/parameters.h"

namespace okbench {

enum class KeyKind {
  kInteger,   ///< an integer
  kReal,      ///< a number
  kSwitch,    ///< true or false
  kText,      ///< a text
  kChoice,    ///< one of a few texts
  kTexts,     ///< a text, or a list of them
  kIntegers,  ///< a list of integers
  kReals,     ///< a list of numbers
  kValue,     ///< of a parameter, whose type is the method's
  kAxis,      ///< a list of such values
  kTable,     ///< a table
  kTables,    ///< a list of tables
};

/// "integer", "text", ...
const char* KindName(KeyKind kind);

struct SpecKey {
  std::string name;  ///< in capitals: any name of what it says, as DATA_SET
  KeyKind kind;
  std::string description;                    ///< one line
  std::optional<ParameterValue> default_value{};  ///< what it is when it is left out; none: the description tells
  bool required = false;
  bool tier = false;  ///< a tier may change it
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool open_minimum = false;  ///< the minimum itself is excluded
  std::vector<std::string> choices{};
  std::string rule{};  ///< what it must, beyond its type: "be [low, high] with low < high"

  /// Whether the name stands for others.
  bool IsPlaceholder() const;
  /// What a value of the type must, for messages: "be an integer >= 1".
  std::string MustBe() const;
  /// The same for people, with the rule: "an integer >= 1".
  std::string Allowed() const;
};

/// The keys of one table of a spec, in the order in which messages list them.
struct KeyTable {
  std::string path;  ///< dotted, "" for the whole spec
  std::string of;    ///< the kernel that has these keys; "" where the table always has them
  std::vector<SpecKey> keys;
};

/// A number with as few digits as messages need.
std::string NumberText(double value);

}  // namespace okbench
