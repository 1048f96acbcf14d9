#include "harness/system/cores.h"

#include <tbb/info.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/environment.h"
#include "base/platform.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

std::optional<int> QuotaOf(double quota, double period) {
  if (!(quota > 0) || !(period > 0)) return std::nullopt;
  return std::max(1, static_cast<int>(std::ceil(quota / period)));
}

// Reads the quota of cgroup version 2: cpu.max is "QUOTA PERIOD", or "max PERIOD" without a quota.
std::optional<int> ReadCpuMax(const fs::path& folder) {
  std::ifstream file(folder / "cpu.max");
  double quota = 0, period = 0;
  if (!(file >> quota >> period)) return std::nullopt;
  return QuotaOf(quota, period);
}

// Reads the quota of cgroup version 1: two files. The quota is -1 if there is none.
std::optional<int> ReadCfs(const fs::path& folder) {
  std::ifstream quota_file(folder / "cpu.cfs_quota_us"), period_file(folder / "cpu.cfs_period_us");
  double quota = 0, period = 0;
  if (!(quota_file >> quota) || !(period_file >> period)) return std::nullopt;
  return QuotaOf(quota, period);
}

void TakeFewest(std::optional<int>& cores, std::optional<int> more) {
  if (more) cores = std::min(cores.value_or(*more), *more);
}

// The value of an environment variable if it is a positive integer.
std::optional<int> Number(const char* name) {
  const std::string text = Environment(name);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

}  // namespace

std::optional<int> QuotaCores(const std::string& root, const std::string& self) {
  std::optional<int> cores;
  std::ifstream file(self);
  // Lines are "0::/path" (version 2) or "4:cpu,cpuacct:/path" (version 1). A parent group may have a lower
  // quota.
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && ("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
    const fs::path mount = unified ? fs::path(root) : fs::path(root) / controllers;
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (;; group = group.parent_path()) {
      TakeFewest(cores, unified ? ReadCpuMax(mount / group) : ReadCfs(mount / group));
      if (!unified) TakeFewest(cores, ReadCfs(fs::path(root) / "cpu" / group));
      if (group.empty()) break;
    }
  }
  return cores;
}

std::optional<int> AllottedCores() {
  std::optional<int> cores = QuotaCores(kControlGroups, kOwnControlGroups);
  auto slurm = Number("SLURM_CPUS_PER_TASK");
  if (!slurm) slurm = Number("SLURM_CPUS_ON_NODE");
  TakeFewest(cores, slurm);
  return cores;
}

int CoresToUse(int requested) {
  const int cores =
      requested > 0 ? requested : tbb::info::default_concurrency();  // respects the affinity mask
  return std::min(cores, AllottedCores().value_or(cores));
}

}  // namespace okbench
