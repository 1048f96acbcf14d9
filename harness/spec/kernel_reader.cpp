#include "harness/spec/kernel_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include "base/error.h"
#include "harness/spec/spec_keys.h"
#include "harness/spec/toml_reader.h"

namespace okbench {
namespace {

// Reads gamma = { ijcnn1 = 1, a8a = 0.05 }: one value per data set.
std::map<std::string, double> ReadGammas(const TomlSource& source, const toml::table& table,
                                         const std::vector<std::string>& names, const Catalog& catalog) {
  TomlReader reader(source, table, "kernel.gamma", KeysOf("kernel.gamma", "rbf"));
  std::map<std::string, double> gammas;
  for (const std::string& name : names) gammas[name] = reader.Real(name);
  // Other keys must be known data sets; other tiers may use them.
  for (const std::string& name : reader.Keys())
    if (!gammas.contains(name) && catalog.sets().contains(name)) reader.Real(name);
  reader.Finish();
  return gammas;
}

// Reads the keys of one kernel in the table "kernel" or "kernel.terms". A nonzero `gamma` has been read
// per data set. The caller finishes the reader.
Kernel ReadTerm(TomlReader& reader, const std::string& table, const std::string& name, double gamma) {
  Kernel kernel = Kernel::Linear();
  if (name == "rbf") {
    reader.Add(KeysOf(table, name));
    const bool sigma = reader.Has("sigma");
    if (sigma && reader.Has("gamma")) reader.Fail("sigma", "sigma and gamma exclude each other");
    if (!sigma && !reader.Has("gamma")) reader.FailMissing("sigma", "an RBF kernel needs sigma or gamma");
    if (gamma == 0 && !sigma) gamma = reader.Real("gamma");
    if (sigma) {
      const double width = reader.Real("sigma");
      // gamma = 1 / (2 sigma^2)
      if (const double square = 2 * width * width;
          !std::isfinite(square) || !std::isfinite(1 / square) || 1 / square == 0)
        reader.Fail("sigma", fmt::format("sigma = {:g} makes gamma {}", width,
                                         std::isfinite(square) ? "infinite" : "0"));
      kernel = Kernel::RbfFromSigma(width);
    } else {
      kernel = Kernel::RbfFromGamma(gamma);
    }
  } else if (name == "polynomial") {
    reader.Add(KeysOf(table, name));
    const auto degree = static_cast<int>(reader.Integer("degree"));
    const double scale = reader.Real("scale");
    kernel = Kernel::Polynomial(degree, scale, reader.Real("offset"));
  } else if (name == "histogram-intersection") {
    kernel = Kernel::HistogramIntersection();
  }
  return kernel;
}

// Reads terms = [{ name = "rbf", gamma = 1, features = [0, 99], weight = 0.5 }, ...]
Kernel ReadSum(TomlReader& reader) {
  reader.Add(KeysOf("kernel", "sum"));
  std::vector<KernelTerm> terms;
  for (TomlReader& term : reader.Tables("terms", KeysOf("kernel.terms", "sum"))) {
    const std::string name = term.Choice("name");
    const std::vector<std::int64_t> range = term.Integers("features");
    if (range.size() != 2 || range[0] < 0 || range[1] < range[0]) term.FailRule("features");
    terms.push_back({.weight = term.Real("weight"),
                     .kernel = ReadTerm(term, "kernel.terms", name, 0),
                     .first = static_cast<std::size_t>(range[0]),
                     .count = static_cast<std::size_t>(range[1] - range[0]) + 1});
    term.Finish();
  }
  return Kernel::Sum(std::move(terms));
}

Kernel ReadTable(TomlReader reader, double gamma) try {
  const std::string name = reader.Choice("name");
  Kernel kernel = name == "sum" ? ReadSum(reader) : ReadTerm(reader, "kernel", name, gamma);
  kernel.bias = reader.Real("bias");
  reader.Finish();
  return kernel;
} catch (const InvalidArgument& error) {
  reader.Fail("name", error.what());
}

// Keys that allow grid and tune: the numeric keys of all kernels.
std::vector<std::string> AxisKeys() {
  std::vector<std::string> names;
  for (const KeyTable& table : SpecTables())
    for (const SpecKey& key : table.keys)
      if (table.path == "kernel" && (key.kind == KeyKind::kInteger || key.kind == KeyKind::kReal))
        names.push_back(key.name);
  return names;
}

// Moves axes such as sigma = { grid = [1, 2] } from the table into `spec`. Their first values stay.
void ReadAxes(const TomlSource& source, toml::table& kernel, KernelSpec& spec) {
  for (const std::string& key : AxisKeys()) {
    const toml::table* table = kernel[key].as_table();
    if (table == nullptr || (!table->contains("grid") && !table->contains("tune"))) continue;
    const std::string name = std::string(kKernelAxis) + key;
    TomlReader reader(source, *table, name, KeysOf("kernel.PARAMETER"));
    if (reader.Has("grid") == reader.Has("tune")) reader.Fail("grid", "cannot be combined with tune");
    const bool grid = reader.Has("grid");
    bool divide_by_n = false;
    Axis axis{.name = name, .values = {}};
    for (const ParameterValue& value : reader.Axis(grid ? "grid" : "tune", &divide_by_n)) {
      if (divide_by_n)
        reader.Fail(grid ? "grid" : "tune", "cannot be divide_by_n: kernels do not depend on n");
      axis.values.push_back({.value = value, .divide_by_n = false});
    }
    reader.Finish();
    const ParameterValue first = axis.values.front().value;
    (grid ? spec.grid : spec.tune).push_back(std::move(axis));
    std::visit([&](const auto& value) { kernel.insert_or_assign(key, value); }, first);
  }
}

}  // namespace

bool IsOfKernel(const std::string& parameter) {
  return parameter == kGammaFactor || parameter.starts_with(kKernelAxis);
}

double GammaOf(const Kernel& kernel) { return kernel.kind == KernelKind::kRbf ? kernel.gamma : 0; }

Kernel WithValue(Kernel kernel, const std::string& axis, const ParameterValue& value) {
  const std::string key = axis == kGammaFactor ? axis : axis.substr(std::string(kKernelAxis).size());
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  if (whole == nullptr && real == nullptr) throw InvalidArgument(axis + " must list numbers");
  const double number = whole != nullptr ? static_cast<double>(*whole) : *real;
  if (key == kGammaFactor) {
    if (kernel.kind != KernelKind::kRbf) throw InvalidArgument(axis + " needs an RBF kernel");
    if (!(number >= 0)) throw InvalidArgument(axis + " must be >= 0");
    if (number > 0)
      kernel.gamma *= number;
    else
      kernel = Kernel::Polynomial(1, 1, 1);
  } else if (key == "degree") {
    if (whole == nullptr) throw InvalidArgument("kernel.degree must list integers");
    kernel.degree = static_cast<int>(*whole);
  } else if (key == "scale") {
    kernel.scale = number;
  } else if (key == "offset") {
    kernel.offset = number;
  } else if (key == "bias") {
    kernel.bias = number;
  } else {
    if (!(number > 0)) throw InvalidArgument(axis + " must list numbers > 0");
    kernel.gamma = key == "sigma" ? Kernel::RbfFromSigma(number).gamma : number;
  }
  kernel.Validate();
  return kernel;
}

KernelSpec ReadKernel(const TomlSource& source, const toml::table& kernel,
                      const std::vector<std::string>& names, const Catalog& catalog) {
  KernelSpec spec;
  toml::table plain = kernel;
  ReadAxes(source, plain, spec);
  // A copied table loses its line numbers. Read the original if there are no axes.
  const toml::table& table = spec.grid.empty() && spec.tune.empty() ? kernel : plain;
  if (const toml::table* each = table["gamma"].as_table())
    spec.gammas = ReadGammas(source, *each, names, catalog);
  spec.kernel = ReadTable(TomlReader(source, table, "kernel", KeysOf("kernel")),
                          spec.gammas.empty() ? 0.0 : spec.gammas.begin()->second);
  const TomlReader reader(source, kernel, "kernel", KeysOf("kernel"));
  for (const auto* axes : {&spec.grid, &spec.tune})
    for (const Axis& axis : *axes)
      for (const SpecValue& value : axis.values) try {
          WithValue(spec.kernel, axis.name, value.value);
        } catch (const InvalidArgument& error) {
          reader.Fail(axis.name.substr(std::string(kKernelAxis).size()), error.what());
        }
  return spec;
}

}  // namespace okbench
