#include "learners/api/parameter_table.h"

namespace okbench {

void ParameterRows::AddNumber(const char* name, const char* symbol, ParameterValue value, Interval range,
                              const char* unit, const char* description) {
  parameters_.push_back({.name = name,
                         .symbol = symbol,
                         .default_value = std::move(value),
                         .minimum = range.low,
                         .maximum = range.high,
                         .open_minimum = range.open_low,
                         .choices = {},
                         .unit = unit,
                         .description = description});
}

void ParameterRows::AddText(const char* name, ParameterValue value, std::vector<std::string> choices,
                            const char* description) {
  parameters_.push_back({.name = name,
                         .symbol = {},
                         .default_value = std::move(value),
                         .choices = std::move(choices),
                         .unit = {},
                         .description = description});
}

}  // namespace okbench
