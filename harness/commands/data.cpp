// `okbench data list|show|fetch|verify|path|words|clean [NAME...]`, `okbench data add FILE --name NAME`.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "datasets/images/load_images.h"
#include "datasets/load.h"
#include "datasets/row_cache.h"
#include "harness/commands/data_sets.h"
#include "harness/commands/verb.h"
#include "harness/cost/estimate.h"
#include "harness/spec/label_trees.h"
#include "harness/system/child.h"
#include "harness/system/error.h"
#include "harness/system/paths.h"

namespace okbench {
namespace {

struct DataOptions {
  std::string action;
  std::vector<std::string> names;
  // of `add`
  std::string name, label, test, test_file, kind;
  bool header = false, no_header = false, replace = false;
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

bool AreHere(const DataSet& set, const DataFolders& folders) {
  const auto files = FilesOf({set});
  return std::all_of(files.begin(), files.end(),
                     [&](const DataFile& file) { return Locate(file, folders).has_value(); });
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

// The importer is datasets/add.py.
int Add(const DataOptions& options, const Catalog& catalog, const DataFolders& folders) {
  if (options.names.size() != 1 || options.name.empty())
    throw SpecError("data add takes one file and a name: okbench data add FILE --name mine");
  for (const auto& [known, set] : catalog.sets())
    if (known == options.name && !options.replace)
      throw SpecError("data add: there is a data set '" + known +
                      "' already; another --name, or --replace for one of your own");
  std::vector<std::string> words = {PythonInterpreter(),
                                    HomeFolder() + "/datasets/add.py",
                                    options.names.front(),
                                    "--name",
                                    options.name,
                                    "--folder",
                                    folders.own};
  for (const auto& [option, value] :
       {std::pair("--label", options.label), std::pair("--test", options.test),
        std::pair("--test-file", options.test_file), std::pair("--kind", options.kind)})
    if (!value.empty()) words.insert(words.end(), {option, value});
  for (const auto& [flag, given] :
       {std::pair("--header", options.header), std::pair("--no-header", options.no_header),
        std::pair("--replace", options.replace)})
    if (given) words.emplace_back(flag);
  return RunProgram(words);
}

// What reading a part gives.
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

// All choices that are there; of a file at least one must be. Then what they hold, and the trees.
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
  for (const DataSet& set : sets) {
    if (set.generated() || !AreHere(set, folders)) continue;
    if (set.images)
      fmt::print("present   {}: unchecked; okbench data words {} reads its images\n", set.name, set.name);
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
  std::set<std::string> told;
  for (const DataFile& file : files) {
    const auto found = Locate(file, folders);
    if (found) {
      if (told.insert(found->path).second) fmt::print("{}\n", found->path);
      continue;
    }
    fmt::print(stderr, "okbench: {} is in none of {}; okbench data fetch gets it\n", Names(file),
               folders.Names());
    ++missing;
  }
  return missing == 0 ? 0 : 1;
}

// Makes the visual words of sets of images, or verifies those that are there.
int Words(const std::vector<DataSet>& sets, const DataFolders& folders) {
  int missing = 0;
  for (const DataSet& set : sets) {
    if (!set.images) continue;
    if (!AreHere(set, folders)) {
      fmt::print("missing   {}: its files are in none of {}\n", set.name, folders.Names());
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
    if (set.whole > 0)
      line("values", fmt::format("whole numbers{} from {:g} to {:g}",
                                 set.whole > 1 ? fmt::format(" / {}", set.whole) : "", set.low, set.high));
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
  if (options.action == "add") return Add(options, catalog, folders);
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
                           "the paths of their files, make the visual words of images, clean what is kept of "
                           "files read; add files of your own (CSV, LIBSVM text, ARFF, NumPy)");
  const auto options = std::make_shared<DataOptions>();
  AddOption(
      *verb, "action", options->action, "list, show, fetch, verify, path, words, clean or add",
      {.required = true, .one_of = {"list", "show", "fetch", "verify", "path", "words", "clean", "add"}});
  AddOption(*verb, "which", options->names, "Data sets; default: all. Of add: a file of your own");
  AddOption(*verb, "--name", options->name, "Of add: what specs call the set");
  AddOption(*verb, "--label", options->label, "Of add: the column of the label: first, last or its name");
  AddFlag(*verb, "--header", options->header,
          "Of add: the first line names the columns; default: as it looks");
  AddFlag(*verb, "--no-header", options->no_header, "Of add: the first line is a row");
  AddOption(*verb, "--test", options->test, "Of add: share of the rows that become the test part, e.g. 0.2");
  AddOption(*verb, "--test-file", options->test_file, "Of add: a file that is the test part");
  AddOption(*verb, "--kind", options->kind, "Of add: what labels are; default: as they look",
            {.one_of = {"binary", "multiclass", "real"}});
  AddFlag(*verb, "--replace", options->replace,
          "Of add: in place of a set of this name that was added before");
  return {verb, [options] { return ActOnData(*options); }};
}

}  // namespace okbench
