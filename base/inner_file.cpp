#include "base/inner_file.h"

#include <algorithm>
#include <new>
#include <system_error>

#include "base/error.h"

namespace okbench {

namespace fs = std::filesystem;

// Longest accepted name in bytes. Leaves space for suffixes such as .failed.json within the limit of 255.
constexpr std::size_t kMaxName = 240;

fs::path InnerFile(const fs::path& folder, const std::string& name, const std::string& from) {
  if (!IsInnerName(name)) throw TraceError(from + ": '" + name + "' must name a file inside its folder");
  fs::path file = folder / name;
  if (file.filename().native().size() > kMaxName)
    throw TraceError(from + ": '" + name + "' is too long for a file name");
  std::error_code error;
  const fs::path home = fs::weakly_canonical(folder, error);
  const fs::path real = error ? fs::path() : fs::weakly_canonical(file, error);
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  const auto [left, right] = std::mismatch(home.begin(), home.end(), real.begin(), real.end());
  if (error || left != home.end())
    throw TraceError(from + ": '" + name + "' leads out of its folder through a symbolic link");
  return file;
}

}  // namespace okbench
