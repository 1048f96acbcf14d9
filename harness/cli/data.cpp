// `okbench data list|show|verify|path|words|clean [NAME...]`. `data add` and `data fetch` are Python verbs.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "boxes/images/load_images.h"
#include "datasets/rows/load.h"
#include "datasets/rows/parsed_row_cache.h"
#include "harness/cli/data_sets.h"
#include "harness/cli/printing.h"
#include "harness/cli/python_verbs.h"
#include "harness/cli/verb.h"
#include "harness/cost/estimate.h"
#include "harness/spec/catalogs.h"
#include "harness/spec/label_trees.h"

namespace okbench {
namespace {

struct DataOptions {
  std::string action;
  bool own = false;
  std::vector<std::string> names;
};

// The named data sets; all if no names are given. A name such as voc2007 selects all sets voc2007-*.
std::vector<DataSet> SetsOf(const std::vector<std::string>& names, const Catalog& catalog) {
  std::vector<DataSet> sets;
  if (names.empty())
    for (const auto& [name, set] : catalog.sets()) sets.push_back(set);
  for (const std::string& name : names) {
    // A common prefix: voc2007 for voc2007-car, voc2007-cat, ...
    const std::size_t before = sets.size();
    if (!catalog.sets().contains(name))
      for (const auto& [known, set] : catalog.sets())
        if (known.starts_with(name + "-")) sets.push_back(set);
    if (sets.size() == before) sets.push_back(catalog.Find(name));
  }
  return sets;
}

// Names of a file and its alternatives: "a.tar.gz or a.tar.xz".
std::string Names(const DataFile& file) {
  std::string names;
  for (const DataFile& choice : FileChoices(file)) names += (names.empty() ? "" : " or ") + choice.name;
  return names;
}

// The files of the sets without duplicates. Two parts may share a file but not all its alternatives.
std::vector<DataFile> FilesOf(const std::vector<DataSet>& sets) {
  std::vector<DataFile> files;
  std::set<std::string> seen;
  for (const DataSet& set : sets)
    for (const auto& [part, info] : set.parts)
      for (const DataFile& file : info.files)
        if (seen.insert(Names(file)).second) files.push_back(file);
  return files;
}

bool AreHere(const DataSet& set, const DataFolders& folders) {
  const auto files = FilesOf({set});
  return std::all_of(files.begin(), files.end(),
                     [&](const DataFile& file) { return Locate(file, folders).has_value(); });
}

std::string TreeText(const LabelTree& tree) {
  return fmt::format("{} nodes, {} leaves, depth {}", tree.nodes(), tree.classes(), tree.depth());
}

// Reads every part and prints its rows, features and labels.
void PrintRead(const DataSet& set, const DataFolders& folders) {
  const auto& names = set.class_names.size() == set.labels.size() ? set.class_names : set.labels;
  for (const auto& [part, info] : set.parts) {
    const auto rows = Load<float>(set,
                                  {.name = set.name,
                                   .part = part,
                                   .text = set.documents() ? std::optional(TextExtent::kBody) : std::nullopt},
                                  folders);
    std::map<std::int32_t, std::size_t> counts;
    for (const std::int32_t label : rows.labels()) ++counts[label];
    std::string classes;
    if (set.kind != LabelKind::kReal && counts.size() <= 20)
      for (const auto& [label, count] : counts) {
        const std::size_t c = set.kind == LabelKind::kBinary ? (label > 0 ? 1 : 0) : std::size_t(label);
        classes += fmt::format("{}{} ({})", classes.empty() ? ", labels " : ", ", names[c], count);
      }
    fmt::print("read      {} {}: {} rows, {} features{}\n", set.name, part, rows.size(), rows.features(),
               set.kind == LabelKind::kReal ? ", real targets"
               : classes.empty()            ? fmt::format(", {} classes", counts.size())
                                            : classes);
  }
}

// Verifies all files that exist; of each file at least one alternative must exist. Then reads the data sets
// and builds their label trees. Returns the exit status.
int Verify(const std::vector<DataSet>& sets, const DataFolders& folders) {
  int missing = 0;
  std::set<std::string> verified;
  for (const DataFile& file : FilesOf(sets)) {
    int here = 0;
    for (const DataFile& choice : FileChoices(file)) {
      const auto location = Locate(choice, folders);
      if (!location) continue;
      ++here;
      if (!verified.insert(location->path).second) continue;
      ReadVerified(*location);
      fmt::print("verified  {}\n", location->path);
    }
    if (here > 0) continue;
    fmt::print("missing   {}\n", Names(file));
    ++missing;
  }
  if (missing > 0) fmt::print("okbench data fetch downloads what is missing\n");
  for (const DataSet& set : sets) {
    if (set.generated() || !AreHere(set, folders)) continue;
    if (set.images)
      fmt::print("present   {}: not verified; okbench data words {} reads its images\n", set.name, set.name);
    else
      PrintRead(set, folders);
  }
  for (const DataSet& set : sets)
    if (set.tree)
      fmt::print("verified  {}: tree of {}\n", set.name,
                 TreeText(MakeLabelTree(set, LabelTree::Shape::kFull)));
  return missing == 0 ? 0 : 1;
}

int Paths(const std::vector<DataFile>& files, const DataFolders& folders) {
  int missing = 0;
  std::set<std::string> printed;
  for (const DataFile& file : files) {
    const auto location = Locate(file, folders);
    if (location) {
      if (printed.insert(location->path).second) fmt::print("{}\n", location->path);
      continue;
    }
    fmt::print(stderr, "okbench: {} is in none of {}; download it with okbench data fetch\n", Names(file),
               folders.Names());
    ++missing;
  }
  return missing == 0 ? 0 : 1;
}

// Computes the visual words of image data sets, or verifies the cached words. Returns the exit status.
int MakeWordsOf(const std::vector<DataSet>& sets, const DataFolders& folders) {
  int missing = 0;
  for (const DataSet& set : sets) {
    if (!set.images) continue;
    if (!AreHere(set, folders)) {
      fmt::print("missing   {}: its files are in none of {}\n", set.name, folders.Names());
      ++missing;
      continue;
    }
    const WordsReport report = PrepareWords(set, folders);
    fmt::print("{}  {}: {} words, {} training images{}\n", report.is_new ? "made    " : "verified", set.name,
               report.words, report.training_images,
               report.file.empty() ? "; the cache is not writable" : ", " + report.file);
  }
  return missing == 0 ? 0 : 1;
}

int Show(const std::vector<DataSet>& sets, const DataFolders& folders) {
  const auto line = [](const std::string& what, const std::string& text) {
    fmt::print("  {:<9} {}\n", what, text);
  };
  for (const DataSet& set : sets) {
    fmt::print("{}: {}\n", set.name, set.title);
    line("format", set.format);
    if (set.images)
      line("words",
           fmt::format("{}{}, descriptors of {} x {} cells of {} pixels, every {} pixels",
                       set.images->words.words(), set.images->words.colour ? " in two vocabularies" : "",
                       set.images->words.cells, set.images->words.cells, set.images->words.cell,
                       set.images->words.step));
    if (!set.images)
      line("features", set.documents() ? "the words of the training part" : std::to_string(set.features));
    if (set.integer_scale > 0)
      line("values", fmt::format("integers{} from {:g} to {:g}",
                                 set.integer_scale > 1 ? fmt::format(" / {}", set.integer_scale) : "",
                                 set.low, set.high));
    if (!set.labels.empty()) line("classes", std::to_string(set.labels.size()));
    for (const auto shape :
         {LabelTree::Shape::kTwoLevels, LabelTree::Shape::kCollapsed, LabelTree::Shape::kFull})
      if (set.tree && (set.tree->edges.empty() || shape == LabelTree::Shape::kFull))
        line("tree", fmt::format("{}: {}", ShapeName(shape), TreeText(MakeLabelTree(set, shape))));
    for (const auto& [part, info] : set.parts) line(part, std::to_string(info.rows) + " rows");
    std::set<std::string> printed;
    for (const DataFile& file : FilesOf({set}))
      for (const DataFile& choice : FileChoices(file)) {
        if (!printed.insert(choice.name).second) continue;
        const auto location = Locate(choice, folders);
        line("file", location ? location->path : choice.name + " (missing)");
      }
    line("terms", set.terms);
  }
  return 0;
}

// Lists the data sets that `data add` and `league FILE` have stored, with their size on disk.
int ListOwn(const DataFolders& folders) {
  const std::string path = folders.own + "/catalog.toml";
  Catalog catalog;
  if (std::filesystem::exists(path)) catalog.Read(path);
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& [name, set] : catalog.sets()) {
    std::uintmax_t bytes = 0;
    std::error_code none;  // an entry that was written by hand has no folder
    for (const auto& file : std::filesystem::recursive_directory_iterator(folders.own + "/" + name, none))
      if (file.is_regular_file()) bytes += file.file_size();
    nlohmann::json parts = nlohmann::json::object();
    for (const auto& [part, info] : set.parts) parts[part] = info.rows;
    rows.push_back({{"name", name},
                    {"features", set.features},
                    {"rows", parts},
                    {"size", BytesText(static_cast<double>(bytes))},
                    {"title", set.title}});
  }
  PrintRows(rows, {"name", "features", "rows", "size", "title"});
  fmt::print("{} data set{} of your own in {}\n", rows.size(), rows.size() == 1 ? "" : "s", folders.own);
  return 0;
}

int Clean(const DataFolders& folders) {
  const std::uint64_t bytes = ParsedRowCache(folders.cache).Clean();
  fmt::print("removed   {} of cached rows in {}/rows; okbench recreates them when needed\n",
             BytesText(static_cast<double>(bytes)), folders.cache);
  return 0;
}

// All second words of `okbench data`.
std::vector<std::string> Actions() {
  std::vector<std::string> actions = {"list", "show", "verify", "path", "words", "clean"};
  for (const PythonVerb& verb : PythonVerbs())
    if (verb.name.starts_with("data ")) actions.push_back(verb.name.substr(5));
  return actions;
}

int ActOnData(const DataOptions& options) {
  const DataFolders folders = DataFolders::FromEnvironment();
  if (options.own) {
    if (options.action != "list" || !options.names.empty())
      throw RequestError("--own: is for `okbench data list` without names");
    return ListOwn(folders);
  }
  const Catalog catalog = ReadCatalog();
  if (options.action == "clean") return Clean(folders);
  const std::vector<DataSet> sets = SetsOf(options.names, catalog);
  if (options.action == "verify") return Verify(sets, folders);
  if (options.action == "words") return MakeWordsOf(sets, folders);
  if (options.action == "path") return Paths(FilesOf(sets), folders);
  if (options.action == "show") return Show(sets, folders);
  PrintDataSets(DataSetsJson(catalog, folders));
  return 0;
}

}  // namespace

Verb AddData(CLI::App& program) {
  CLI::App* verb =
      AddVerb(program, "data", "List, show, fetch, add and verify data sets; clean the row cache",
              "okbench data add measurements.csv --name mine --label y");
  const auto options = std::make_shared<DataOptions>();
  AddOption(
      *verb, "action", options->action,
      "list, show, verify, path (prints file paths), words (makes visual words), clean (empties the row "
      "cache); add, fetch, missing, pack and remove have their own --help",
      {.required = true, .one_of = Actions()});
  AddOption(*verb, "name", options->names, "Data sets (default: all)");
  AddFlag(*verb, "--own", options->own, "list: only data sets of your own, with their size on disk");
  return {verb, [options] { return ActOnData(*options); }};
}

}  // namespace okbench
