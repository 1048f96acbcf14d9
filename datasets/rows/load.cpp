#include "datasets/rows/load.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "base/sha256.h"
#include "boxes/images/load_images.h"
#include "datasets/formats/format.h"
#include "datasets/generators/generators.h"
#include "datasets/rows/parsed_row_cache.h"
#include "datasets/rows/series.h"
#include "datasets/rows/stream.h"
#include "datasets/rows/transform.h"
#include "datasets/text/term_weights.h"
#include "learners/core/random.h"

namespace okbench {
namespace {

// Sparse rows with a larger share of nonzeros are stored densely. The results have the same bits, but are
// faster.
constexpr double kDenseShare = 0.25;

// Returns rows skip .. skip + count - 1 of a file, or all rows if `whole`. Throws DataError for a wrong
// number of rows.
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

// A file of a part. Reads and verifies its content on demand.
class PartFile {
 public:
  explicit PartFile(FoundFile location) : location_(std::move(location)) {}
  const std::string& path() const { return location_.path; }
  const std::string& Content() {
    if (!content_) content_ = ReadVerified(location_);
    return *content_;
  }
  // Identity of the content for the row cache: size, modification time and digest. A modified file thus
  // misses the cache and is verified again.
  std::string Identity() {
    std::error_code gone;
    std::ostringstream text;
    text << std::filesystem::file_size(location_.path, gone) << ':'
         << std::filesystem::last_write_time(location_.path, gone).time_since_epoch().count() << ':';
    if (!location_.file.sha256.empty())
      text << location_.file.sha256;
    else if (!location_.file.file_sha256.empty())
      text << "file:" << location_.file.file_sha256;
    else
      text << Sha256Hex(Content());
    return text.str();
  }

