#include "datasets/catalog/table_spec.h"

#include <sstream>

namespace okbench {

std::string IdentityText(const TableSpec& spec) {
  std::ostringstream text;
  text.precision(17);
  text << "table " << spec.separator << (spec.header ? " header" : "");
  const auto add = [&text](const TableColumn& field) {
    text << ' ' << field.column << ' ' << field.low << ' ' << field.high;
  };
  add(spec.target);
  for (const TableColumn& field : spec.columns) add(field);
  return text.str();
}

}  // namespace okbench
