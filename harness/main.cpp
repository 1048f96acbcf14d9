// The program okbench. Exit status: 0 success, 1 failure or mismatch, 2 invalid request, 130 interrupted.

#include <csignal>
#include <exception>
#include <new>
#include <stdexcept>

#include "base/error.h"
#include "base/names.h"
#include "harness/cli/command_line.h"
#include "harness/system/standard_streams.h"
#include "learners/core/float_mode.h"

int main(int argc, char** argv) {
  using okbench::PrintToError;
  okbench::OpenStandardStreams();
  // Makes a write beyond the file size limit fail instead of killing the process.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    // Before anything is read: a mode that a preloaded library has set would change numbers of specs.
    const okbench::FloatMode mode;
    return okbench::RunCommandLine(argc, argv);
  } catch (const okbench::Error& error) {
    PrintToError("okbench: {}\n", okbench::OneLine(error.what()));
    return error.exit_status();
  } catch (const std::bad_alloc&) {
    PrintToError("okbench: out of memory\n");
  } catch (const std::length_error&) {  // a size beyond any memory
    PrintToError("okbench: out of memory\n");
  } catch (const std::exception& error) {
    PrintToError("okbench: {}\n", okbench::OneLine(error.what()));
  }
  return 1;
}
