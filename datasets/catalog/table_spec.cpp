#include "datasets/catalog/table_spec.h"

#include <sstream>

namespace okbench {

std::string IdentityText(const TableSpec& spec) {
  std::ostringstream text;
  text.precision(17);
  text << "table " << spec.separator << (spec.header ? " header" : "");
  const auto add = [&text](const TableColumn& one) {
    text << ' ' << one.column << ' ' << one.low << ' ' << one.high;
  };
  add(spec.target);
  for (const TableColumn& one : spec.columns) add(one);
  return text.str();
}

}  // namespace okbench
