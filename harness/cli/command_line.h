#pragma once
// Parses the command line and runs one verb.
//
// A verb written in C++ has a file in this folder. Any other verb is a module of python/okbench/cli and
// runs as `python -P -m okbench VERB ARGUMENTS`; the module declares its options. The build reads the names
// and help lines of these modules, so `--help` lists both kinds alike.

namespace okbench {

/// Returns the exit status. Throws Error.
int RunCommandLine(int argc, char** argv);

}  // namespace okbench
