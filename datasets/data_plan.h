#pragma once
// DataPlan: what a request comes to, known without loading anything, and the digest that identifies it.

#include <map>
#include <string>
#include <vector>

#include "datasets/catalog.h"
#include "datasets/locate.h"
#include "datasets/request.h"

namespace okbench {

/// What a request comes to, known without loading anything.
struct DataPlan {
  bool synthetic = false;
  std::string digest;  ///< of the files, or of the generator; part of every trial id
  std::size_t rows = 0;
  std::vector<int> image;  ///< height and width of a row as an image, empty when it is none
  double margin = 0;       ///< of a generated separable set, else 0
  bool documents = false;  ///< rows are made of texts
  bool integers = false;   ///< rows are made of integers
  /// The files that are read: sha256 by name, of the content or, where the catalogue has that, of the file.
  std::map<std::string, std::string> files;
};

template <MaybeConst<DataPlan> Object, class Visit>
void VisitFields(Object& plan, const Visit& visit) {
  auto& [synthetic, digest, rows, image, margin, documents, integers, files] = plan;
  visit(identity::InDigest{"synthetic"}, synthetic);
  visit(identity::Always{"digest"}, digest);
  visit(identity::InDigest{"rows"}, rows);
  visit(identity::Excluded{"image"}, image);
  visit(identity::InDigest{"margin"}, margin);
  visit(identity::Excluded{"documents"}, documents);  // the revisions tell
  visit(identity::Excluded{"integers"}, integers);          // likewise
  visit(identity::InDigest{"files"}, files);
}

/// The parts that a request names, in their order. Throws DataError when the set has not got them.
std::vector<std::string> PartsOf(const DataSet& set, const DataRequest& request);

/// Decides between files and synthetic fallback. Throws DataError for an unknown part.
DataPlan PlanData(const DataSet& set, const DataRequest& request, const DataFolders& folders);

}  // namespace okbench
