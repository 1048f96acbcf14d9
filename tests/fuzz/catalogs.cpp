#include "base/error.h"
#include "base/whole_file.h"
#include "datasets/catalog/catalog.h"
#include "datasets/rows/data_plan.h"
#include "datasets/rows/label_map.h"
#include "tests/datasets/known.h"
#include "tests/fuzz/harness.h"
#include "tests/helpers.h"

namespace okbench::fuzz {
namespace {

void ReadAnyCatalog(std::string_view bytes) {
  static const testing::TemporaryFolder folder;
  const std::string path = folder.Write("catalog.toml", std::string(bytes));
  Documented([&] {
    Catalog catalog;
    catalog.Read(path);
    for (const auto& [name, set] : catalog.sets()) {
      const LabelMap labels(set.labels);
      for (const std::string& label : set.labels) labels.Find(label);
      if (set.tree)
        for (const std::string& label : set.class_names) PathTo(*set.tree, label);
      for (const auto& [part, content] : set.parts)
        Documented([&, &data = set, &of = part] {
          DataRequest request;
          request.name = data.name;
          request.part = of;
          PlanData(data, request, testing::kNoFolder);
        });
    }
  });
}

// The data sets of the project's own catalog, one per input.
std::vector<std::string> OneSetEach() {
  const std::string all = WholeFile<DataError>(OKBENCH_SOURCE_FOLDER "/datasets/catalog.toml");
  std::vector<std::string> sets;
  for (std::size_t at = all.find("\n["); at != std::string::npos;) {
    const std::size_t next = all.find("\n[", at + 1);
    sets.push_back(all.substr(at + 1, next - at));
    at = next;
  }
  return sets;
}

}  // namespace

Harness Catalogs() {
  return {"catalogs",
          ReadAnyCatalog,
          OneSetEach,
          {"title",  "format",      "features",    "image",    "range",     "integer_scale",
           "labels", "class_names", "kind",        "terms",    "synthetic", "generator",
           "train",  "test",        "rows",        "skip",     "files",     "name",
           "urls",   "sha256",      "file_sha256", "file_md5", "folder",    "tree",
           "edges",  "separator",   "images",      "../",      "\\u0000"}};
}

}  // namespace okbench::fuzz
