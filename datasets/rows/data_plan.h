#pragma once
// DataPlan: the properties and the digest of the data of a request, determined without loading the rows.

#include <map>
#include <string>
#include <vector>

#include "datasets/catalog/catalog.h"
#include "datasets/files/locate.h"
#include "datasets/rows/request.h"

namespace okbench {

/// The properties of the data of a request.
struct DataPlan {
  bool synthetic = false;  ///< a synthetic fallback replaces the files
  std::string digest;      ///< digest of the files or of the generator; part of every trial id
  std::size_t rows = 0;
  std::vector<int> image;  ///< height and width of a row in pixels; empty: rows are not images
  double margin = 0;       ///< margin of the generator "margin"; 0: another generator or none
  bool documents = false;  ///< rows are documents
  bool integers = false;   ///< rows are multiples of an integer vector (see IntegerScaleOf())
  /// Files that are read: sha256 by file name. The digest is of the content, or of the file as stored if the
  /// catalog has only that one. Empty for synthetic data.
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
  visit(identity::Excluded{"documents"}, documents);  // covered by the revisions in the trial id
  visit(identity::Excluded{"integers"}, integers);    // likewise
  visit(identity::InDigest{"files"}, files);
}

/// Returns the names of the requested parts, in order: "all" becomes train, test. Throws DataError for a part
/// that the data set lacks.
std::vector<std::string> PartsOf(const DataSet& set, const DataRequest& request);

/// Decides between files and synthetic fallback: one missing file selects the fallback for all parts. Hashes
/// files whose digest the catalog lacks. Throws DataError for an unknown part, or for a missing file or a
/// forced fallback if the data set has no synthetic fallback.
DataPlan PlanData(const DataSet& set, const DataRequest& request, const DataFolders& folders);

}  // namespace okbench
