#include "harness/cli/python_verbs.h"

#include <sstream>

#include "harness/cli/python_verb_list.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"

namespace okbench {

const std::vector<PythonVerb>& PythonVerbs() {
  static const std::vector<PythonVerb> verbs = {OKBENCH_PYTHON_VERBS};
  return verbs;
}

namespace {

// The command of a verb.
std::vector<std::string> Command(const std::string& name, const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> words = {PythonInterpreter(), "-P", "-m", "okbench"};
  std::istringstream parts(name);
  for (std::string part; parts >> part;) words.push_back(part);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace

int RunPythonVerb(const std::string& name, const std::vector<std::string>& arguments) {
  return RunProgram(Command(name, arguments), PythonPath());
}

int BecomePythonVerb(const std::string& name, const std::vector<std::string>& arguments) {
  return BecomeProgram(Command(name, arguments), PythonPath());
}

nlohmann::json PythonVerbOptions() {
  const std::string text = CaptureProgram(Command("--options"), PythonPath());
  const auto options = nlohmann::json::parse(text, nullptr, false);
  return options.is_object() ? options : nlohmann::json::object();
}

}  // namespace okbench
