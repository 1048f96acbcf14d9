#include "harness/spec/spec.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.h"
#include "datasets/rows/series.h"
#include "harness/spec/kernel_reader.h"
#include "harness/spec/label_trees.h"
#include "harness/spec/learner_table.h"
#include "harness/spec/measures_table.h"
#include "harness/spec/shared_learners.h"
#include "harness/spec/spec_keys.h"
#include "harness/spec/toml_reader.h"
#include "learners/api/registry.h"

namespace okbench {
namespace {

// True if tiers may change this key: repetitions, data sets, sizes, grids and lists, but no method.
bool TierMayChange(const std::string& path) {
  const bool grid = path.find(".grid.") != std::string::npos || path.find(".tune.") != std::string::npos;
  const bool lists = path.starts_with("lists.");
  const bool kernels = path.starts_with("kernel.") && (path.ends_with(".grid") || path.ends_with(".tune"));
  return TierMayChangeKey(path) || kernels || lists || (path.starts_with("learners.") && grid);
}

void ApplyTier(TomlSource& source, const std::string& tier) {
  const toml::node* node = source.root().get("tiers");
  if (node == nullptr) return;
  if (!node->is_table()) source.Fail("tiers", node, "must be a table");
  // A copy: Override() modifies the document that holds the tiers.
  const toml::table tiers = *node->as_table();
  for (const auto& [name, table] : tiers) {
    const std::string where = "tiers." + std::string(name.str());
    if (std::find(std::begin(kTiers), std::end(kTiers), name.str()) == std::end(kTiers))
      source.Fail(where, &table, "is not known; allowed are quick, default, paper");
    if (!table.is_table()) source.Fail(where, &table, "must be a table");
    for (const auto& [key, value] : *table.as_table()) {
      const std::string path(key.str());
      if (!TierMayChange(path))
        source.Fail(where + "." + path, nullptr,
                    "may not change with the tier: only repetitions, data sets, sizes and grids may");
      if (path.starts_with("learners.") && !source.root().at_path(path.substr(0, path.find('.', 9))))
        source.Fail(where + "." + path, nullptr, "names a learner that the spec does not have");
      if (name.str() == tier) source.Override(path, value, where);
    }
  }
}

// batch = 50 (examples), batch = 0.01 (share of the training set), or a list of sizes.
void ReadBatch(TomlReader& reader, const toml::table& table, DataSpec& data) {
  if (!reader.Has("batch")) return;
  bool divide_by_n = false;
  data.batches = table["batch"].is_array() ? reader.Axis("batch", &divide_by_n)
                                           : std::vector{reader.Value("batch", nullptr)};
  for (const ParameterValue& value : data.batches) {
    const auto* count = std::get_if<std::int64_t>(&value);
    const auto* share = std::get_if<double>(&value);
    if ((count != nullptr && *count >= 1) || (share != nullptr && *share > 0 && *share < 1)) continue;
    reader.FailRule("batch");
  }
}

// delay = 100 (steps), delay = [0, 100], or delay = "column".
void ReadDelay(TomlReader& reader, const toml::table& table, DataSpec& data) {
  if (!reader.Has("delay")) return;
  bool divide_by_n = false;
  const std::vector<ParameterValue> values = table["delay"].is_array()
                                                 ? reader.Axis("delay", &divide_by_n)
                                                 : std::vector{reader.Value("delay", nullptr)};
  data.delay_column = values == std::vector<ParameterValue>{std::string("column")};
  if (data.delay_column) return;
  for (const ParameterValue& value : values) {
    const auto* delay = std::get_if<std::int64_t>(&value);
    if (delay == nullptr || *delay < 0 || *delay > 1'000'000'000) reader.FailRule("delay");
    data.delays.push_back(static_cast<std::uint64_t>(*delay));
  }
}

// Reads scale, text and term_weights. Document data sets require text and exclude scale.
void ReadValues(TomlReader& reader, const Catalog& catalog, DataSpec& data) {
  const auto scale = reader.Reals("scale");
  if (!scale.empty()) {
    if (scale.size() != 2 || !(scale[0] < scale[1])) reader.FailRule("scale");
    data.train.scale = Range{.low = scale[0], .high = scale[1]};
  }
  const std::string text = reader.Has("text") ? reader.Choice("text") : "";
  const std::string weights = reader.Choice("term_weights");
  for (const std::string& name : data.names) {
    const bool documents = catalog.Find(name).documents();
    for (const char* key : {"text", "term_weights"})
      if (!documents && reader.Has(key))
        reader.Fail(key, "is only for data sets of documents, which " + name + " is not");
    if (!documents) continue;
    if (!reader.Has("text"))
      reader.Fail("text",
                  "is missing; " + name +
                      " has documents, of which headers, subject-body, body or stripped must be chosen");
    if (data.train.scale)
      reader.Fail("scale", "cannot be used with documents: the values of " + name + " have no range");
    for (const TextExtent known :
         {TextExtent::kHeaders, TextExtent::kSubjectBody, TextExtent::kBody, TextExtent::kStripped})
      if (text == ExtentName(known)) data.train.text = known;
    data.train.term_weights = weights == "tf-idf" ? TermWeights::kTfIdf : TermWeights::kCounts;
  }
}

// Reads embedding and horizon, which are for time series.
void ReadSeries(TomlReader& reader, const Catalog& catalog, DataSpec& data) {
  if (reader.Has("embedding")) data.train.embedding = static_cast<std::uint64_t>(reader.Integer("embedding"));
  if (reader.Has("horizon")) data.train.horizon = static_cast<std::uint64_t>(reader.Integer("horizon"));
  for (const char* key : {"embedding", "horizon"})
    for (const std::string& name : data.names)
      if (reader.Has(key) && !IsSeries(catalog.Find(name)))
        reader.Fail(key, "is only for time series, which " + name + " is not");
}

void ReadTree(TomlReader& reader, const Catalog& catalog, DataSpec& data) {
  using Shape = LabelTree::Shape;
  if (!reader.Has("tree")) return;
  const std::string name = reader.Choice("tree");
  for (const Shape known : {Shape::kTwoLevels, Shape::kCollapsed, Shape::kFull})
    if (name == ShapeName(known)) data.tree = known;
  if (!data.train.positive.empty())
    reader.Fail("tree", "cannot be combined with data.positive, which leaves two classes");
  try {
    for (const std::string& set : data.names) MakeLabelTree(catalog.Find(set), *data.tree);
  } catch (const DataError& error) {
    reader.Fail("tree", std::string("cannot be built: ") + error.what());
  }
}

void ReadGraph(TomlReader& reader, const Catalog& catalog, DataSpec& data) {
  if (!reader.Has("graph")) return;
  data.graph = reader.Texts("graph");
  if (data.tree) reader.Fail("graph", "cannot be combined with tree");
  if (!data.train.positive.empty())
    reader.Fail("graph", "cannot be combined with data.positive, which leaves two classes");
  try {
    for (const std::string& name : data.names) MakeLabelGraph(catalog.Find(name), data.graph);
  } catch (const DataError& error) {
    reader.Fail("graph", error.what());
  }
}

// Reads the tables of optional components, e.g. [data.boxes].
void ReadOutputs(TomlReader& reader, const TomlSource& source, const Catalog& catalog, DataSpec& data) {
  for (const OutputTable& known : OutputTables()) {
    const toml::table* table = reader.Table(known.name);
    if (table == nullptr) continue;
    TomlReader options(source, *table, known.keys.path, known.keys);
    data.outputs = {&known, known.read(options)};
    options.Finish();
  }
  const bool given = data.outputs.table != nullptr;
  const std::string key = given                    ? data.outputs.table->name
                          : OutputTables().empty() ? "name"
                                                   : OutputTables()[0].name;
  for (const std::string& name : data.names) {
    const bool structured = catalog.Find(name).kind == LabelKind::kStructured;
    if (structured && OutputTables().empty())
      reader.Fail(key, "'" + name +
                           "' has images with boxes, which this build leaves out; configure with "
                           "-DOKBENCH_BOXES=ON");
    if (structured && !given) reader.Fail(key, "is missing; it says which boxes of " + name + " are outputs");
    if (!structured && given)
      reader.Fail(key, "needs a data set of images; " + name + " has rows of features");
    if (structured && (data.train.unit_norm || data.train.scale))
      reader.Fail(key, "cannot be combined with unit_norm or scale: " + name + " has images");
  }
}

DataSpec ReadData(const TomlSource& source, TomlReader reader, const toml::table& table,
                  const Catalog& catalog) {
  DataSpec data;
  data.names = reader.Texts("name");
  data.train.name = data.names.front();
  const std::vector<std::int64_t> positive = reader.Integers("positive");
  for (const std::string& name : data.names) {
    if (std::count(data.names.begin(), data.names.end(), name) > 1)
      reader.Fail("name", "names '" + name + "' twice");
    try {
      const auto classes = static_cast<std::int64_t>(catalog.Find(name).labels.size());
      if (classes == 0 && !positive.empty())
        reader.Fail("positive", "is for data sets with classes; " + name + " has " +
                                    (catalog.Find(name).images ? "images" : "real targets"));
      for (const std::int64_t c : positive)
        if (c < 0 || c >= classes)
          reader.Fail("positive", "must list classes 0 .. " + std::to_string(classes - 1) + " of " + name);
    } catch (const DataError& error) {
      reader.Fail("name", std::string("names an ") + error.what());
    }
  }
  for (const std::int64_t c : positive) data.train.positive.push_back(static_cast<int>(c));
  data.train.part = reader.Choice("part");
  ReadValues(reader, catalog, data);
  ReadSeries(reader, catalog, data);
  ReadTree(reader, catalog, data);
  ReadGraph(reader, catalog, data);
  data.train.unit_norm = reader.Switch("unit_norm");
  ReadOutputs(reader, source, catalog, data);
  data.train.force_synthetic = reader.Switch("synthetic");
  data.train.rows = static_cast<std::size_t>(reader.Integer("synthetic_rows"));
  const std::string order = reader.Choice("order");
  for (const Order known : kOrders)
    if (order == OrderName(known)) data.stream.order = known;
  ReadBatch(reader, table, data);
  data.stream.epochs = static_cast<std::uint64_t>(reader.Integer("epochs"));
  if (reader.Has("sample")) data.train.sample = static_cast<std::uint64_t>(reader.Integer("sample"));
  data.stream.limit = static_cast<std::uint64_t>(reader.Integer("max_examples"));
  ReadDelay(reader, table, data);
  data.stream.class_weights = reader.Reals("class_weights");
  for (const double weight : data.stream.class_weights)
    if (!(weight > 0)) reader.FailRule("class_weights");
  if (reader.Has("positive_share")) {
    data.stream.positive_share = reader.Real("positive_share");
    if (data.stream.limit == 0)
      reader.Fail("positive_share", "needs data.max_examples, the number of examples");
    if (data.stream.order != Order::kFile && data.stream.order != Order::kPermutation)
      reader.Fail("positive_share", "needs data.order = \"file\" or \"permutation\"");
  }
  data.test_part = reader.Choice("test");
  if (data.test_part == "none") data.test_part.clear();
  reader.Finish();
  return data;
}

TraceSpec ReadTrace(TomlReader reader) {
  TraceSpec trace;
  trace.record_all_until = static_cast<std::uint64_t>(reader.Integer("record_all_until"));
  trace.every = static_cast<std::uint64_t>(reader.Integer("every"));
  trace.per_decade = static_cast<std::uint64_t>(reader.Integer("per_decade"));
  for (const std::int64_t back : reader.Integers("from_end")) {
    if (back < 0) reader.FailRule("from_end");
    trace.from_end.push_back(static_cast<std::uint64_t>(back));
  }
  // The trace stores the spec in an HDF5 attribute, whose size is limited.
  if (trace.from_end.size() > 1000) reader.Fail("from_end", "must list at most 1000 steps");
  trace.checkpoints = static_cast<std::uint64_t>(reader.Integer("checkpoints"));
  for (const std::int64_t round : reader.Integers("rounds")) {
    if (round < 1) reader.FailRule("rounds");
    trace.rounds.push_back(static_cast<std::uint64_t>(round));
  }
  trace.training = reader.Switch("training");
  trace.outliers = static_cast<std::uint64_t>(reader.Integer("outliers"));
  trace.predictions = reader.Switch("predictions");
  reader.Finish();
  return trace;
}

constexpr std::size_t kMaxKey = 100;

bool IsName(const std::string& text) {
  return !text.empty() && text.front() != '/' && text.back() != '/' &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/") ==
             std::string::npos;
}

}  // namespace

void RequireFormat(TomlReader& reader, const TomlSource& source) {
  const std::string expected = "format = " + std::to_string(kSpecFormat);
  if (source.root().empty()) throw SpecError(source.path() + ": empty file; a spec starts with " + expected);
  if (source.root().contains("claims")) throw SpecError(source.path() + ": holds claims, not an experiment");
  if (!reader.Has("format")) reader.Fail("format", "missing; a spec starts with " + expected);
  const std::int64_t format = reader.Integer("format");
  if (format == 1)
    reader.Fail("format", "format 1 is outdated; set format = 2, then errors name the renamed keys");
  if (format != kSpecFormat) reader.FailRule("format");
}

Spec ReadSpec(const std::string& path, const std::string& tier, const std::vector<std::string>& overrides,
              const Catalog& catalog) {
  TomlSource source(path);
  TakeSharedLearners(source, tier);
  ApplyTier(source, tier);
  for (const std::string& text : overrides) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw SpecError("--set '" + text + "' must be path=value, e.g. data.max_examples=100");
    source.OverrideText(text.substr(0, equals), text.substr(equals + 1));
  }
  ResolveLearners(source, catalog);
  TomlReader reader(source, source.root(), "", KeysOf(""));
  RequireFormat(reader, source);
  Spec spec;
  spec.path = path;
  spec.tier = tier;
  spec.overrides = overrides;
  spec.experiment = reader.Text("experiment");
  if (!IsName(spec.experiment)) reader.FailRule("experiment");
  spec.title = reader.Text("title");
  spec.seed = reader.Text("seed");
  if (spec.seed.empty()) spec.seed = spec.experiment;
  spec.double_precision = reader.Choice("precision") == "float64";
  spec.repetitions = static_cast<std::uint64_t>(reader.Integer("repetitions"));
  const toml::table& data = *reader.Table("data");
  spec.data = ReadData(source, TomlReader(source, data, "data", KeysOf("data")), data, catalog);
  spec.kernel = ReadKernel(source, *reader.Table("kernel"), spec.data.names, catalog);
  const toml::table none;
  const toml::table* validation = reader.Table("cross_validation");
  TomlReader validation_reader(source, validation ? *validation : none, "cross_validation",
                               KeysOf("cross_validation"));
  spec.validation.folds = static_cast<std::uint64_t>(validation_reader.Integer("folds"));
  spec.validation.epochs = static_cast<std::uint64_t>(validation_reader.Integer("epochs"));
  if (validation_reader.Has("tolerance")) spec.validation.tolerance = validation_reader.Real("tolerance");
  spec.validation.stream_share = validation_reader.Real("stream_share");
  if (validation_reader.Choice("search") == "coordinates") spec.validation.search = Search::kCoordinates;
  validation_reader.Finish();
  const toml::table* trace = reader.Table("trace");
  spec.trace = ReadTrace(TomlReader(source, trace ? *trace : none, "trace", KeysOf("trace")));
  if (const toml::table* measures = reader.Table("measures"))
    ReadMeasures(TomlReader(source, *measures, "measures", KeysOf("measures")), spec);
  const toml::table* learners = reader.Table("learners");
  TomlReader names(source, *learners, "learners", KeysOf("learners"));
  for (const std::string& key : names.Keys()) {
    if (!IsName(key) || key.find('/') != std::string::npos)
      names.Fail(key, "must be a name of letters, digits, - and _");
    if (key.size() > kMaxKey)
      names.Fail(key, "is longer than " + std::to_string(kMaxKey) + " characters: files are named by it");
    spec.learners.push_back(ReadLearner(source, *names.Table(key), key));
  }
  if (spec.learners.empty()) reader.Fail("learners", "must hold at least one learner");
  reader.Table("lists");
  reader.Table("tiers");
  reader.Finish();
  return spec;
}

}  // namespace okbench
