#include "datasets/catalog/catalog.h"

#include <toml++/toml.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/names.h"
#include "base/nearest.h"
#include "base/whole_file.h"
#include "datasets/catalog/catalog_entry.h"
#include "datasets/formats/format.h"

namespace okbench {
namespace {

using Entry = CatalogEntry;

// Upper limits. Larger values are mistakes that would exhaust time or memory before they fail.
constexpr std::uint64_t kMaxRows = 1'000'000'000, kMaxFeatures = 100'000'000, kMaxSide = 10'000;

// Reads the files of a part, or the alternatives of a file.
std::vector<DataFile> ReadFiles(const std::string& file, const toml::table& table, const std::string& where,
                                const char* key) {
  const Entry entry(file, table, where);
  std::vector<DataFile> list;
  const toml::array* files = table[key].as_array();
  if (files == nullptr || files->empty()) entry.Fail(key, "must be a list of files");
  for (const auto& node : *files) {
    if (!node.is_table())
      entry.Fail(key, "must contain tables with name and sha256, file_sha256 or file_md5");
    const std::string here = where + "." + key;
    const Entry item(file, *node.as_table(), here);
    if (!IsInnerName(item.Get<std::string>("name")))
      item.Fail("name", "must be a relative path without '..' or control characters");
    DataFile read{
        .name = item.Get<std::string>("name"), .urls = item.List<std::string>("urls", true), .sha256 = {}};
    read.package = item.Get<std::string>("package", "");
    read.installed = item.Get<std::string>("installed", "");
    if (read.package.empty() != read.installed.empty())
      item.Fail("package", "must be given together with installed");
    if (!read.installed.empty() && read.installed.front() != '/')
      item.Fail("installed", "must be an absolute path");
    read.file_md5 = item.Get<std::string>("file_md5", "");
    if (item.Has("file_md5")) {
      if (item.Has("sha256")) item.Fail("file_md5", "cannot be combined with sha256");
    } else if (item.Has("file_sha256")) {
      read.file_sha256 = item.Get<std::string>("file_sha256");
      if (item.Has("sha256")) item.Fail("file_sha256", "cannot be combined with sha256");
    } else {
      read.sha256 = item.Get<std::string>("sha256");
    }
    if (item.Has("alternatives")) read.alternatives = ReadFiles(file, *node.as_table(), here, "alternatives");
    for (const DataFile& other : read.alternatives)
      if (!other.alternatives.empty()) item.Fail("alternatives", "must not be nested");
    list.push_back(std::move(read));
  }
  return list;
}

DataPart ReadPart(const std::string& file, const toml::table& table, const std::string& where,
                  const DataSet& set) {
  const Entry entry(file, table, where);
  entry.RequireKeys({"rows", "skip", "files", "folder", "delays"});
  DataPart part;
  part.rows = entry.Within<std::size_t>("rows", 1, kMaxRows);
  part.skip = entry.Within<std::size_t>("skip", 0, kMaxRows, 0);
  if (set.generated()) return part;
  part.files = ReadFiles(file, table, where, "files");
  if (entry.Has("delays")) part.delays = ReadFiles(file, table, where, "delays").front();
  if (!set.documents() && entry.Has("folder")) entry.Fail("folder", "is allowed only for documents");
  if (!set.documents()) return part;
  part.folder = entry.Get<std::string>("folder");
  if (!IsInnerName(part.folder))
    entry.Fail("folder", "must be a relative path without '..' or control characters");
  if (part.skip > 0) entry.Fail("skip", "is not allowed for documents; use folder");
  return part;
}

ClassTree ReadTree(const std::string& file, const Entry& set, const std::string& name) {
  const toml::table& table = set.Table("tree");
  const Entry entry(file, table, name + ".tree");
  ClassTree tree;
  if (entry.Has("separator") == entry.Has("edges"))
    set.Fail("tree", "must have either separator = \".\" or edges = [[\"parent\", \"child\"], ...]");
  if (entry.Has("separator")) {
    const auto separator = entry.Get<std::string>("separator");
    if (separator.size() != 1) entry.Fail("separator", "must be a single character");
    tree.separator = separator[0];
    return tree;
  }
  const toml::array* edges = table["edges"].as_array();
  if (edges == nullptr || edges->empty())
    entry.Fail("edges", "must be a list of pairs [\"parent\", \"child\"]");
  for (const auto& node : *edges) {
    const toml::array* pair = node.as_array();
    if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_string() || !(*pair)[1].is_string())
      entry.Fail("edges", "must be a list of pairs [\"parent\", \"child\"]");
    tree.edges.emplace_back(**(*pair)[0].as_string(), **(*pair)[1].as_string());
  }
  return tree;
}

// Checks that the parts of documents are folders of one archive, and that the number of words is set once.
void CheckDocuments(const Entry& entry, const DataSet& set) {
  if (set.features != 0) entry.Fail("features", "must be omitted: documents have one feature per word");
  if (!set.generator.topics && !set.generator.name.empty())
    entry.Fail("synthetic", "must use the generator topics for documents");
  for (const auto& [name, part] : set.parts)
    if (part.files[0].name != set.parts.at("train").files[0].name)
      entry.Fail(name, "must be a folder of the same archive as train");
}

// Reads a list of row or concept numbers.
std::vector<std::uint64_t> ReadCounts(const Entry& entry, const char* key, bool increasing) {
  std::vector<std::uint64_t> list;
  for (const std::int64_t value : entry.List<std::int64_t>(key, true)) {
    list.push_back(static_cast<std::uint64_t>(value));
    if (value < 0 || list.back() > kMaxRows) entry.Fail(key, "must be from 0 to " + std::to_string(kMaxRows));
    const std::size_t n = list.size();
    if (increasing && n > 1 && list[n - 1] <= list[n - 2]) entry.Fail(key, "must increase");
  }
  return list;
}

DriftSpec ReadDrift(const std::string& file, const toml::table& table, const std::string& where) {
  const Entry entry(file, table, where);
  entry.RequireKeys({"changes", "concepts", "width", "positive_shares", "noise"});
  DriftSpec drift{ReadCounts(entry, "changes", true), ReadCounts(entry, "concepts", false),
                  entry.Within<std::uint64_t>("width", 0, kMaxRows, 0),
                  entry.List<double>("positive_shares", true), entry.Get<double>("noise", 0)};
  for (const double share : drift.positive_shares)
    if (!(share > 0 && share < 1)) entry.Fail("positive_shares", "must be > 0 and < 1");
  if (!(drift.noise >= 0 && drift.noise < 1)) entry.Fail("noise", "must be a share >= 0 and < 1");
  return drift;
}

GeneratorSpec ReadGenerator(const std::string& file, const Entry& set, const std::string& name,
                            const char* key) {
  const Entry entry(file, set.Table(key), name + "." + key);
  entry.RequireKeys({"name", "generator", "side", "active", "levels", "positive_share", "margin", "noise",
                     "scale", "period", "drift", "words", "length"});
  GeneratorSpec spec;
  spec.name = entry.Get<std::string>(set.Has("generator") ? "name" : "generator");
  spec.side = entry.Within<int>("side", 0, kMaxSide, 0);
  spec.active = entry.Within<int>("active", 0, kMaxFeatures, 0);
  spec.levels = entry.Within<int>("levels", 0, kMaxFeatures, 0);
  spec.positive_share = entry.Get<double>("positive_share", 0.5);
  spec.margin = entry.Get<double>("margin", 0);
  spec.noise = entry.Get<std::string>("noise", "gaussian");
  if (spec.noise != "gaussian" && spec.noise != "student") entry.Fail("noise", "must be gaussian or student");
  spec.scale = entry.Get<double>("scale", 0);
  spec.period = entry.Within<int>("period", 0, kMaxRows, 0);
  if (entry.Has("drift")) spec.drift = ReadDrift(file, entry.Table("drift"), name + "." + key + ".drift");
  if (spec.name == "topics")
    spec.topics = TopicsSpec{.words = entry.Within<std::size_t>("words", 1, kMaxFeatures),
                             .length = entry.Within<std::size_t>("length", 1, kMaxFeatures)};
  return spec;
}

// Format names for messages: "csv, esl, ".
std::string FormatNames() {
  std::string names;
  for (const Format& format : Formats()) names += format.name + ", ";
  return names;
}

// Reads the table [NAME.words].
WordOptions ReadWords(const std::string& file, const Entry& set, const std::string& name) {
  const Entry entry(file, set.Table("words"), name + ".words");
  WordOptions words;
  words.count = entry.Get<std::size_t>("count");
  words.colour = entry.Get<bool>("colour", words.colour);
  words.step = entry.Get<int>("step", words.step);
  words.cell = entry.Get<int>("cell", words.cell);
  words.cells = entry.Get<int>("cells", words.cells);
  if (words.count < 1 || words.count > 20000) entry.Fail("count", "must be 1 to 20000");
  if (words.step < 1 || words.cell < words.step || words.cell % words.step != 0 || words.cell > 64)
    entry.Fail("cell", "must be a multiple of step, at most 64");
  if (words.cells < 1 || words.cells > 4) entry.Fail("cells", "must be 1 to 4");
  return words;
}

// Reads a data set of images with boxes.
DataSet ReadImages(const std::string& file, const Entry& entry, DataSet set) {
  set.kind = LabelKind::kStructured;
  if (entry.Get<std::string>("kind") != "structured")
    entry.Fail("kind", "must be structured for format images");
  set.terms = entry.Get<std::string>("terms");
  ImagesSpec images;
  images.category = entry.Get<std::string>("category");
  images.categories = entry.Get<std::string>("categories", images.category);
  images.words = ReadWords(file, entry, set.name);
  images.single = entry.Get<bool>("single", false);
  if (entry.Has("split")) {
    const Entry split(file, entry.Table("split"), set.name + ".split");
    images.split.by = split.Get<std::string>("by");
    if (images.split.by != "given" && images.split.by != "half" && images.split.by != "group")
      split.Fail("by", "must be given, half or group");
    images.split.second = split.Get<bool>("second", false);
    images.split.group = split.Get<int>("group", 1);
    if (images.split.group < 1) split.Fail("group", "must be at least 1");
    images.split.seed = split.Get<std::uint64_t>("seed", 0);
    images.split.from = split.Get<std::string>("from", "");
  }
  images.layout = entry.Get<std::string>("layout", "");
  if (!images.layout.empty() && images.layout != "voc2007" && images.layout != "caltech101" &&
      images.layout != "pascal1")
    entry.Fail("layout", "must be voc2007, caltech101 or pascal1");
  images.side = entry.Get<int>("side", 0);
  if (!images.layout.empty() && images.side < 1) entry.Fail("side", "must be at least 1 with a layout");
  images.published = !images.layout.empty() && entry.Get<bool>("published", false);
  images.most = entry.Get<std::uint64_t>("most", 0);
  set.images = images;
  set.generator.name = "shapes";
  for (const char* part : {"train", "test"})
    set.parts[part] = ReadPart(file, entry.Table(part), set.name + "." + part, set);
  return set;
}

// Reads integer_scale. Larger scales than 10^6 would exceed the 16-bit integers of IntegerRows.
void ReadWhole(const Entry& entry, DataSet& set) {
  constexpr int kMax = 1'000'000;
  if (!entry.Has("integer_scale")) return;
  set.integer_scale = entry.Get<int>("integer_scale");
  const auto is_integer = [&](double value) {
    return value * set.integer_scale == std::nearbyint(value * set.integer_scale);
  };
  if (set.documents()) entry.Fail("integer_scale", "must be omitted for documents");
  if (set.integer_scale < 1 || set.integer_scale > kMax)
    entry.Fail("integer_scale", "must be from 1 to " + std::to_string(kMax));
  if (!is_integer(set.low) || !is_integer(set.high))
    entry.Fail("integer_scale", "times the limits of range must be integers");
}

// Reads the table [NAME.table].
TableSpec ReadTable(const std::string& file, const Entry& set, const std::string& name,
                    std::size_t features) {
  const Entry entry(file, set.Table("table"), name + ".table");
  entry.RequireKeys({"separator", "header", "target", "target_range", "columns", "low", "high"});
  const auto separator = entry.Get<std::string>("separator", ",");
  if (separator.size() != 1) entry.Fail("separator", "must be one character");
  TableSpec spec{.separator = separator[0], .header = entry.Get<bool>("header", false)};
  const auto column = [&entry](const char* key, std::uint64_t position, double low, double high) {
    if (!(low < high)) entry.Fail(key, "must have a low below its high");
    return TableColumn{.column = static_cast<std::size_t>(position), .low = low, .high = high};
  };
  const auto target_range = entry.List<double>("target_range");
  if (target_range.size() != 2) entry.Fail("target_range", "must be [low, high]");
  spec.target = column("target_range", entry.Within<std::uint64_t>("target", 0, kMaxFeatures),
                       target_range[0], target_range[1]);
  const auto positions = ReadCounts(entry, "columns", false);
  const auto low = entry.List<double>("low"), high = entry.List<double>("high");
  if (positions.size() != features) entry.Fail("columns", "must list as many columns as there are features");
  if (low.size() != features) entry.Fail("low", "must list one value per feature");
  if (high.size() != features) entry.Fail("high", "must list one value per feature");
  for (std::size_t f = 0; f < features; ++f) {
    if (positions[f] == spec.target.column) entry.Fail("columns", "must not list the target");
    spec.columns.push_back(column("low", positions[f], low[f], high[f]));
  }
  if (std::set(positions.begin(), positions.end()).size() != features)
    entry.Fail("columns", "lists a column twice");
  return spec;
}

// Keys of a data set, those of images included. `data add` writes where its rows are from, as `source`.
const std::vector<std::string> kKeys = {
    "title",   "format",    "features",    "range",     "integer_scale", "kind",   "labels",   "terms",
    "image",   "synthetic", "train",       "generator", "test",          "tree",   "table",    "inputs",
    "horizon", "like",      "class_names", "by_class",  "change_points", "source", "split",    "side",
    "words",   "category",  "categories",  "most",      "layout",        "single", "published"};

DataSet ReadSet(const std::string& file, const toml::table& table, const std::string& name) {
  const Entry entry(file, table, name);
  entry.RequireKeys(kKeys);
  DataSet set;
  set.name = name;
  set.title = entry.Get<std::string>("title");
  set.format = entry.Get<std::string>("format");
  const Format* format = FindFormat(set.format);
  if (set.format == "images") return ReadImages(file, entry, std::move(set));
  if (format == nullptr && !set.generated())
    entry.Fail("format", "must be one of " + FormatNames() + "images, generated");
  set.features = set.documents() ? entry.Within<std::size_t>("features", 0, kMaxFeatures, 0)
                                 : entry.Within<std::size_t>("features", 1, kMaxFeatures);
  if (set.format == "series") {
    set.inputs = entry.Within<std::size_t>("inputs", 1, set.features, 1);
    set.horizon = entry.Within<std::size_t>("horizon", 1, kMaxRows, 1);
    if (set.features % set.inputs != 0) entry.Fail("inputs", "must divide the features");
  }
  set.image = entry.List<int>("image", true);
  if (set.documents() && entry.Has("range")) entry.Fail("range", "must be omitted for documents");
  if (!set.documents()) {
    const auto range = entry.List<double>("range");
    if (range.size() != 2 || !(range[0] < range[1]))
      entry.Fail("range", "must be [low, high] with low < high");
    set.low = range[0];
    set.high = range[1];
  }
  ReadWhole(entry, set);
  const auto kind = entry.Get<std::string>("kind");
  if (kind != "binary" && kind != "multiclass" && kind != "real")
    entry.Fail("kind", "must be binary, multiclass or real");
  if (kind == "real" && format != nullptr && !format->real_targets)
    entry.Fail("kind", "must not be real: format " + set.format + " has labels");
  set.kind = kind == "binary" ? LabelKind::kBinary
             : kind == "real" ? LabelKind::kReal
                              : LabelKind::kMulticlass;
  if (set.format == "table") {
    if (kind != "real") entry.Fail("kind", "must be real for format table");
    set.table = ReadTable(file, entry, name, set.features);
  }
  set.labels = entry.List<std::string>("labels", set.kind == LabelKind::kReal);
  if (set.labels.size() < 2 && set.kind != LabelKind::kReal)
    entry.Fail("labels", "must list at least two labels");
  if (std::set(set.labels.begin(), set.labels.end()).size() != set.labels.size())
    entry.Fail("labels", "lists a label twice");
  set.class_names = entry.List<std::string>("class_names", true);
  if (set.class_names.empty()) set.class_names = set.labels;
  if (set.kind == LabelKind::kBinary && set.labels.size() != 2)
    entry.Fail("labels", "must be [negative, positive] for a binary set");
  set.terms = entry.Get<std::string>("terms");
  // The synthetic fallback is optional.
  if (set.generated() || entry.Has("synthetic"))
    set.generator = ReadGenerator(file, entry, name, set.generated() ? "generator" : "synthetic");
  for (const char* part : {"train", "test"})
    if (table.contains(part)) set.parts[part] = ReadPart(file, entry.Table(part), name + "." + part, set);
  if (!set.parts.contains("train")) entry.Fail("train", "is missing");
  if (set.documents()) CheckDocuments(entry, set);
  if (entry.Has("tree")) {
    if (set.kind != LabelKind::kMulticlass) entry.Fail("tree", "is allowed only for multiclass sets");
    set.tree = ReadTree(file, entry, name);
  }
  if (entry.Has("by_class")) set.by_class = entry.Get<bool>("by_class");
  set.change_points = ReadCounts(entry, "change_points", true);
  return set;
}

// The table of a set with like = "other", completed by keys of the other set; also the tables of its parts.
toml::table Completed(const std::string& file, const toml::table& root, const std::string& name) {
  toml::table set = *root[name].as_table();
  const std::string other = set["like"].value_or(std::string());
  const toml::table* base = root[other].as_table();
  if (base == nullptr || base->contains("like"))
    throw DataError(file, root[name].node()->source().begin.line, 0,
                    name + ".like: must name a set of this file without 'like'");
  set.erase("like");
  for (const auto& [key, node] : *base) {
    toml::table* part = set[key.str()].as_table();
    if (part == nullptr) set.insert(key, node);
    if (part == nullptr || (key != "train" && key != "test") || !node.is_table()) continue;
    for (const auto& [inner, value] : *node.as_table()) part->insert(inner, value);
  }
  return set;
}

}  // namespace

