#include "harness/spec.h"

#include <algorithm>
#include <limits>
#include <set>

#include "datasets/error.h"
#include "harness/error.h"
#include "harness/toml_reader.h"
#include "learners/core/error.h"
#include "learners/registry.h"

namespace okbench {
namespace {

constexpr std::int64_t kFormat = 1;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A tier changes repetitions, sizes and grids only, never a method.
bool TierMayChange(const std::string& path) {
  static const std::set<std::string> allowed = {"repetitions",    "data.limit",       "data.rows",
                                                "data.epochs",    "trace.dense",      "trace.per_decade",
                                                "trace.from_end", "trace.checkpoints"};
  if (allowed.contains(path)) return true;
  return path.starts_with("learners.") && path.find(".grid.") != std::string::npos;
}

void ApplyTier(TomlSource& source, const std::string& tier) {
  const toml::node* node = source.root().get("tiers");
  if (node == nullptr) return;
  if (!node->is_table()) source.Fail("tiers", node, "must be a table");
  // Taken out first: overrides change the document they come from.
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
                    "may not change with the tier: only repetitions, sizes and grids may");
      if (path.starts_with("learners.") && !source.root().at_path(path.substr(0, path.find('.', 9))))
        source.Fail(where + "." + path, nullptr, "names a learner that the spec does not have");
      if (name.str() == tier) source.Override(path, value, where);
    }
  }
}

Kernel ReadKernel(TomlReader reader) try {
  const std::string name = reader.Choice("name", {"rbf", "polynomial", "linear", "histogram-intersection"});
  Kernel kernel = Kernel::Linear();
  if (name == "rbf") {
    const bool sigma = reader.Has("sigma");
    if (sigma == reader.Has("gamma"))
      reader.Fail("sigma", "or 'gamma' is needed for an RBF kernel, one of the two");
    kernel = sigma ? Kernel::RbfFromSigma(reader.Real("sigma", std::nullopt, 0, kInfinity, true))
                   : Kernel::RbfFromGamma(reader.Real("gamma", std::nullopt, 0, kInfinity, true));
  } else if (name == "polynomial") {
    const auto degree = static_cast<int>(reader.Integer("degree", 2, 1, 64));
    const double scale = reader.Real("scale", 1.0, 0, kInfinity, true);
    kernel = Kernel::Polynomial(degree, scale, reader.Real("offset", 0.0, 0, kInfinity, false));
  } else if (name == "histogram-intersection") {
    kernel = Kernel::HistogramIntersection();
  }
  reader.Finish();
  return kernel;
} catch (const InvalidArgument& error) {
  reader.Fail("name", std::string("describes a kernel that cannot be: ") + error.what());
}

DataSpec ReadData(TomlReader reader, const Catalog& catalog) {
  DataSpec data;
  data.names = reader.Texts("name");
  data.train.name = data.names.front();
  const std::vector<std::int64_t> positive = reader.Integers("positive");
  for (const std::string& name : data.names) {
    if (std::count(data.names.begin(), data.names.end(), name) > 1)
      reader.Fail("name", "names '" + name + "' twice");
    try {
      const auto classes = static_cast<std::int64_t>(catalog.Find(name).labels.size());
      for (const std::int64_t c : positive)
        if (c < 0 || c >= classes)
          reader.Fail("positive", "must list classes 0 .. " + std::to_string(classes - 1) + " of " + name);
    } catch (const DataError& error) {
      reader.Fail("name", std::string("names an ") + error.what());
    }
  }
  for (const std::int64_t c : positive) data.train.positive.push_back(static_cast<int>(c));
  data.train.part = reader.Choice("part", {"train", "test", "all"});
  const auto scale = reader.Reals("scale");
  if (!scale.empty()) {
    if (scale.size() != 2 || !(scale[0] < scale[1]))
      reader.Fail("scale", "must be [low, high] with low < high");
    data.train.rescale = true;
    data.train.scale_low = scale[0];
    data.train.scale_high = scale[1];
  }
  data.train.unit_norm = reader.Switch("unit_norm", false);
  data.train.force_stand_in = reader.Switch("stand_in", false);
  data.train.rows = static_cast<std::size_t>(reader.Integer("rows", 0, 0, 100000000));
  const std::string order = reader.Choice("order", {"file", "permutation", "counting"});
  data.stream.order = order == "counting"      ? Order::kCounting
                      : order == "permutation" ? Order::kPermutation
                                               : Order::kFile;
  data.stream.epochs = static_cast<std::uint64_t>(reader.Integer("epochs", 1, 1, 1000000));
  data.stream.limit = static_cast<std::uint64_t>(reader.Integer("limit", 0, 0));
  data.test_part = reader.Choice("test", {"none", "test", "train"});
  if (data.test_part == "none") data.test_part.clear();
  reader.Finish();
  return data;
}

