#pragma once
// What only one operating system offers, with a fallback for the others. Only platform.cpp names operating
// systems.

#include <cstddef>
#include <filesystem>
#include <string>

namespace okbench {

/// Path of the running program. Empty if the system does not tell it.
std::filesystem::path ProgramFile();

/// Name of the processor, "unknown" if the system does not tell it.
std::string ProcessorName();

/// Number of the namespace of process ids, as decimal digits. Empty on systems without such namespaces.
std::string ProcessNamespace();

/// Size in bytes of a block from malloc(), including what it was rounded up by. 0 if the system does not tell
/// it: then the memory of learners is reported as 0.
std::size_t UsableBytes(void* memory);

/// Opens a pipe whose two ends child programs do not inherit. Returns whether this succeeded.
bool OpenPrivatePipe(int (&ends)[2]);

/// The calling process gets SIGTERM when its parent ends. No effect on systems other than Linux.
void EndWithParent();

/// Files that state the limits of the process's control group: a file system, and the list of its groups.
/// They exist on Linux only.
inline constexpr char kControlGroups[] = "/sys/fs/cgroup";
inline constexpr char kOwnControlGroups[] = "/proc/self/cgroup";

}  // namespace okbench
