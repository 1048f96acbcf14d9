#include "datasets/text/documents.h"

#include <algorithm>

#include "base/error.h"
#include "datasets/files/archive.h"
#include "datasets/formats/text_lines.h"
#include "datasets/text/message.h"

namespace okbench {
namespace {

struct Document {
  std::int32_t label = 0;
  std::string name, text;
};

// Returns the class of a document, given its path below the folder.
std::int32_t ClassOf(const std::string& archive, const std::string& folder, std::string_view path,
                     const LabelMap& labels) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos || path.find('/', slash + 1) != std::string_view::npos)
    throw DataError(
        archive, 0, 0,
        "contains '" + folder + "/" + formats::Shown(path) + "'; expected " + folder + "/<class>/<document>");
  const std::string_view name = path.substr(0, slash);
  const auto label = labels.Find(name);
  if (!label)
    throw DataError(archive, 0, 0,
                    "class '" + formats::Shown(name) + "' in folder '" + folder +
                        "' is not in the catalog; allowed are " + labels.Allowed());
  return *label;
}

// Sorts the documents of a part. Throws DataError for duplicates and for classes without documents.
Documents Sorted(const std::string& archive, const std::string& folder, std::vector<Document> entries,
                 const LabelMap& labels) {
  if (entries.empty()) throw DataError(archive, 0, 0, "has no documents in folder '" + folder + "'");
  const auto place = [](const Document& d) { return std::tie(d.label, d.name); };
  std::sort(entries.begin(), entries.end(),
            [&](const auto& a, const auto& b) { return place(a) < place(b); });
  Documents documents;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && place(entries[i]) == place(entries[i - 1]))
      throw DataError(archive, 0, 0,
                      "has two documents '" + folder + "/" + formats::Shown(entries[i].name) + "'");
    documents.labels.push_back(entries[i].label);
    documents.texts.push_back(std::move(entries[i].text));
  }
  for (std::size_t c = 0; c < labels.classes(); ++c)
    if (!std::binary_search(documents.labels.begin(), documents.labels.end(), static_cast<std::int32_t>(c)))
      throw DataError(archive, 0, 0,
                      "has no documents of class '" + labels.tokens()[c] + "' in folder '" + folder + "'");
  return documents;
}

}  // namespace

std::vector<Documents> ReadDocuments(const FileText& archive, std::span<const std::string> folders,
                                     const LabelMap& labels, TextExtent extent) {
  std::vector<std::vector<Document>> entries(folders.size());
  ForEachFile(archive.name, archive.bytes, [&](std::string_view path, std::string_view content) {
    while (path.starts_with("./")) path.remove_prefix(2);
    for (std::size_t f = 0; f < folders.size(); ++f) {
      if (!path.starts_with(folders[f] + "/")) continue;
      const std::string_view below = path.substr(folders[f].size() + 1);
      entries[f].push_back({.label = ClassOf(archive.name, folders[f], below, labels),
                            .name = std::string(below),
                            .text = TextOf(content, extent)});
    }
  });
  std::vector<Documents> documents;
  for (std::size_t f = 0; f < folders.size(); ++f)
    documents.push_back(Sorted(archive.name, folders[f], std::move(entries[f]), labels));
  return documents;
}

}  // namespace okbench
