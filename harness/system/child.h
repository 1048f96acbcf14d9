#pragma once
// Runs other programs.

#include <string>
#include <vector>

namespace okbench {

/// Replaces this process by a program, as RunProgram() starts it. Returns 127 if it cannot be executed.
int BecomeProgram(std::vector<std::string> words, const std::string& python_path = "");

/// Runs a program in the foreground. `words` are the program and its arguments. `python_path` is prepended to
/// PYTHONPATH. Returns the exit status, 1 if a signal killed the program, or 127 if it cannot be executed.
/// Throws DataError when no process can be created.
int RunProgram(std::vector<std::string> words, const std::string& python_path = "");

/// Runs a program and returns its standard output. Returns an empty text when the program fails.
std::string CaptureProgram(std::vector<std::string> words, const std::string& python_path = "");

}  // namespace okbench
