// `okbench data list|show|fetch|verify|path|words|clean [NAME...]`.

#include <fmt/core.h>

#include <memory>
#include <set>

#include "datasets/images/load_images.h"
#include "datasets/load.h"
#include "datasets/row_cache.h"
#include "harness/commands/data_sets.h"
#include "harness/commands/verb.h"
#include "harness/cost/estimate.h"
#include "harness/spec/label_trees.h"
#include "harness/system/child.h"
#include "harness/system/paths.h"

namespace okbench {
namespace {

struct DataOptions {
  std::string action;
  std::vector<std::string> names;
};

// The named sets, or all of them.
std::vector<DataSet> SetsOf(const std::vector<std::string>& names, const Catalog& catalog) {
  std::vector<DataSet> sets;
  if (names.empty())
    for (const auto& [name, set] : catalog.sets()) sets.push_back(set);
  for (const std::string& name : names) {
    // What sets of one source share: voc2007 for voc2007-car, voc2007-cat, ...
    const std::size_t before = sets.size();
    if (!catalog.sets().contains(name))
      for (const auto& [known, set] : catalog.sets())
        if (known.starts_with(name + "-")) sets.push_back(set);
    if (sets.size() == before) sets.push_back(catalog.Find(name));
  }
  return sets;
}

// "a.tar.gz or a.tar.xz".
std::string Names(const DataFile& file) {
  std::string names;
  for (const DataFile& choice : FileChoices(file)) names += (names.empty() ? "" : " or ") + choice.name;
  return names;
}

// Their files, each once. Parts may share a file whose alternatives they do not.
std::vector<DataFile> FilesOf(const std::vector<DataSet>& sets) {
  std::vector<DataFile> files;
  std::set<std::string> seen;
  for (const DataSet& set : sets)
    for (const auto& [part, info] : set.parts)
      for (const DataFile& file : info.files)
        if (seen.insert(Names(file)).second) files.push_back(file);
  return files;
}

std::string TreeText(const LabelTree& tree) {
  return fmt::format("{} nodes, {} leaves, depth {}", tree.nodes(), tree.classes(), tree.depth());
}

int Fetch(const std::vector<std::string>& names) {
  std::vector<std::string> words = {PythonInterpreter(), HomeFolder() + "/datasets/fetch.py"};
  for (const std::string& path : CatalogPaths()) words.insert(words.end(), {"--catalog", path});
  words.insert(words.end(), names.begin(), names.end());
  return RunProgram(words);
}

// All choices that are there; of a file at least one must be. Then the trees.
int Verify(const std::vector<DataSet>& sets, const DataFolders& folders) {
  int missing = 0;
  std::set<std::string> verified;
  for (const DataFile& file : FilesOf(sets)) {
    int here = 0;
    for (const DataFile& choice : FileChoices(file)) {
      const auto found = Locate(choice, folders);
      if (!found) continue;
      ++here;
      if (!verified.insert(found->path).second) continue;
      ReadVerified(*found);
      fmt::print("verified  {}\n", found->path);
    }
    if (here > 0) continue;
    fmt::print("missing   {}\n", Names(file));
    ++missing;
  }
  for (const DataSet& set : sets)
    if (set.tree)
      fmt::print("verified  {}: tree of {}\n", set.name,
                 TreeText(MakeLabelTree(set, LabelTree::Shape::kFull)));
  return missing == 0 ? 0 : 1;
}

int Paths(const std::vector<DataFile>& files, const DataFolders& folders) {
  int missing = 0;
  std::set<std::string> told;
  for (const DataFile& file : files) {
    const auto found = Locate(file, folders);
    if (found) {
      if (told.insert(found->path).second) fmt::print("{}\n", found->path);
      continue;
    }
    fmt::print(stderr, "okbench: {} is in neither {} nor the mirror; okbench data fetch gets it\n",
               Names(file), folders.cache);
    ++missing;
  }
  return missing == 0 ? 0 : 1;
}

// Makes the visual words of sets of images, or verifies those that are there.
int Words(const std::vector<DataSet>& sets, const DataFolders& folders) {
  int missing = 0;
  for (const DataSet& set : sets) {
    if (!set.images) continue;
    bool here = true;
    for (const auto& [part, info] : set.parts)
      for (const DataFile& file : info.files) here = here && Locate(file, folders).has_value();
    if (!here) {
      fmt::print("missing   {}: its files are in neither {} nor the mirror\n", set.name, folders.cache);
      ++missing;
      continue;
    }
    const bool whole = WordsOf(set, folders).whole;
    const WordImages images = LoadImages(set, {.name = set.name}, folders);
    const WordsFile file = WordsOf(set, folders);
    fmt::print("{}  {}: {} words, {} training images{}\n", whole ? "verified" : "made    ", set.name,
               images.words, images.images.size(),
               file.whole ? ", " + file.path : "; the cache's folder cannot be written");
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
    if (!set.labels.empty()) line("classes", std::to_string(set.labels.size()));
    for (const auto shape :
         {LabelTree::Shape::kTwoLevels, LabelTree::Shape::kCollapsed, LabelTree::Shape::kFull})
      if (set.tree && (set.tree->edges.empty() || shape == LabelTree::Shape::kFull))
        line("tree", fmt::format("{}: {}", ShapeName(shape), TreeText(MakeLabelTree(set, shape))));
    for (const auto& [part, info] : set.parts) line(part, std::to_string(info.rows) + " rows");
    std::set<std::string> told;
    for (const DataFile& file : FilesOf({set}))
      for (const DataFile& choice : FileChoices(file)) {
        if (!told.insert(choice.name).second) continue;
        const auto found = Locate(choice, folders);
        line("file", found ? found->path : choice.name + " (not here)");
      }
    line("terms", set.terms);
  }
  return 0;
}

int Clean(const DataFolders& folders) {
  const std::uint64_t bytes = RowCache(folders.cache).Clean();
  fmt::print("removed   {} of rows in {}/rows; they are made again when they are asked for\n",
             BytesText(static_cast<double>(bytes)), folders.cache);
  return 0;
}

int ActOnData(const DataOptions& options) {
  const Catalog catalog = ReadCatalog();
  const DataFolders folders = DataFolders::FromEnvironment();
  if (options.action == "clean") return Clean(folders);
  const std::vector<DataSet> sets = SetsOf(options.names, catalog);
  if (options.action == "fetch") {
    std::vector<std::string> names;  // none: the fetcher takes all, but for large files that nobody named
    if (!options.names.empty())
      for (const DataSet& set : sets) names.push_back(set.name);
    return Fetch(names);
  }
  if (options.action == "verify") return Verify(sets, folders);
  if (options.action == "words") return Words(sets, folders);
  if (options.action == "path") return Paths(FilesOf(sets), folders);
  if (options.action == "show") return Show(sets, folders);
  PrintDataSets(DataSetsJson(catalog, folders));
  return 0;
}

}  // namespace

Verb AddData(CLI::App& program) {
  CLI::App* verb = AddVerb(program, "data",
                           "Data sets: list them, show what they are, fetch, verify against sha256, print "
                           "the paths of their files, make the visual words of images, clean what is kept of files read");
  const auto options = std::make_shared<DataOptions>();
  AddOption(*verb, "action", options->action, "list, show, fetch, verify, path, words or clean",
            {.required = true, .one_of = {"list", "show", "fetch", "verify", "path", "words", "clean"}});
  AddOption(*verb, "name", options->names, "Data sets; default: all");
  return {verb, [options] { return ActOnData(*options); }};
}

}  // namespace okbench
