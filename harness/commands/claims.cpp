#include "harness/commands/commands.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"

namespace okbench {

int ClaimsCommand(const std::vector<std::string>& papers, const std::string& results, bool json) {
  const std::string home = HomeFolder();
  std::vector<std::string> words = {PythonInterpreter(),   "-m",        "okbench.claims", "--experiments",
                                    home + "/experiments", "--results", results};
  if (json) words.emplace_back("--json");
  words.emplace_back("--");
  words.insert(words.end(), papers.begin(), papers.end());
  return RunProgram(words, home + "/python");
}

}  // namespace okbench
