#include "harness/system/provenance.h"

#include <archive.h>
#include <fmt/core.h>
#include <hdf5.h>
#include <hwy/highway.h>
#include <openssl/crypto.h>
#include <tbb/version.h>
#include <toml++/toml.h>

#include <array>
#include <ctime>

#include "base/platform.h"
#include "harness/system/build_info.h"
#include "learners/kernels/target.h"

namespace okbench {
namespace {

std::string LibraryVersions() {
  return fmt::format(
      "hdf5 {}.{}.{}, highway {}.{}.{}, {}, {}, tbb {}.{}, fmt {}.{}.{}, tomlplusplus {}.{}.{}",
      H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, HWY_MAJOR, HWY_MINOR, HWY_PATCH,
      archive_version_string(), OpenSSL_version(OPENSSL_VERSION), TBB_VERSION_MAJOR, TBB_VERSION_MINOR,
      FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100, TOML_LIB_MAJOR, TOML_LIB_MINOR,
      TOML_LIB_PATCH);
}

}  // namespace

nlohmann::json BuildProvenance() {
  static const std::string cpu = ProcessorName();
  static const std::string libraries = LibraryVersions();
  return {{"program", std::string("okbench ") + kVersion},
          {"git_commit", kGitCommit},
          {"git_dirty", kGitDirty},
          {"compiler", kCompiler},
          {"compiler_flags", kCompilerFlags},
          {"cpu", cpu},
          {"target", ActiveTarget()},
          {"libraries", libraries}};
}

std::string ProgramVersion() {
  return fmt::format("okbench {}, commit {}{}, {}", kVersion, std::string(kGitCommit).substr(0, 10),
                     kGitDirty ? " (modified)" : "", kCompiler);
}

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace okbench
