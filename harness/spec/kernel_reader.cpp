#include "harness/spec/kernel_reader.h"

#include <limits>
#include <utility>

#include "harness/spec/toml_reader.h"
#include "learners/core/error.h"

namespace okbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// gamma = { ijcnn1 = 1, a8a = 0.05 }: one for each data set.
std::map<std::string, double> ReadGammas(const TomlSource& source, const toml::table& table,
                                         const std::vector<std::string>& names, const Catalog& catalog) {
  TomlReader reader(source, table, "kernel.gamma");
  std::map<std::string, double> gammas;
  for (const std::string& name : names) gammas[name] = reader.Real(name, std::nullopt, 0, kInfinity, true);
  // The other keys may be data sets that other tiers have.
  for (const std::string& name : reader.Keys())
    if (!gammas.contains(name) && catalog.sets().contains(name))
      reader.Real(name, std::nullopt, 0, kInfinity, true);
  reader.Finish();
  return gammas;
}

// Reads the keys of one kernel; the caller finishes the table.
Kernel ReadTerm(TomlReader& reader, const std::string& name, double gamma) {
  Kernel kernel = Kernel::Linear();
  if (name == "rbf") {
    const bool sigma = reader.Has("sigma");
    if (sigma == reader.Has("gamma"))
      reader.Fail("sigma", "or 'gamma' is needed for an RBF kernel, one of the two");
    if (gamma > 0)  // one for each data set, read already
      reader.Table("gamma", true);
    else if (!sigma)
      gamma = reader.Real("gamma", std::nullopt, 0, kInfinity, true);
    kernel = sigma ? Kernel::RbfFromSigma(reader.Real("sigma", std::nullopt, 0, kInfinity, true))
                   : Kernel::RbfFromGamma(gamma);
  } else if (name == "polynomial") {
    const auto degree = static_cast<int>(reader.Integer("degree", 2, 1, 64));
    const double scale = reader.Real("scale", 1.0, 0, kInfinity, true);
    kernel = Kernel::Polynomial(degree, scale, reader.Real("offset", 0.0, 0, kInfinity, false));
  } else if (name == "histogram-intersection") {
    kernel = Kernel::HistogramIntersection();
  }
  return kernel;
}

// terms = [{ name = "rbf", gamma = 1, features = [0, 99], weight = 0.5 }, ...]
Kernel ReadSum(TomlReader& reader, const std::vector<std::string>& names) {
  std::vector<KernelTerm> terms;
  for (TomlReader& one : reader.Tables("terms")) {
    const std::string name = one.Choice("name", names);
    const std::vector<std::int64_t> range = one.Integers("features");
    if (range.size() != 2 || range[0] < 0 || range[1] < range[0])
      one.Fail("features", "must be the first and the last feature of the term, counted from 0");
    terms.push_back({.weight = one.Real("weight", 1.0, 0, kInfinity, true),
                     .kernel = ReadTerm(one, name, 0),
                     .first = static_cast<std::size_t>(range[0]),
                     .count = static_cast<std::size_t>(range[1] - range[0]) + 1});
    one.Finish();
  }
  return Kernel::Sum(std::move(terms));
}

Kernel ReadTable(TomlReader reader, double gamma) try {
  const std::vector<std::string> plain{"rbf", "polynomial", "linear", "histogram-intersection"};
  std::vector<std::string> names = plain;
  names.emplace_back("sum");
  const std::string name = reader.Choice("name", names);
  Kernel kernel = name == "sum" ? ReadSum(reader, plain) : ReadTerm(reader, name, gamma);
  reader.Finish();
  return kernel;
} catch (const InvalidArgument& error) {
  reader.Fail("name", std::string("describes a kernel that cannot be: ") + error.what());
}

}  // namespace

Kernel ReadKernel(const TomlSource& source, const toml::table& kernel, const std::vector<std::string>& names,
                  const Catalog& catalog, std::map<std::string, double>& gammas) {
  if (const toml::table* table = kernel["gamma"].as_table())
    gammas = ReadGammas(source, *table, names, catalog);
  return ReadTable(TomlReader(source, kernel, "kernel"), gammas.empty() ? 0.0 : gammas.begin()->second);
}

}  // namespace okbench
