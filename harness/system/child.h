#pragma once
// Running another program, as the verbs that are written in Python need.

#include <string>
#include <vector>

namespace okbench {

/// Runs a program with its arguments in the foreground and returns its exit status. `python_path` is put in
/// front of PYTHONPATH. Throws DataError when it cannot be started.
int RunProgram(std::vector<std::string> words, const std::string& python_path = "");

}  // namespace okbench