TraceSpec ReadTrace(TomlReader reader) {
  TraceSpec trace;
  trace.dense = static_cast<std::uint64_t>(reader.Integer("dense", 10000, 0));
  trace.per_decade = static_cast<std::uint64_t>(reader.Integer("per_decade", 1000, 1, 1000000));
  for (const std::int64_t back : reader.Integers("from_end")) {
    if (back < 0) reader.Fail("from_end", "must list whole numbers >= 0");
    trace.from_end.push_back(static_cast<std::uint64_t>(back));
  }
  // The list is part of the spec that a trace carries in an attribute, which HDF5 bounds.
  if (trace.from_end.size() > 1000) reader.Fail("from_end", "must list at most 1000 steps");
  trace.checkpoints = static_cast<std::uint64_t>(reader.Integer("checkpoints", 1, 1, 10000));
  reader.Finish();
  return trace;
}

// The values of one trial must be good for every point of the grid: checked here, so that a message names the
// key.
void CheckParameters(const TomlReader& reader, const TomlReader* grid_reader, const LearnerEntry& entry) {
  const auto check = [&](const TomlReader& where, const std::string& key, const ParameterValue& value) {
    try {
      ParameterValues::Resolve(entry.info->parameters, {{key, value}});
    } catch (const InvalidArgument& error) {
      std::string cause = error.what();
      if (cause.starts_with(key)) cause = cause.substr(key.size() + 1);
      where.Fail(key, cause);
    }
  };
  for (const auto& [key, given] : entry.given) check(reader, key, given.value);
  for (const auto& [key, axis] : entry.grid)
    for (const auto& value : axis) check(*grid_reader, key, value);
}

LearnerEntry ReadLearner(const TomlSource& source, const toml::table& table, const std::string& key) {
  TomlReader reader(source, table, "learners." + key);
  LearnerEntry entry;
  entry.key = key;
  const std::string name = reader.Text("learner");
  try {
    entry.info = &FindLearner(name);
  } catch (const InvalidArgument& error) {
    reader.Fail("learner", std::string("names an ") + error.what());
  }
  entry.label = reader.Text("label", key);
  const toml::table* grid = reader.Table("grid", false);
  for (const std::string& parameter : reader.Keys()) {
    if (parameter == "learner" || parameter == "label" || parameter == "grid") continue;
    bool over_n = false;
    const ParameterValue value = reader.Value(parameter, &over_n);
    entry.given[parameter] = {value, over_n};
  }
  if (grid == nullptr) {
    CheckParameters(reader, nullptr, entry);
    return entry;
  }
  TomlReader axes(source, *grid, "learners." + key + ".grid");
  for (const std::string& parameter : axes.Keys()) {
    if (entry.given.contains(parameter)) axes.Fail(parameter, "is given outside the grid, too");
    entry.grid.emplace_back(parameter, axes.Axis(parameter));
  }
  CheckParameters(reader, &axes, entry);
  return entry;
}

bool IsName(const std::string& text) {
  return !text.empty() && text.front() != '/' && text.back() != '/' &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/") ==
             std::string::npos;
}

}  // namespace

Spec ReadSpec(const std::string& path, const std::string& tier, const std::vector<std::string>& overrides,
              const Catalog& catalog) {
  TomlSource source(path);
  ApplyTier(source, tier);
  for (const std::string& text : overrides) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw SpecError("--set '" + text + "' must be path=value, e.g. data.limit=100");
    source.OverrideText(text.substr(0, equals), text.substr(equals + 1));
  }
  TomlReader reader(source, source.root(), "");
  const std::int64_t format = reader.Integer("format", 0, 0);
  if (format != kFormat) reader.Fail("format", "must be " + std::to_string(kFormat));
  Spec spec;
  spec.path = path;
  spec.tier = tier;
  spec.experiment = reader.Text("experiment");
  if (!IsName(spec.experiment))
    reader.Fail("experiment", "must be made of letters, digits, - and _, e.g. paper/figure");
  spec.title = reader.Text("title", "");
  spec.double_precision = reader.Choice("precision", {"float32", "float64"}) == "float64";
  spec.repetitions = static_cast<std::uint64_t>(reader.Integer("repetitions", 1, 1, 100000));
  spec.data = ReadData(TomlReader(source, *reader.Table("data", true), "data"), catalog);
  spec.kernel = ReadKernel(TomlReader(source, *reader.Table("kernel", true), "kernel"));
  const toml::table none;
  const toml::table* trace = reader.Table("trace", false);
  spec.trace = ReadTrace(TomlReader(source, trace ? *trace : none, "trace"));
  const toml::table* learners = reader.Table("learners", true);
  TomlReader names(source, *learners, "learners");
  for (const std::string& key : names.Keys()) {
    if (!IsName(key) || key.find('/') != std::string::npos)
      names.Fail(key, "must be a name of letters, digits, - and _");
    spec.learners.push_back(ReadLearner(source, *names.Table(key, true), key));
  }
  if (spec.learners.empty()) reader.Fail("learners", "must hold at least one learner");
  reader.Table("tiers", false);
  reader.Finish();
  return spec;
}

}  // namespace okbench
