#include "harness/results/comparison.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/sha256.h"
#include "harness/results/result_files.h"
#include "harness/results/row.h"
#include "harness/trace/segment_index.h"
#include "harness/trace/trace_file.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

bool SameBits(const Column& a, const Column& b, std::size_t row) {
  if (a.values.index() != b.values.index()) return false;
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&a.values))
    return (*whole)[row] == std::get<std::vector<std::int64_t>>(b.values)[row];
  return std::bit_cast<std::uint64_t>(std::get<std::vector<double>>(a.values)[row]) ==
         std::bit_cast<std::uint64_t>(std::get<std::vector<double>>(b.values)[row]);
}

// Returns the first difference in row order, i.e. at the earliest step.
std::optional<Difference> CompareTables(const std::string& trial, const Table& a, const Table& b) {
  for (const Column& column : a.columns) {
    const Column* other = b.Find(column.name);
    if (column.deterministic && (other == nullptr || other->values.index() != column.values.index()))
      return Difference{trial, a.name, column.name, -1, "present", other ? "different type" : "missing"};
  }
  for (const Column& column : b.columns)
    if (column.deterministic && a.Find(column.name) == nullptr)
      return Difference{trial, a.name, column.name, -1, "missing", "present"};
  const std::size_t rows = std::min(a.rows(), b.rows());
  for (std::size_t row = 0; row < rows; ++row)
    for (const Column& column : a.columns) {
      if (!column.deterministic) continue;
      const Column& other = *b.Find(column.name);  // exists: checked above
      if (!SameBits(column, other, row))
        return Difference{
            trial, a.name, column.name, static_cast<std::int64_t>(row), column.Text(row), other.Text(row)};
    }
  if (a.rows() != b.rows())
    return Difference{trial,
                      a.name,
                      "",
                      static_cast<std::int64_t>(rows),
                      std::to_string(a.rows()) + " rows",
                      std::to_string(b.rows()) + " rows"};
  return std::nullopt;
}

// Compares spec and summary entry by entry (Trace::ComparableJson).
std::optional<Difference> CompareJson(const std::string& trial, const nlohmann::json& a,
                                      const nlohmann::json& b) {
  const auto text = [](const nlohmann::json& facts, const std::string& key) {
    return facts.contains(key) ? facts.at(key).dump() : "missing";
  };
  for (const auto* side : {&a, &b})
    for (const auto& [key, value] : side->items())
      if (text(a, key) != text(b, key))
        return Difference{trial, key.substr(1, key.find('/', 1) - 1), key, -1, text(a, key), text(b, key)};
  return std::nullopt;
}

std::optional<Difference> CompareFiles(const fs::path& a, const fs::path& b) {
  const Trace left = ReadTrace(a.string());
  const Trace right = ReadTrace(b.string());
  const std::string trial = a.filename().string();
  for (const Table& table : left.tables) {
    const Table* other = right.Find(table.name);
    if (other == nullptr) return Difference{trial, table.name, "", -1, "present", "missing"};
    if (auto difference = CompareTables(trial, table, *other)) return difference;
  }
  for (const Table& table : right.tables)
    if (left.Find(table.name) == nullptr) return Difference{trial, table.name, "", -1, "missing", "present"};
  return CompareJson(trial, left.ComparableJson(), right.ComparableJson());
}

// The traces below a folder.
struct TraceDigests {
  explicit TraceDigests(const fs::path& folder);
  // Position of a path; size of the list if it has none.
  std::size_t Find(const std::string& path) const {
    const auto position = std::ranges::lower_bound(paths, path);
    return position == paths.end() || *position != path ? paths.size()
                                                        : static_cast<std::size_t>(position - paths.begin());
  }

  std::vector<std::string> paths;  // below the folder, sorted
  // For traces in segments, digests of their summary rows as hexadecimal digits; else zeros. Traces with
  // equal rows agree: a row contains the hash of the spec, the digest of the columns, and the summary.
  std::vector<std::array<char, 64>> digests;
};

TraceDigests::TraceDigests(const fs::path& folder) : paths(TracesBelow(folder)), digests(paths.size()) {
  for (const fs::path& result_folder : ResultFoldersBelow(folder)) {
    const FolderListing listing(result_folder);
    const auto index = SegmentIndex::Of(result_folder);
    const fs::path below = fs::relative(result_folder, folder);
    const auto add = [&](std::uint32_t number) {
      if (index->IsDamaged(number)) return;
      const Segment segment(index->segments()[number]);
      const std::vector<std::string> texts = segment.Rows();
      nlohmann::json scratch;
      for (std::uint32_t i = 0; i < texts.size(); ++i) {
        const std::string& file = segment.files()[i];
        const auto* newest = index->Find(file);
        const std::size_t place = Find((below / file).lexically_normal());
        // A trace file hides the trace in the segment.
        if (place == paths.size() || newest->segment != number || newest->position != i ||
            listing.HasFile(file))
          continue;
        try {
          Sha256Hex(ReproducibleText(ParseRow(texts[i], scratch)))
              .copy(digests[place].data(), digests[place].size());
        } catch (const TraceError&) {  // the trace is read instead
        }
      }
    };
    tbb::parallel_for(std::uint32_t{0}, static_cast<std::uint32_t>(index->segments().size()), add);
  }
}

}  // namespace

Comparison Compare(const std::string& a, const std::string& b) {
  for (const std::string& path : {a, b})
    if (!fs::exists(path)) throw SpecError(path + ": no such file or folder");
  if (fs::is_directory(a) != fs::is_directory(b))
    throw SpecError("compare needs two trace files or two folders");
  Comparison out;
  if (!fs::is_directory(a)) {
    out.compared = 1;
    if (auto difference = CompareFiles(a, b)) out.differences.push_back(*difference);
    return out;
  }
  const TraceDigests left(a), right(b);
  for (std::size_t i = 0; i < left.paths.size(); ++i) {
    const std::string& path = left.paths[i];
    const std::size_t other = right.Find(path);
    if (other == right.paths.size()) {
      out.differences.push_back({path, "", "", -1, "present", "missing"});
      continue;
    }
    ++out.compared;
    if (left.digests[i].front() != 0 && left.digests[i] == right.digests[other]) continue;
    if (auto difference = CompareFiles(a / fs::path(path), b / fs::path(path)))
      out.differences.push_back(*difference);
  }
  for (const std::string& path : right.paths)
    if (left.Find(path) == left.paths.size())
      out.differences.push_back({path, "", "", -1, "missing", "present"});
  if (out.compared == 0 && out.differences.empty()) throw SpecError("no traces found in either folder");
  return out;
}

}  // namespace okbench
