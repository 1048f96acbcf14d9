#pragma once
// Runs other programs.

#include <string>
#include <vector>

namespace okbench {

/// Runs a program in the foreground and returns its exit status. `words` are the program and its arguments;
/// `python_path` is prepended to PYTHONPATH. Throws DataError when the program cannot be started.
int RunProgram(std::vector<std::string> words, const std::string& python_path = "");

/// The same, but returns what the program prints. Empty when it fails.
std::string CaptureProgram(std::vector<std::string> words, const std::string& python_path = "");

}  // namespace okbench
