#include "harness/spec/shared_learners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "harness/spec/spec.h"
#include "harness/spec/spec_keys.h"
#include "learners/api/registry.h"

namespace okbench {
namespace {

constexpr LabelKind kByLabels[] = {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal};

// Returns a copy: callers override parts of the table while they iterate over it.
toml::table TableAt(const TomlSource& source, const std::string& path) {
  const toml::node* node = source.root().at_path(path).node();
  if (node == nullptr) return {};
  if (!node->is_table()) source.Fail(path, node, "must be a table");
  return *node->as_table();
}

// Label kinds of the spec's data sets. Empty if a data set is unknown; ReadSpec() reports that error.
std::set<LabelKind> LabelsOf(const TomlSource& source, const Catalog& catalog) {
  std::vector<std::string> names;
  const toml::node_view<const toml::node> name = source.root().at_path("data.name");
  if (const auto* text = name.as_string()) names.push_back(text->get());
  if (const auto* list = name.as_array())
    for (const toml::node& element : *list) names.push_back(element.value_or(std::string()));
  const toml::array* positive = source.root().at_path("data.positive").as_array();
  std::set<LabelKind> kinds;
  for (const std::string& set_name : names) {
    try {
      const LabelKind kind = catalog.Find(set_name).kind;
      const bool two = kind == LabelKind::kMulticlass && positive != nullptr && !positive->empty();
      kinds.insert(two ? LabelKind::kBinary : kind);
    } catch (const DataError&) {
      return {};
    }
  }
  return kinds;
}

bool IsByLabels(const toml::node& node) {
  const toml::table* table = node.as_table();
  return table != nullptr && !table->empty() &&
         std::all_of(table->begin(), table->end(), [](const auto& entry) {
           return std::any_of(std::begin(kByLabels), std::end(kByLabels),
                              [&](LabelKind kind) { return entry.first.str() == LabelKindName(kind); });
         });
}

class Resolver {
 public:
  Resolver(TomlSource& source, const Catalog& catalog)
      : source_(source), kinds_(LabelsOf(source, catalog)), lists_(TableAt(source, "lists")) {}

  void Run() {
    const toml::table learners = TableAt(source_, "learners");
    for (const auto& [key, node] : learners) {
      const std::string path = "learners." + std::string(key.str());
      if (!node.is_table()) continue;  // ReadSpec() reports it
      if (!Resolve(path, *node.as_table()) || !Fits(path)) source_.Remove(path);
    }
  }

 private:
  // Resolves one learner. Returns false if a per-label value of a shared file has no entry for these labels.
  bool Resolve(const std::string& path, const toml::table& learner) {
    for (const auto& [key, node] : learner) {
      const std::string at = path + "." + std::string(key.str());
      if (key.str() == "grid" || key.str() == "tune" || key.str() == "hedge") {
        if (!node.is_table()) continue;
        for (const auto& [parameter, values] : *node.as_table())
          if (values.is_string())
            source_.Override(at + "." + std::string(parameter.str()), List(at, values),
                             "lists." + values.value_or(std::string()));
        continue;
      }
      if (!IsByLabels(node)) continue;
      if (kinds_.size() > 1)
        source_.Fail(at, &node, "per-label values need data sets with the same kind of labels");
      if (kinds_.empty()) return true;
      const toml::node* value = node.as_table()->get(LabelKindName(*kinds_.begin()));
      if (value == nullptr && source_.shared()) return false;
      if (value == nullptr)
        source_.Fail(at, &node, fmt::format("has no value for {} labels", LabelKindName(*kinds_.begin())));
      source_.Override(at, *value, std::string(key.str()) + " by labels");
    }
    return true;
  }

  const toml::node& List(const std::string& path, const toml::node& name) {
    const std::string text = name.value_or(std::string());
    const toml::node* list = lists_.get(text);
    if (list != nullptr) return *list;
    std::vector<std::string> known;
    for (const auto& [key, node] : lists_) known.emplace_back(key.str());
    source_.Fail(path, &name,
                 "names the list '" + text + "'; " +
                     (known.empty() ? "there is no table [lists]"
                                    : fmt::format("[lists] has {}", fmt::join(known, ", "))));
  }

  // False if the learner comes from a shared file and does not support all label kinds of the data sets.
  bool Fits(const std::string& path) const {
    const auto name = source_.root().at_path(path + ".learner").value<std::string>();
    if (!source_.shared() || !name) return true;
    try {
      const std::vector<LabelKind>& taken = FindLearner(*name).labels;
      return std::all_of(kinds_.begin(), kinds_.end(), [&](LabelKind kind) {
        return std::find(taken.begin(), taken.end(), kind) != taken.end();
      });
    } catch (const InvalidArgument&) {
      return true;  // ReadSpec() reports it
    }
  }

  TomlSource& source_;
  std::set<LabelKind> kinds_;
  toml::table lists_;
};

}  // namespace

void TakeSharedLearners(TomlSource& source, const std::string& tier) {
  const toml::node* named = source.root().get("learners");
  if (named == nullptr || !named->is_string()) return;
  const std::string name = named->value_or(std::string());
  const std::string path = (std::filesystem::path(source.path()).parent_path() / name).string();
  if (!std::filesystem::is_regular_file(path))
    source.Fail("learners", named, "names the file '" + name + "', which is not beside the spec");
  TomlSource shared(path);
  TomlReader reader(shared, shared.root(), "", SharedFileKeys());
  RequireFormat(reader, shared);
  reader.Table("learners");
  reader.Table("lists");
  reader.Table("tiers");
  if (reader.Has("search") && source.root().at_path("cross_validation.search").node() == nullptr)
    source.Override("cross_validation.search", *shared.root().get("search"), name);
  reader.Finish();
  const toml::table own = TableAt(source, "lists");
  const auto take_list = [&](const std::string& list, const toml::node& values) {
    if (!own.contains(list)) source.Override("lists." + list, values, name);
  };
  for (const auto& [key, values] : TableAt(shared, "lists")) take_list(std::string(key.str()), values);
  const toml::table tiers = TableAt(shared, "tiers");
  for (const auto& [key, table] : tiers) {
    const std::string where = "tiers." + std::string(key.str());
    if (std::find(std::begin(kTiers), std::end(kTiers), key.str()) == std::end(kTiers))
      shared.Fail(where, &table, "is not known; allowed are quick, default, paper");
    for (const auto& [list, values] : TableAt(shared, where)) {
      const std::string to(list.str());
      if (!to.starts_with("lists."))
        shared.Fail(where + "." + to, &values, "may not change with the tier: only lists of values may");
      if (key.str() == tier) take_list(to.substr(std::string("lists.").size()), values);
    }
  }
  source.Override("learners", TableAt(shared, "learners"), name);
  source.SetShared();
}

void ResolveLearners(TomlSource& source, const Catalog& catalog) { Resolver(source, catalog).Run(); }

}  // namespace okbench
