#include "harness/spec/output_table.h"

namespace okbench {

const std::vector<OutputTable>& OutputTables() {
  static const std::vector<OutputTable> tables = {
#ifdef OKBENCH_BOXES
      BoxesTable(),
#endif
  };
  return tables;
}

}  // namespace okbench
