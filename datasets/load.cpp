#include "datasets/load.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <sstream>

#include "datasets/archive.h"
#include "datasets/environment.h"
#include "datasets/error.h"
#include "datasets/formats/format.h"
#include "datasets/generators.h"
#include "datasets/sha256.h"
#include "datasets/stream.h"
#include "learners/core/random.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

// Rows with more nonzeros than this share are kept dense: the same bits, faster.
constexpr double kDenseShare = 0.25;

std::vector<std::string> PartsOf(const DataSet& set, const DataRequest& request) {
  std::vector<std::string> parts = {request.part};
  if (request.part == "all") parts = {"train", "test"};
  for (const auto& part : parts)
    if (!set.parts.contains(part)) throw DataError("data set '" + set.name + "' has no part '" + part + "'");
  return parts;
}

template <class T>
RawRows<T> Slice(RawRows<T> rows, const std::string& file, std::size_t skip, std::size_t count, bool whole) {
  const std::size_t have = rows.labels.size();
  if (whole ? have != count : have < skip + count)
    throw DataError(file, 0, 0,
                    "has " + std::to_string(have) + " rows, expected " + std::to_string(skip + count));
  if (whole) return rows;
  const auto at = [](auto& list, std::size_t first, std::size_t n) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
    list = {begin, begin + static_cast<std::ptrdiff_t>(n)};
  };
  at(rows.labels, skip, count);
  at(rows.values, skip * rows.features, count * rows.features);
  if (!rows.real.targets.empty()) at(rows.real.targets, skip, count);
  return rows;
}

// The rows of a part's files.
template <class T>
RawRows<T> ReadPart(const DataSet& set, const DataPart& part, const DataFolders& folders) {
  const Format* format = FindFormat(set.format);
  if (format == nullptr) throw DataError("data set '" + set.name + "': unknown format '" + set.format + "'");
  std::vector<FileText> texts;
  std::vector<std::string> contents;
  contents.reserve(part.files.size());  // the texts point into them
  for (const DataFile& file : part.files) {
    const auto path = Locate(file, folders);
    if (!path) throw DataError(file.name, 0, 0, "is in neither the cache nor the mirror");
    contents.push_back(ReadVerified(file, *path));
    texts.push_back({*path, contents.back()});
  }
  if (texts.size() != format->files)
    throw DataError("data set '" + set.name + "': " + format->name + " needs " + format->needs);
  // A part is the whole file unless the set's parts share one.
  const bool shared = set.parts.size() > 1 && set.parts.begin()->second.files[0].name ==
                                                  std::next(set.parts.begin())->second.files[0].name;
  if (shared && !format->shared_files)
    throw DataError(texts[0].name, 0, 0, "parts of one file are for dense formats only");
  return Slice(format->Read<T>(texts, set.features, LabelMap(set.labels)), texts[0].name, part.skip,
               part.rows, !shared);
}

template <class T>
void Densify(RawRows<T>& rows) {
  std::vector<T> dense(rows.labels.size() * rows.features, T(0));
  for (std::size_t i = 0; i < rows.labels.size(); ++i)
    for (std::size_t j = rows.offsets[i]; j < rows.offsets[i + 1]; ++j)
      dense[i * rows.features + rows.indices[j]] = rows.values[j];
  rows.values = std::move(dense);
  rows.offsets.clear();
  rows.indices.clear();
}

template <class T>
void Append(RawRows<T>& rows, RawRows<T> more) {
  if (rows.sparse() != more.sparse()) {
    if (rows.sparse()) Densify(rows);
    if (more.sparse()) Densify(more);
  }
  const std::size_t base = rows.values.size();
  rows.values.insert(rows.values.end(), more.values.begin(), more.values.end());
  rows.indices.insert(rows.indices.end(), more.indices.begin(), more.indices.end());
  for (std::size_t i = 1; i < more.offsets.size(); ++i) rows.offsets.push_back(base + more.offsets[i]);
  rows.labels.insert(rows.labels.end(), more.labels.begin(), more.labels.end());
  rows.real.targets.insert(rows.real.targets.end(), more.real.targets.begin(), more.real.targets.end());
  rows.real.truth.insert(rows.real.truth.end(), more.real.truth.begin(), more.real.truth.end());
}