bool DataSet::documents() const {
  const Format* known = FindFormat(format);
  return known != nullptr && known->documents;
}

void Catalog::Read(const std::string& path) {
  if (!std::filesystem::exists(path)) throw DataError(path, 0, 0, "no such catalog");
  toml::table root;
  try {
    root = toml::parse(WholeFile<DataError>(path), path);
  } catch (const toml::parse_error& error) {
    throw DataError(path, error.source().begin.line, error.source().begin.column,
                    std::string(error.description()));
  }
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    if (!node.is_table()) throw DataError(path, node.source().begin.line, 0, name + ": must be a table");
    const toml::table& own = *node.as_table();
    if (files_.emplace(name, path).first->second != path) replaced_.insert(name);
    // Copies lose their line numbers, so sets without 'like' are read in place.
    sets_[name] =
        own.contains("like") ? ReadSet(path, Completed(path, root, name), name) : ReadSet(path, own, name);
  }
}

const DataSet& Catalog::Find(const std::string& name) const {
  const auto entry = sets_.find(name);
  if (entry != sets_.end()) return entry->second;
  std::vector<std::string> names;
  for (const auto& [known, set] : sets_) names.push_back(known);
  throw DataError("unknown data set '" + name + "'" + DidYouMean(name, names, "see okbench help datasets"));
}

}  // namespace okbench
