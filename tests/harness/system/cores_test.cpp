// Number of available cores, from control groups and from a scheduler.

#include "harness/system/cores.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/catch.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

// A tree of control groups on disk.
class Groups {
 public:
  Groups() : root_(fs::temp_directory_path() / ("okbench-groups-" + std::to_string(getpid()))) {
    fs::create_directories(root_);
  }
  ~Groups() { fs::remove_all(root_); }
  void Write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << "\n";
  }
  std::optional<int> Cores() const { return QuotaCores(root_.string(), (root_ / "self").string()); }

 private:
  fs::path root_;
};

TEST_CASE("control groups: the tightest quota on the path counts") {
  const Groups groups;
  groups.Write("self", "0::/slurm/job_7/step_0");
  CHECK_FALSE(groups.Cores());
  groups.Write("slurm/job_7/step_0/cpu.max", "max 100000");
  CHECK_FALSE(groups.Cores());
  groups.Write("slurm/job_7/cpu.max", "250000 100000");
  CHECK(groups.Cores() == 3);
  groups.Write("slurm/job_7/step_0/cpu.max", "50000 100000");
  CHECK(groups.Cores() == 1);
}

TEST_CASE("control groups: quotas of version 1") {
  const Groups groups;
  groups.Write("self", "5:memory:/docker/x\n4:cpu,cpuacct:/docker/x");
  groups.Write("cpu,cpuacct/docker/x/cpu.cfs_quota_us", "-1");
  groups.Write("cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000");
  CHECK_FALSE(groups.Cores());
  groups.Write("cpu,cpuacct/docker/x/cpu.cfs_quota_us", "400000");
  CHECK(groups.Cores() == 4);
  groups.Write("cpu,cpuacct/docker/cpu.cfs_quota_us", "200000");
  groups.Write("cpu,cpuacct/docker/cpu.cfs_period_us", "100000");
  CHECK(groups.Cores() == 2);
}

TEST_CASE("Slurm's allocation limits the requested cores") {
  unsetenv("SLURM_CPUS_ON_NODE");
  setenv("SLURM_CPUS_PER_TASK", "1", 1);
  CHECK(CoresToUse(0) == 1);
  CHECK(CoresToUse(8) == 1);
  setenv("SLURM_CPUS_PER_TASK", "nonsense", 1);
  const auto quota = QuotaCores("/sys/fs/cgroup", "/proc/self/cgroup");
  CHECK(CoresToUse(7) == std::min(7, quota.value_or(7)));
  unsetenv("SLURM_CPUS_PER_TASK");
  setenv("SLURM_CPUS_ON_NODE", "1", 1);
  CHECK(CoresToUse(3) == 1);
  unsetenv("SLURM_CPUS_ON_NODE");
}

}  // namespace
}  // namespace okbench