template <class T>
void Transform(const DataSet& set, const DataRequest& request, RawRows<T>& rows) {
  if (request.rescale) {
    const double factor = (request.scale_high - request.scale_low) / (set.high - set.low);
    // A map that moves 0 makes every entry nonzero.
    if (rows.sparse() && std::fma(-set.low, factor, request.scale_low) != 0) Densify(rows);
    for (T& v : rows.values)
      v = static_cast<T>(std::fma(static_cast<double>(v) - set.low, factor, request.scale_low));
  }
  if (!request.unit_norm) return;
  for (std::size_t i = 0; i < rows.labels.size(); ++i) {
    const std::size_t first = rows.sparse() ? rows.offsets[i] : i * rows.features;
    const std::size_t last = rows.sparse() ? rows.offsets[i + 1] : first + rows.features;
    double sum = 0;
    for (std::size_t j = first; j < last; ++j)
      sum = std::fma(static_cast<double>(rows.values[j]), static_cast<double>(rows.values[j]), sum);
    const double norm = std::sqrt(sum);
    if (norm > 0)
      for (std::size_t j = first; j < last; ++j) rows.values[j] = static_cast<T>(rows.values[j] / norm);
  }
}

std::vector<std::int32_t> FinalLabels(const DataSet& set, const DataRequest& request,
                                      std::vector<std::int32_t> classes) {
  if (request.positive.empty() && set.kind != LabelKind::kBinary) return classes;
  std::vector<bool> positive(set.labels.size(), false);
  if (request.positive.empty()) positive[1] = true;
  for (const int c : request.positive) {
    if (c < 0 || static_cast<std::size_t>(c) >= positive.size())
      throw DataError("data set '" + set.name + "' has no class " + std::to_string(c));
    positive[static_cast<std::size_t>(c)] = true;
  }
  for (auto& label : classes) label = positive[static_cast<std::size_t>(label)] ? 1 : -1;
  return classes;
}

// What the catalogue says of a set that changes its rows or labels.
std::string Facts(const DataSet& set) {
  std::ostringstream text;
  text.precision(17);
  text << set.name << ' ' << set.format << ' ' << set.features << ' ' << set.low << ' ' << set.high << ' '
       << static_cast<int>(set.kind) << ' ' << set.generator.name << ' ' << set.generator.side << ' '
       << set.generator.active << ' ' << set.generator.levels << ' ' << set.generator.positive_share;
  for (const std::string& label : set.labels) text << ' ' << label;
  if (set.generated() || set.generator.name == "margin" || set.generator.name == "waves")
    text << ' ' << set.generator.margin << ' ' << set.generator.noise << ' ' << set.generator.scale << ' '
         << set.generator.period;
  return text.str();
}

}  // namespace

DataFolders DataFolders::FromEnvironment() {
  DataFolders folders;
  folders.mirror = Environment("OKBENCH_MIRROR");
  if (!folders.mirror.empty() && !fs::is_directory(folders.mirror))
    throw DataError("OKBENCH_MIRROR=" + folders.mirror + ": no such folder");
  folders.cache = Environment("OKBENCH_CACHE");
  if (folders.cache.empty()) {
    const std::string xdg = Environment("XDG_CACHE_HOME");
    folders.cache = (xdg.empty() ? Environment("HOME") + "/.cache" : xdg) + "/okbench";
  }
  return folders;
}

std::optional<std::string> Locate(const DataFile& file, const DataFolders& folders) {
  std::vector<fs::path> places = {fs::path(folders.cache) / file.name};
  if (!folders.mirror.empty()) {
    places.push_back(fs::path(folders.mirror) / file.name);
    places.push_back(fs::path(folders.mirror) / fs::path(file.name).filename());
  }
  for (const fs::path& place : places)
    if (fs::is_regular_file(place)) return place.string();
  return std::nullopt;
}

