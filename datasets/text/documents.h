#pragma once
// Reads documents from an archive with the paths <folder of the part>/<class>/<document>.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/formats/format.h"
#include "datasets/rows/label_map.h"

namespace okbench {

/// The documents of a part, sorted by class index, then by name in byte order.
struct Documents {
  std::vector<std::int32_t> labels;
  std::vector<std::string> texts;
};

/// Returns the documents of each folder. Ignores files outside the folders.
/// Throws DataError for a damaged archive, an unknown class, a class without documents, a file in a folder
/// that is not at <class>/<document>, and a duplicate document.
std::vector<Documents> ReadDocuments(const FileText& archive, std::span<const std::string> folders,
                                     const LabelMap& labels, TextExtent extent);

}  // namespace okbench
