#include "harness/plan/plugins.h"

#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/sha256.h"
#include "base/whole_file.h"
#include "learners/api/plugin.h"
#include "learners/api/registry.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Fail(const std::string& path, const std::string& cause) {
  throw SpecError("--plugin " + path + ": " + cause);
}

std::string ContentOf(const std::string& path) {
  std::string bytes;
  if (ReadWhole(path, bytes)) Fail(path, "cannot be read");
  return bytes;
}

// Rejects truncated files: the dynamic linker would map them and crash.
void RequireComplete(const std::string& path, const std::string& content) {
  Elf64_Ehdr header{};
  if (content.size() < sizeof header || std::memcmp(content.data(), ELFMAG, SELFMAG) != 0 ||
      content[EI_CLASS] != ELFCLASS64)
    Fail(path, "is not a shared library");
  std::memcpy(&header, content.data(), sizeof header);
  if (header.e_type != ET_DYN) Fail(path, "is not a shared library");
  const auto inside = [&](std::uint64_t first, std::uint64_t count) {
    return first <= content.size() && count <= content.size() - first;
  };
  bool whole = inside(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr)) &&
               inside(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize) &&
               header.e_phentsize == sizeof(Elf64_Phdr);
  for (std::size_t i = 0; whole && i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    std::memcpy(&segment, content.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    whole = segment.p_type != PT_LOAD || inside(segment.p_offset, segment.p_filesz);
  }
  if (!whole) Fail(path, "is truncated: the file was cut short");
}

// Splits an interface text at semicolons: version, compiler, library, headers.
std::vector<std::string> PartsOf(const std::string& interface) {
  std::vector<std::string> parts;
  std::size_t begin = std::strlen(OKBENCH_PLUGIN_MARK);
  for (std::size_t end; (end = interface.find(';', begin)) != std::string::npos; begin = end + 2)
    parts.push_back(interface.substr(begin, std::min<std::size_t>(end - begin, 40)));
  return parts;
}

// Parts that differ from this program's interface: "headers 0123.. instead of headers 4567..".
std::string Difference(const std::string& interface) {
  const std::vector<std::string> has = PartsOf(interface), here = PartsOf(OKBENCH_PLUGIN_INTERFACE);
  std::string text;
  for (std::size_t i = 0; i < here.size(); ++i) {
    const std::string other = i < has.size() ? has[i] : "nothing";
    if (other != here[i]) text += (text.empty() ? "" : ", ") + other + " instead of " + here[i];
  }
  return text;
}

void RequireInterface(const std::string& path, const std::string& content) {
  // A program that looks for the mark also contains the mark alone.
  const std::string mark = OKBENCH_PLUGIN_MARK, version = "version ";
  std::size_t begin = content.find(mark);
  while (begin != std::string::npos && content.compare(begin + mark.size(), version.size(), version) != 0)
    begin = content.find(mark, begin + 1);
  if (begin == std::string::npos)
    Fail(path, "is not a plugin: it has no line OKBENCH_PLUGIN(...) (learners/api/plugin.h)");
  std::string interface = content.substr(begin, 400);
  const auto printable = [](unsigned char c) { return c >= ' ' && c < 127; };
  interface.erase(std::find_if_not(interface.begin(), interface.end(), printable), interface.end());
  if (interface == OKBENCH_PLUGIN_INTERFACE) return;
  Fail(path, "was not built for this program: " + Difference(interface) +
                 "; rebuild it (docs/howto/add-a-learner.md)");
}

// First line of the dynamic linker's last error.
std::string LinkerError() {
  const char* const text = dlerror();
  std::string line = text == nullptr ? "unknown error" : text;
  return line.substr(0, line.find('\n'));
}

}  // namespace

void LoadPlugin(const std::string& path) {
  const std::string content = ContentOf(path);
  RequireComplete(path, content);
  RequireInterface(path, content);
  // dlopen() searches the system's libraries for a name without a slash, hence the absolute path.
  void* const library = dlopen(fs::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) Fail(path, "cannot be loaded: " + LinkerError());
  using Symbol = const PluginAbout* (*)();
  const auto symbol = reinterpret_cast<Symbol>(dlsym(library, "okbench_plugin"));
  if (symbol == nullptr) Fail(path, "is not an okbench plugin: it has no symbol okbench_plugin");
  const PluginAbout* const about = symbol();
  if (std::strcmp(about->interface, OKBENCH_PLUGIN_INTERFACE) != 0)
    Fail(path, "has two different interface texts; rebuild it");
  if (ContentOf(path) != content) Fail(path, "changed while it was loaded");
  try {
    LearnerInfo info = about->describe();
    info.code = {.kind = "plugin", .name = fs::path(path).filename().string(), .sha256 = Sha256Hex(content)};
    AddLearner(std::move(info));
  } catch (const std::exception& error) {
    Fail(path, error.what());
  }
}

}  // namespace okbench