DataPlan PlanData(const DataSet& set, const DataRequest& request, const DataFolders& folders) {
  DataPlan plan;
  plan.stand_in = request.force_stand_in;
  plan.image = set.image;
  plan.margin = set.generator.margin;
  Sha256 digest;
  digest.Update(Facts(set));
  for (const auto& name : PartsOf(set, request)) {
    const DataPart& part = set.parts.at(name);
    for (const DataFile& file : part.files) {
      const auto path = Locate(file, folders);
      plan.stand_in = plan.stand_in || !path;
      digest.Update(file.sha256.empty() && path && !request.force_stand_in ? Sha256Hex(ReadContent(*path))
                                                                           : file.sha256);
    }
    digest.Update(name + ":" + std::to_string(part.skip) + ":" + std::to_string(part.rows) + ";");
    plan.rows += part.rows;
  }
  if (set.generated()) plan.stand_in = false;
  if (!plan.stand_in && !set.generated()) {
    plan.digest = "sha256:" + digest.Hex();
    return plan;
  }
  if (request.rows > 0) plan.rows = request.rows * PartsOf(set, request).size();
  // The rows do not depend on how many are made, but streams do.
  plan.digest = (set.generated() ? "generated:v" : "stand-in:v") + std::to_string(kGeneratorVersion) + ":" +
                std::to_string(plan.rows) + ":" + digest.Hex();
  return plan;
}

std::string ReadVerified(const DataFile& file, const std::string& path) {
  std::string content = ReadContent(path);
  if (file.sha256.empty()) return content;
  const std::string digest = Sha256Hex(content);
  if (digest != file.sha256)
    throw DataError(path, 0, 0,
                    "its content has sha256 " + digest + ", the catalogue says " + file.sha256 +
                        "; remove the file and fetch it again");
  return content;
}

template <class T>
Examples<T> Load(const DataSet& set, const DataRequest& request, const DataFolders& folders) {
  RawRows<T> rows;
  bool first = true;
  for (const auto& name : PartsOf(set, request)) {
    const DataPart& part = set.parts.at(name);
    RawRows<T> more = request.force_stand_in || set.generated()
                          ? Generate<T>(set, name, request.rows > 0 ? request.rows : part.rows)
                          : ReadPart<T>(set, part, folders);
    if (first)
      rows = std::move(more);
    else
      Append(rows, std::move(more));
    first = false;
  }
  Transform(set, request, rows);
  const auto cells = static_cast<double>(rows.labels.size() * rows.features);
  if (rows.sparse() && static_cast<double>(rows.values.size()) > kDenseShare * cells) Densify(rows);
  if (set.kind == LabelKind::kReal) {
    if (rows.sparse()) Densify(rows);  // regression sets are narrow
    return Examples<T>::Regression(rows.features, std::move(rows.values), std::move(rows.real));
  }
  const bool binary = set.kind == LabelKind::kBinary || !request.positive.empty();
  const LabelKind kind = binary ? LabelKind::kBinary : LabelKind::kMulticlass;
  const int classes = binary ? 2 : static_cast<int>(set.labels.size());
  auto labels = FinalLabels(set, request, std::move(rows.labels));
  if (rows.sparse())
    return Examples<T>::Sparse(rows.features, std::move(rows.offsets), std::move(rows.indices),
                               std::move(rows.values), std::move(labels), kind, classes);
  return Examples<T>::Dense(rows.features, std::move(rows.values), std::move(labels), kind, classes);
}

template <class T>
Examples<T> Subset(const Examples<T>& examples, const DataRequest& request) {
  const std::size_t count = request.first > 0 ? std::min(request.first, examples.size()) : examples.size();
  if (request.folds > 0)
    return examples.Subset(FoldRows(count, request.folds, request.fold, request.held_out,
                                    DeriveSeed({{"data", request.name},
                                                {"folds", std::to_string(request.folds)},
                                                {"purpose", "cross validation"}})));
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return examples.Subset(rows);
}

template <class T>
std::string ContentDigest(const Examples<T>& examples) {
  Sha256 digest;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const RowView<T> row = examples.row(i);
    digest.Update(row.values, row.count * sizeof(T));
    if (row.indices) digest.Update(row.indices, row.count * sizeof(std::uint32_t));
  }
  digest.Update(examples.labels().data(), examples.labels().size_bytes());
  for (const auto* list : {&examples.real_targets().targets, &examples.real_targets().truth})
    digest.Update(list->data(), list->size() * sizeof(double));
  return digest.Hex();
}

template Examples<float> Load<float>(const DataSet&, const DataRequest&, const DataFolders&);
template Examples<double> Load<double>(const DataSet&, const DataRequest&, const DataFolders&);
template Examples<float> Subset<float>(const Examples<float>&, const DataRequest&);
template Examples<double> Subset<double>(const Examples<double>&, const DataRequest&);
template std::string ContentDigest<float>(const Examples<float>&);
template std::string ContentDigest<double>(const Examples<double>&);

}  // namespace okbench
