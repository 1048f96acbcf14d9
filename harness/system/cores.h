#pragma once
// Number of CPU cores that this process may use.

#include <optional>
#include <string>

namespace okbench {

/// CPU quota of the control groups of this process, in cores, rounded up. `root` is the mount point of the
/// cgroup file systems (/sys/fs/cgroup). `self` is the file that lists the groups of the process
/// (/proc/self/cgroup). Nothing if there is no quota.
std::optional<int> QuotaCores(const std::string& root, const std::string& self);

/// Cores that a scheduler allots to this process: the minimum of the cgroup quota and the Slurm allocation
/// (SLURM_CPUS_PER_TASK, else SLURM_CPUS_ON_NODE). Nothing if neither is set.
std::optional<int> AllottedCores();

/// Number of trials to run concurrently: `requested`, or one per available processor if `requested` is 0.
/// Never more than AllottedCores().
int CoresToUse(int requested);

}  // namespace okbench
