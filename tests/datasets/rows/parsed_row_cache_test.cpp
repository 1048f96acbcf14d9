#include "datasets/rows/parsed_row_cache.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

template <class T>
RawRows<T> SomeRows(T value) {
  RawRows<T> rows;
  rows.features = 3;
  rows.values = {value, 0, 2, 1, -1, 255};
  rows.labels = {0, 4};
  return rows;
}

template <class T>
RawRows<T> SparseRows() {
  RawRows<T> rows;
  rows.features = 5;
  rows.values = {1, 3, 7};
  rows.offsets = {0, 2, 2, 3};
  rows.indices = {0, 4, 2};
  rows.labels = {0, 0, 0};
  rows.real.targets = {0.5, -1e300, 3};
  return rows;
}

template <class T>
bool Same(const RawRows<T>& a, const RawRows<T>& b) {
  return a.features == b.features && a.values == b.values && a.offsets == b.offsets &&
         a.indices == b.indices && a.labels == b.labels && a.real.targets == b.real.targets &&
         a.real.truth == b.real.truth;
}

std::vector<fs::path> FilesOf(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder / "rows")) files.push_back(entry.path());
  return files;
}

TEMPLATE_TEST_CASE("row cache on disk: rows are read back exactly", "", float, double) {
  const testing::TemporaryFolder folder;
  const ParsedRowCache cache(folder.path());
  CHECK_FALSE(cache.Find<TestType>("a").has_value());
  // Integers are stored as bytes, other values (and minus zero) unchanged.
  const TestType values[] = {TestType(200), TestType(0.1), std::numeric_limits<TestType>::denorm_min()};
  for (const TestType value : values) {
    cache.Keep("a", SomeRows(value));
    CHECK(Same(cache.Find<TestType>("a").value(), SomeRows(value)));
  }
  RawRows<TestType> zero = SparseRows<TestType>();
  zero.values[1] = -TestType(0);
  cache.Keep("zero", zero);
  CHECK(std::signbit(cache.Find<TestType>("zero").value().values[1]));
  cache.Keep("b", SparseRows<TestType>());
  CHECK(Same(cache.Find<TestType>("b").value(), SparseRows<TestType>()));
  CHECK_FALSE(cache.Find<TestType>("c").has_value());
}

TEST_CASE("row cache on disk: rows of different precisions are separate entries") {
  const testing::TemporaryFolder folder;
  const ParsedRowCache cache(folder.path());
  cache.Keep("a", SomeRows<float>(0.1F));
  CHECK_FALSE(cache.Find<double>("a").has_value());
}

TEST_CASE("row cache on disk: damaged entries count as missing") {
  const testing::TemporaryFolder folder;
  const ParsedRowCache cache(folder.path());
  cache.Keep("a", SomeRows<float>(1));
  const fs::path file = FilesOf(folder.path()).at(0);
  const auto size = fs::file_size(file);
  SECTION("a changed byte") {
    for (std::uintmax_t at = 0; at < size; at += 7) {
      std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
      stream.seekg(static_cast<std::streamoff>(at));
      const char byte = static_cast<char>(stream.get());
      stream.seekp(static_cast<std::streamoff>(at));
      stream.put(static_cast<char>(byte ^ 1));
      stream.close();
      CHECK_FALSE(cache.Find<float>("a").has_value());
      cache.Keep("a", SomeRows<float>(1));
    }
  }
  SECTION("a truncated file") {
    for (const std::uintmax_t length : {size - 1, size / 2, std::uintmax_t{0}}) {
      fs::resize_file(file, length);
      CHECK_FALSE(cache.Find<float>("a").has_value());
    }
  }
  SECTION("a folder in place of the file") {
    fs::remove(file);
    fs::create_directories(file);
    CHECK_FALSE(cache.Find<float>("a").has_value());
    cache.Keep("a", SomeRows<float>(1));
    CHECK(FilesOf(folder.path()).size() == 1);  // no temporary file remains
  }
}

TEST_CASE("row cache on disk: bounded size, least recently used entries go first, cleaning removes all") {
  const testing::TemporaryFolder folder;
  const ParsedRowCache all(folder.path());
  all.Keep("first", SomeRows<float>(1));
  const std::uint64_t each = fs::file_size(FilesOf(folder.path()).at(0));
  const ParsedRowCache two(folder.path(), 2 * each + each / 2);
  const auto use = [&](const char* name) {
    const auto before = fs::file_time_type::clock::now();
    while (fs::file_time_type::clock::now() - before < std::chrono::milliseconds(10)) {
    }
    return two.Find<float>(name).has_value();
  };
  two.Keep("second", SomeRows<float>(1));
  CHECK(use("second"));
  CHECK(use("first"));
  two.Keep("third", SomeRows<float>(1));
  CHECK(use("first"));
  CHECK(use("third"));
  CHECK_FALSE(use("second"));
  // Rows larger than the bound are not stored.
  const ParsedRowCache none(folder.path(), 10);
  none.Keep("large", SomeRows<float>(1));
  CHECK_FALSE(all.Find<float>("large").has_value());
  CHECK(all.Clean() == 2 * each);
  CHECK(all.Clean() == 0);
  CHECK_FALSE(fs::exists(fs::path(folder.path()) / "rows"));
}

TEST_CASE("row cache on disk: an unwritable folder stores nothing, and is not an error") {
  const testing::TemporaryFolder folder;
  std::ofstream(fs::path(folder.path()) / "rows") << "a file in its place";
  const ParsedRowCache cache(folder.path());
  cache.Keep("a", SomeRows<float>(1));
  CHECK_FALSE(cache.Find<float>("a").has_value());
}

}  // namespace
}  // namespace okbench