 private:
  FoundFile location_;
  std::optional<std::string> content_;
};

// The key of the row cache: everything that determines the rows of a part.
std::string IdentityOf(const Format& format, const FormatInput& input, const DataPart& part, bool whole,
                       std::vector<PartFile>& files) {
  std::ostringstream text;
  text << format.name << '|' << input.features << '|' << part.rows << '|' << (whole ? "whole" : "slice")
       << '|' << part.skip << '|' << input.inputs << '|' << input.horizon;
  if (format.documents)
    text << '|' << input.documents.folder << '|' << input.documents.train_folder << '|'
         << static_cast<int>(input.documents.extent) << '|' << static_cast<int>(input.documents.weights);
  if (input.table != nullptr) text << '|' << IdentityText(*input.table);
  for (PartFile& file : files) text << '|' << file.Identity();
  for (const std::string& token : input.labels.tokens()) text << '|' << token.size() << ':' << token;
  return text.str();
}

// Reads the rows of a part from the row cache or from its files.
template <class T>
RawRows<T> ReadPart(const DataSet& set, const std::string& name, const DataRequest& request,
                    const DataFolders& folders) {
  const DataPart& part = set.parts.at(name);
  const Format* format = FindFormat(set.format);
  if (format == nullptr) throw DataError("data set '" + set.name + "': unknown format '" + set.format + "'");
  std::vector<PartFile> files;
  for (const DataFile& file : part.files) {
    const auto location = Locate(file, folders);
    if (!location) throw DataError(file.name, 0, 0, "not found in " + folders.Names());
    files.emplace_back(*location);
  }
  if (files.size() != format->files)
    throw DataError("data set '" + set.name + "': " + format->name + " needs " + format->needs);
  // A part is the whole file, unless the parts share a file. Parts of documents are folders instead.
  const bool shared =
      set.parts.size() > 1 && !format->documents &&
      set.parts.begin()->second.files[0].name == std::next(set.parts.begin())->second.files[0].name;
  if (shared && !format->shared_files)
    throw DataError(files[0].path(), 0, 0, "parts can share a file only in dense formats");
  const LabelMap labels(set.labels);
  FormatInput input{.files = {},
                    .features = set.features,
                    .inputs = set.inputs,
                    .horizon = set.horizon,
                    .table = set.table ? &*set.table : nullptr,
                    .labels = labels,
                    .documents = {.folder = part.folder,
                                  .train_folder = set.parts.at("train").folder,
                                  .extent = request.text.value_or(TextExtent::kBody),
                                  .weights = request.term_weights.value_or(TermWeights::kCounts)}};
  const ParsedRowCache cache(folders.cache);
  const std::string identity = IdentityOf(*format, input, part, !shared, files);
  if (auto kept = cache.Find<T>(identity)) return std::move(*kept);
  std::vector<FileText> texts;
  for (PartFile& file : files) texts.push_back({file.path(), file.Content()});
  input.files = texts;
  RawRows<T> rows = Slice(format->Read<T>(input), texts[0].name, part.skip, part.rows, !shared);
  cache.Keep(identity, rows);
  return rows;
}

// Generates the rows of a part. Documents get the same weights as documents from files.
template <class T>
RawRows<T> GeneratePart(const DataSet& set, const std::string& name, const DataRequest& request) {
  const auto generate = [&](const std::string& part) {
    return Generate<T>(set, part, request.rows > 0 ? request.rows : set.parts.at(part).rows, request.skip);
  };
  RawRows<T> rows = generate(name);
  if (set.documents() && request.term_weights == TermWeights::kTfIdf)
    WeighTerms(CountDocuments(name == "train" ? rows : generate("train")), rows);
  return rows;
}

}  // namespace

template <class T>
Examples<T> Load(const DataSet& given, const DataRequest& request, const DataFolders& folders) {
  const DataSet set = IsSeries(given) ? Embedded(given, request) : given;
  if (set.images) return LoadImages<T>(set, request, folders);
  RawRows<T> rows;
  bool first = true;
  for (const auto& name : PartsOf(set, request)) {
    RawRows<T> more = request.force_synthetic || set.generated() ? GeneratePart<T>(set, name, request)
                                                                 : ReadPart<T>(set, name, request, folders);
    if (first)
      rows = std::move(more);
    else
      Append(rows, std::move(more));
    first = false;
  }
  if (rows.sparse() && IntegerScaleOf(set, request)) Densify(rows);
  auto whole = IntegerRowsOf(set, request, rows);
  Transform(set, request, rows);
  const auto cells = static_cast<double>(rows.labels.size() * rows.features);
  if (rows.sparse() && static_cast<double>(rows.values.size()) > kDenseShare * cells) Densify(rows);
  if (set.kind == LabelKind::kReal) {
    if (rows.sparse()) Densify(rows);  // regression sets have few features
    return Examples<T>::Regression(rows.features, std::move(rows.values), std::move(rows.real))
        .WithIntegers(std::move(whole));
  }
  const bool binary = set.kind == LabelKind::kBinary || !request.positive.empty();
  const LabelKind kind = binary ? LabelKind::kBinary : LabelKind::kMulticlass;
  const int classes = binary ? 2 : static_cast<int>(set.labels.size());
  auto labels = FinalLabels(set, request, std::move(rows.labels));
  if (rows.sparse())
    return Examples<T>::Sparse(rows.features, std::move(rows.offsets), std::move(rows.indices),
                               std::move(rows.values), std::move(labels), kind, classes);
  return Examples<T>::Dense(rows.features, std::move(rows.values), std::move(labels), kind, classes)
      .WithIntegers(std::move(whole));
}

// Returns a sample of the rows in file order. Larger samples contain smaller ones.
std::vector<std::uint32_t> SampleRows(const std::string& name, std::size_t rows, std::size_t count) {
  Random random(DeriveSeed({{"data", name}, {"purpose", "sample"}}));
  std::vector<std::uint32_t> sample(rows);
  std::iota(sample.begin(), sample.end(), 0U);
  DrawToFront(std::span(sample), count, random);
  sample.resize(count);
  std::sort(sample.begin(), sample.end());
  return sample;
}

template <class T>
Examples<T> Subset(const Examples<T>& examples, const DataRequest& request) {
  if (request.sample && *request.sample < examples.size()) {
    DataRequest rest = request;
    rest.sample.reset();
    return Subset(examples.Subset(SampleRows(request.name, examples.size(), *request.sample)), rest);
  }
  const std::size_t count = request.first > 0 ? std::min(request.first, examples.size()) : examples.size();
  if (request.fold) {
    const auto& [folds, fold, held_out] = *request.fold;
    return examples.Subset(FoldRows(
        count, folds, fold, held_out,
        DeriveSeed(
            {{"data", request.name}, {"folds", std::to_string(folds)}, {"purpose", "cross validation"}})));
  }
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
  if (const StructuredInputs* inputs = examples.structured())
    inputs->Hash([&](const void* bytes, std::size_t size) { digest.Update(bytes, size); });
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
