#include "harness/spec/output_table.h"

namespace okbench {

#ifdef OKBENCH_BOXES
OutputTable BoxesTable();  // boxes_table.cpp
#endif

const std::vector<OutputTable>& OutputTables() {
  static const std::vector<OutputTable> tables = {
#ifdef OKBENCH_BOXES
      BoxesTable(),
#endif
  };
  return tables;
}

}  // namespace okbench
