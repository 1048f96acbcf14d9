#pragma once
// Documents of an archive: a folder a part, in it a folder a class, in it a file a document.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/formats/format.h"
#include "datasets/label_map.h"

namespace okbench {

/// The documents of a part: by class, in the catalogue's order, then by name, in byte order.
struct Documents {
  std::vector<std::int32_t> labels;
  std::vector<std::string> texts;
};

/// The documents below each of these folders. Files elsewhere in the archive are passed over. Throws
/// DataError for a damaged archive, a class that the labels have not got or that has no documents, a file
/// that lies elsewhere in a folder, and two of one name.
std::vector<Documents> ReadDocuments(const FileText& archive, std::span<const std::string> folders,
                                     const LabelMap& labels, TextExtent extent);

}  // namespace okbench
