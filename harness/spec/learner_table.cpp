#include "harness/spec/learner_table.h"

#include <algorithm>

#include "base/error.h"
#include "harness/spec/kernel_reader.h"
#include "harness/spec/spec_keys.h"
#include "learners/api/registry.h"

namespace okbench {
namespace {

// Keys of a learner that are no parameters.
const std::string kOwnKeys[] = {"learner", "label", "grid", "tune", "hedge", "hedge_beta", "hedge_discounts"};

// Allows the learner's parameters as keys. Fails for any other key.
void AllowParameters(TomlReader& reader, const LearnerInfo& info) {
  const std::vector<std::string> keys = reader.Keys();
  std::vector<std::string> names;
  for (const Parameter& parameter : info.parameters) {
    names.push_back(parameter.name);
    if (std::count(keys.begin(), keys.end(), parameter.old_name) > 0)
      reader.Fail(parameter.old_name, "renamed to " + parameter.name);
  }
  if (reader.Has(kGammaFactor)) names.emplace_back(kGammaFactor);  // checked with the parameters
  reader.Allow(names);
  reader.Finish("not a parameter of " + info.name);
}

// A linear method takes the kernel <x, x'> + 1 of the factor 0, but no RBF kernel.
void CheckFactor(const TomlReader& where, const LearnerInfo& info, const ParameterValue& factor) {
  const Kernel kernel = WithValue(Kernel::RbfFromGamma(1), kGammaFactor, factor);
  if (info.linear && kernel.kind == KernelKind::kRbf)
    where.Fail(kGammaFactor, "must be 0: " + info.name + " supports the linear kernel only");
}

// Validates a parameter early, so that the message names its key.
void CheckParameter(const TomlReader& where, const LearnerInfo& info, const std::string& key,
                    const ParameterValue& value, bool divide_by_n) {
  if (divide_by_n && key == kGammaFactor)
    where.Fail(key, "cannot be divide_by_n: kernels do not depend on n");
  try {
    if (key == kGammaFactor)
      CheckFactor(where, info, value);
    else
      ParameterValues::Resolve(info.parameters, {{key, value}});
  } catch (const InvalidArgument& error) {
    std::string cause = error.what();
    if (cause.starts_with(key)) cause = cause.substr(key.size() + 1);
    if (cause.starts_with("= ")) cause = cause.substr(2);
    where.Fail(key, cause);
  }
}

// Reads the axes of [learners.KEY.grid], [learners.KEY.tune] or [learners.KEY.hedge].
std::vector<Axis> ReadAxes(const TomlSource& source, const toml::table& table, const char* kind,
                           LearnerEntry& entry) {
  TomlReader reader(source, table, "learners." + entry.key + "." + kind,
                    KeysOf(std::string("learners.KEY.") + kind));
  AllowParameters(reader, *entry.info);
  std::vector<Axis> axes;
  for (const std::string& parameter : reader.Keys()) {
    if (entry.given.contains(parameter)) {
      // An axis from --set replaces the fixed value of the spec.
      if (!source.Overridden(reader.PathOf(parameter)))
        reader.Fail(parameter, "has a fixed value, too; remove one of the two");
      entry.given.erase(parameter);
    }
    for (const Axis& other : entry.grid)
      if (other.name == parameter)
        reader.Fail(parameter, std::string("is in grid and in ") + kind + "; remove one of the two");
    bool divide_by_n = false;
    Axis axis{.name = parameter, .values = {}};
    for (const ParameterValue& value : reader.Axis(parameter, &divide_by_n)) {
      CheckParameter(reader, *entry.info, parameter, value, divide_by_n);
      axis.values.push_back({value, divide_by_n});
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

std::vector<double> ReadDiscounts(TomlReader& reader) {
  std::vector<double> discounts = reader.Reals("hedge_discounts");
  const auto valid = [](double discount) { return discount >= 0 && discount < 1; };
  if (discounts.empty() || !std::ranges::all_of(discounts, valid)) reader.FailRule("hedge_discounts");
  return discounts;
}

}  // namespace

LearnerEntry ReadLearner(const TomlSource& source, const toml::table& table, const std::string& key) {
  TomlReader reader(source, table, "learners." + key, KeysOf("learners.KEY"));
  LearnerEntry entry;
  entry.key = key;
  const std::string name = reader.Text("learner");
  try {
    entry.info = &FindLearner(name);
  } catch (const InvalidArgument& error) {
    reader.Fail("learner", std::string("names an ") + error.what());
  }
  entry.label = reader.Has("label") ? reader.Text("label") : key;
  const toml::table* grid = reader.Table("grid");
  const toml::table* tune = reader.Table("tune");
  const toml::table* hedge = reader.Table("hedge");
  entry.hedge_options.beta = reader.Real("hedge_beta");
  if (reader.Has("hedge_discounts")) entry.hedge_options.discounts = ReadDiscounts(reader);
  AllowParameters(reader, *entry.info);
  for (const std::string& parameter : reader.Keys()) {
    if (std::ranges::count(kOwnKeys, parameter) > 0) continue;
    bool divide_by_n = false;
    const ParameterValue value = reader.Value(parameter, &divide_by_n);
    CheckParameter(reader, *entry.info, parameter, value, divide_by_n);
    entry.given[parameter] = {value, divide_by_n};
  }
  if (grid != nullptr) entry.grid = ReadAxes(source, *grid, "grid", entry);
  if (tune != nullptr) entry.tune = ReadAxes(source, *tune, "tune", entry);
  if (hedge == nullptr) return entry;
  if (tune != nullptr) reader.Fail("hedge", "cannot be combined with tune");
  if (entry.info->protocol != Protocol::kStream || !entry.info->resumable)
    reader.Fail("hedge", "is for stream learners whose state can be saved; " + name + " is none");
  entry.hedge = ReadAxes(source, *hedge, "hedge", entry);
  return entry;
}

}  // namespace okbench
