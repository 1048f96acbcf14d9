#include "harness/cli/data_sets.h"

#include "boxes/images/words.h"
#include "harness/cli/printing.h"
#include "harness/spec/label_trees.h"
#include "harness/system/standard_streams.h"

namespace okbench {

using nlohmann::json;

json TreeJson(const LabelTree& tree) {
  return {{"nodes", tree.nodes()}, {"leaves", tree.classes()}, {"depth", tree.depth()}};
}

json DataSetsJson(const Catalog& catalog, const DataFolders& folders) {
  json out = json::array();
  for (const auto& [name, set] : catalog.sets()) {
    json parts = json::object();
    bool here = true;
    for (const auto& [part, info] : set.parts) {
      parts[part] = info.rows;
      for (const DataFile& file : info.files) here = here && Locate(file, folders).has_value();
    }
    out.push_back(
        {{"name", name},
         {"title", set.title},
         {"features", set.documents() ? json() : json(set.features)},  // documents: one per word
         {"classes", set.labels.size()},
         {"tree", set.tree ? TreeJson(MakeLabelTree(set, LabelTree::Shape::kFull)) : json()},
         {"rows", parts},
         {"available", here},
         {"generated", set.generated()},
         {"synthetic", set.generator.name.empty() || set.generated() ? json() : json(set.generator.name)},
         {"terms", set.terms}});
  }
  return out;
}

void PrintDataSets(const json& rows) {
  PrintRows(rows, {"name", "features", "classes", "tree", "rows", "available", "title"});
}

void ReportSlowLoads() {
  SetWordsProgress([](const std::string& set, std::size_t done, std::size_t all) {
    if (done * 10 / all != (done - 1) * 10 / all)
      PrintToError("visual words of {}: {} of {} images\n", set, done, all);
  });
}

}  // namespace okbench
