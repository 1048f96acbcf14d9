#pragma once
// Cores: how many this process was given.

#include <optional>
#include <string>

namespace okbench {

/// Cores that a control group's CPU quota comes to, rounded up; `root` holds the cgroup file systems
/// (/sys/fs/cgroup) and `self` the membership of the process (/proc/self/cgroup). Nothing without a quota.
std::optional<int> QuotaCores(const std::string& root, const std::string& self);

/// What a scheduler gave this process: the fewer of its control group's quota and of what Slurm gave the task
/// (SLURM_CPUS_PER_TASK, else SLURM_CPUS_ON_NODE). Nothing where neither speaks.
std::optional<int> AllottedCores();

/// Trials to run side by side: `asked`, or one per processor that this process may run on when that is 0;
/// never more than AllottedCores.
int CoresToUse(int asked);

}  // namespace okbench
