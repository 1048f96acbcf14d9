#pragma once
// Catalog: the data sets known by name, read from catalog.toml (and from a user's own catalogue).
//
// Immutable after loading; safe to share between threads.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/class_tree.h"
#include "datasets/fields.h"
#include "datasets/images/images_spec.h"
#include "learners/core/examples.h"

namespace okbench {

/// A file of a data set. `sha256` is of its decompressed content; empty for files that are not public, whose
/// own digest then goes into the trial, and where upstream tells that of the compressed file alone.
struct DataFile {
  std::string name;  ///< path below the cache or the mirror folder, e.g. usps/usps.bz2
  std::vector<std::string> urls;
  std::string sha256;
  std::string file_sha256{};  ///< of the file as it is; then `sha256` is empty
  std::string file_md5{};     ///< the same where upstream tells no other; its own digest identifies it
  std::vector<DataFile> alternatives{};  ///< other files that will do, the first that is there is read
};

/// Shape of generated documents.
struct TopicsSpec {
  std::size_t words = 0;   ///< that there are: the features
  std::size_t length = 0;  ///< of a document, in words, on average
};

/// Which generator makes a data set that has no files, or stands in for one that cannot be had, and its
/// shape.
struct GeneratorSpec {
  /// "digits", "sparse-binary", "clusters", "margin", "waves", "moving-border", "switching",
  /// "flipped-plane" or "topics"; empty: none stands in.
  std::string name;
  int side = 0;                 ///< digits: pixels a side
  int active = 0;               ///< sparse-binary: nonzeros a row
  int levels = 0;               ///< clusters: values are integers 0 .. levels-1; 0: real in the range
  double positive_share = 0.5;  ///< binary sets
  double margin = 0;            ///< margin: least distance of a row from the separating plane, 0 < margin < 1
  std::string noise;            ///< waves: "gaussian", or "student" with two degrees of freedom
  double scale = 0;             ///< waves: of the noise
  /// waves, moving-border: rows in which the function drifts by a whole wave; switching: from one draw of the
  /// labels to the next; 0: stationary
  int period = 0;
  std::optional<TopicsSpec> topics{};  ///< topics
};

/// One part (train or test).
struct DataPart {
  std::size_t rows = 0;
  std::size_t skip = 0;  ///< rows of the file before the first one
  std::vector<DataFile> files;
  std::string folder{};  ///< documents: the part's, in the archive
};

struct DataSet {
  std::string name;
  std::string title;
  std::string format;        ///< the name of one of Formats(), or "generated": no files
  std::size_t features = 0;  ///< 0 for documents: as many as the training part has words
  std::vector<int> image;    ///< height and width, empty when rows are no images
  double low = 0, high = 1;  ///< range of the values
  int integer_scale = 0;     ///< every value times this is an integer; 0: unknown
  LabelKind kind = LabelKind::kMulticlass;
  std::vector<std::string> labels;  ///< none for real targets
  std::vector<std::string> class_names;
  std::string terms;
  GeneratorSpec generator;
  std::map<std::string, DataPart> parts;
  std::optional<ClassTree> tree{};     ///< none: the classes are flat
  bool by_class = false;               ///< the rows of a class stand together in the files
  std::optional<ImagesSpec> images{};  ///< of format "images": rows are images with boxes
  bool generated() const { return format == "generated"; }
  /// Whether rows are documents, and values what their words come to.
  bool documents() const;
  /// Features, and nonzeros of a row, for estimates; those of documents are about their synthetic fallback's.
  std::size_t AboutFeatures() const {
    return documents() && generator.topics ? generator.topics->words : features;
  }
  std::size_t AboutEntries() const {
    return documents() && generator.topics ? generator.topics->length : features;
  }
};

template <MaybeConst<DataFile> Object, class Visit>
void VisitFields(Object& file, const Visit& visit) {
  auto& [name, urls, sha256, file_sha256, file_md5, alternatives] = file;
  visit(identity::Excluded{"name"}, name);
  visit(identity::Excluded{"urls"}, urls);
  visit(identity::Always{"sha256"}, sha256);
  visit(identity::Always{"file_sha256"}, file_sha256);
  visit(identity::Excluded{"file_md5"}, file_md5);
  visit(identity::Derived{"alternatives"}, alternatives);  // told in its place where one of them is read
}

template <MaybeConst<DataPart> Object, class Visit>
void VisitFields(Object& part, const Visit& visit) {
  auto& [rows, skip, files, folder] = part;
  visit(identity::Nested{"files"}, files);
  visit(identity::Always{"skip"}, skip);
  visit(identity::Always{"rows"}, rows);
  visit(identity::WhenSet{"folder"}, folder);
}

template <MaybeConst<TopicsSpec> Object, class Visit>
void VisitFields(Object& topics, const Visit& visit) {
  auto& [words, length] = topics;
  visit(identity::Always{"words"}, words);
  visit(identity::Always{"length"}, length);
}

template <MaybeConst<GeneratorSpec> Object, class Visit>
void VisitFields(Object& generator, const Visit& visit) {
  auto& [name, side, active, levels, positive_share, margin, noise, scale, period, topics] = generator;
  visit(identity::Always{"name"}, name);
  visit(identity::Always{"side"}, side);
  visit(identity::Always{"active"}, active);
  visit(identity::Always{"levels"}, levels);
  visit(identity::Always{"positive_share"}, positive_share);
  visit(identity::WhenSet{"margin"}, margin);
  visit(identity::WhenSet{"noise"}, noise);
  visit(identity::WhenSet{"scale"}, scale);
  visit(identity::WhenSet{"period"}, period);
  visit(identity::WhenSet{"topics"}, topics);
}

template <MaybeConst<DataSet> Object, class Visit>
void VisitFields(Object& set, const Visit& visit) {
  auto& [name, title, format, features, image, low, high, integer_scale, kind, labels, class_names, terms, generator,
         parts, tree, by_class, images] = set;
  visit(identity::Always{"name"}, name);
  visit(identity::Excluded{"title"}, title);
  visit(identity::Always{"format"}, format);
  visit(identity::Always{"features"}, features);
  visit(identity::Excluded{"image"}, image);
  visit(identity::Always{"low"}, low);
  visit(identity::Always{"high"}, high);
  visit(identity::InDigest{"integer_scale"}, integer_scale);
  visit(identity::Always{"kind"}, kind);
  visit(identity::Nested{"generator"}, generator);
  visit(identity::Always{"labels"}, labels);
  visit(identity::Excluded{"class_names"}, class_names);
  visit(identity::Excluded{"terms"}, terms);
  visit(identity::InDigest{"parts"}, parts);  // those that a request names
  visit(identity::Derived{"tree"}, tree);    // changes no row; told by the trials that ask for it
  visit(identity::Excluded{"by_class"}, by_class);
  visit(identity::WhenSet{"images"}, images);
}

class Catalog {
 public:
  /// Reads one catalogue file; a later file's sets replace those of the same name. Throws DataError with
  /// file, line and key.
  void Read(const std::string& path);
  /// Throws DataError naming the nearest set when there is none of this name.
  const DataSet& Find(const std::string& name) const;
  const std::map<std::string, DataSet>& sets() const { return sets_; }

 private:
  std::map<std::string, DataSet> sets_;
};

}  // namespace okbench
