#include "base/platform.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <fstream>

#ifdef __linux__
#include <sys/prctl.h>
#endif
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <malloc/malloc.h>
#include <sys/sysctl.h>
#elif __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace okbench {

namespace fs = std::filesystem;

fs::path ProgramFile() {
#ifdef __APPLE__
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string name(size, '\0');
  return _NSGetExecutablePath(name.data(), &size) == 0 ? fs::path(name.c_str()) : fs::path();
#else
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program;
#endif
}

std::string ProcessorName() {
#ifdef __APPLE__
  char name[256] = "";
  std::size_t size = sizeof(name) - 1;
  if (sysctlbyname("machdep.cpu.brand_string", name, &size, nullptr, 0) == 0) return name;
#else
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
#endif
  return "unknown";
}

std::string ProcessNamespace() {
  std::error_code error;
  std::string digits;
  for (const char c : fs::read_symlink("/proc/self/ns/pid", error).string())
    if (c >= '0' && c <= '9') digits += c;
  return digits;
}

std::size_t UsableBytes(void* memory) {
#if defined(__APPLE__)
  return malloc_size(memory);
#elif defined(__GLIBC__) || defined(__linux__)
  return malloc_usable_size(memory);
#else
  return 0;
#endif
}

bool OpenPrivatePipe(int (&ends)[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC) == 0;
#else
  // Without pipe2(), a program that another thread starts between the calls inherits the ends.
  if (pipe(ends) != 0) return false;
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return true;
#endif
}

void EndWithParent() {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

}  // namespace okbench
