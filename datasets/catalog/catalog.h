#pragma once
// Catalog: the data sets known by name, read from catalog.toml and from the user's catalog.
//
// Immutable after loading; safe to share between threads.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/fields.h"
#include "boxes/images/images_spec.h"
#include "datasets/catalog/class_tree.h"
#include "datasets/catalog/table_spec.h"
#include "learners/core/examples.h"

namespace okbench {

/// A file of a data set. At most one of `sha256`, `file_sha256` and `file_md5` is set. Without `sha256` and
/// `file_sha256` the sha256 of the content found on disk identifies the file in the trial.
struct DataFile {
  std::string name;  ///< path below the cache, user or mirror folder, e.g. usps/usps.bz2
  std::vector<std::string> urls;
  std::string sha256;         ///< sha256 of the decompressed content; empty: unknown
  std::string file_sha256{};  ///< sha256 of the file as stored, possibly compressed; empty: unknown
  std::string file_md5{};     ///< md5 of the file as stored, for publishers without sha256; empty: unknown
  std::string package{};      ///< Debian package that installs the file; empty: none
  std::string installed{};    ///< absolute path where the package installs it
  std::vector<DataFile> alternatives{};  ///< replacements if the file is missing; the first one found is read
};

/// Shape of the documents made by the generator "topics".
struct TopicsSpec {
  std::size_t words = 0;   ///< size of the vocabulary, which is the number of features
  std::size_t length = 0;  ///< mean length of a document in words
};

/// How the concept of a generated stream changes (datasets/generators/drift.h). Segments are the rows between
/// changes.
struct DriftSpec {
  std::vector<std::uint64_t> changes{};  ///< rows at which a change happens, or is half done; increasing
  std::vector<std::uint64_t>
      concepts{};           ///< concept of each segment, repeated cyclically; empty: 0, 1, 2, ...
  std::uint64_t width = 0;  ///< gradual changes: rows over which the segments mix; 0: abrupt
  std::vector<double> positive_shares{};  ///< probability of class 1 in each segment; empty: as drawn
  double noise = 0;                       ///< probability of a wrong label
};

/// Generator of a data set without files, or of the synthetic fallback of a data set with files.
struct GeneratorSpec {
  /// "digits", "sparse-binary", "clusters", "margin", "waves", "moving-border", "switching", "lorenz",
  /// "mackey-glass", "channel", "friedman", "flipped-plane", "topics", a generator of
  /// datasets/generators/drift.h or, for images, "shapes"; empty: no synthetic fallback.
  std::string name;
  int side = 0;                 ///< digits: height and width of an image in pixels
  int active = 0;               ///< sparse-binary: nonzeros per row
  int levels = 0;               ///< clusters: number of equally spaced values; 0: continuous values
  double positive_share = 0.5;  ///< binary sets: probability of a positive label
  double margin = 0;            ///< margin: least distance of a row from the separating plane, 0 < margin < 1
  std::string noise;            ///< waves: "gaussian", or "student" with two degrees of freedom
  double scale = 0;             ///< waves, channel: factor of the noise
  /// waves, moving-border: rows per full period of the drift. switching: rows between two draws of the
  /// labels. channel: rows between two changes of the response. random-rbf, hyperplane: rows in which a
  /// centre or weight moves by 1. 0: stationary.
  int period = 0;
  std::optional<TopicsSpec> topics{};  ///< topics: shape of the documents
  std::optional<DriftSpec> drift{};    ///< changing streams: where and how they change
};

/// One part of a data set: train or test.
struct DataPart {
  std::size_t rows = 0;
  std::size_t skip = 0;  ///< rows of the file that precede this part
  std::vector<DataFile> files;
  std::string folder{};              ///< documents: folder of this part in the archive
  std::optional<DataFile> delays{};  ///< delay of each row's label in steps of a stream, one per line
};

/// One entry of the catalog.
struct DataSet {
  std::string name;
  std::string title;
  std::string format;        ///< name of one of Formats(), "images", or "generated" (no files)
  std::size_t features = 0;  ///< features per row; 0 for documents: the training part defines them
  std::size_t inputs = 1;    ///< series: values per step; divides the features
  std::size_t horizon = 1;   ///< series: steps from the last value of a row to its target
  std::vector<int> image;    ///< height and width in pixels; empty: rows are not images
  double low = 0, high = 1;  ///< range of the values
  int integer_scale = 0;     ///< every value times this is an integer; 0: unknown
  LabelKind kind = LabelKind::kMulticlass;
  std::vector<std::string> labels;       ///< labels in the files, by class index; empty for real targets
  std::vector<std::string> class_names;  ///< names for display
  std::string terms;
  GeneratorSpec generator;
  std::map<std::string, DataPart> parts;
  std::optional<ClassTree> tree{};             ///< tree of the classes; none: the classes are flat
  bool by_class = false;                       ///< rows of the same class are contiguous in the files
  std::vector<std::uint64_t> change_points{};  ///< rows of train at which the data is known to change
  std::optional<ImagesSpec> images{};          ///< format "images": rows are images with annotated boxes
  std::optional<TableSpec> table{};            ///< format "table"
  bool generated() const { return format == "generated"; }
  /// True if rows are documents: features are words, values their counts or weights.
  bool documents() const;
  /// Estimates of the number of features and of the nonzeros per row. Documents use the values of their
  /// synthetic fallback, because the true values are known only after reading.
  std::size_t EstimatedFeatures() const {
    return documents() && generator.topics ? generator.topics->words : features;
  }
  std::size_t EstimatedEntries() const {
    return documents() && generator.topics ? generator.topics->length : features;
  }
};

template <MaybeConst<DataFile> Object, class Visit>
void VisitFields(Object& file, const Visit& visit) {
  auto& [name, urls, sha256, file_sha256, file_md5, package, installed, alternatives] = file;
  visit(identity::Excluded{"name"}, name);
  visit(identity::Excluded{"urls"}, urls);
  visit(identity::Always{"sha256"}, sha256);
  visit(identity::Always{"file_sha256"}, file_sha256);
  visit(identity::Excluded{"file_md5"}, file_md5);
  visit(identity::Excluded{"package"}, package);
  visit(identity::Excluded{"installed"}, installed);
  visit(identity::Derived{"alternatives"}, alternatives);  // its digest replaces the file's
}

template <MaybeConst<DataPart> Object, class Visit>
void VisitFields(Object& part, const Visit& visit) {
  auto& [rows, skip, files, folder, delays] = part;
  visit(identity::Nested{"files"}, files);
  visit(identity::Always{"skip"}, skip);
  visit(identity::Always{"rows"}, rows);
  visit(identity::WhenSet{"folder"}, folder);
  visit(identity::Excluded{"delays"}, delays);  // trials that use them record their digest
}

template <MaybeConst<TopicsSpec> Object, class Visit>
void VisitFields(Object& topics, const Visit& visit) {
  auto& [words, length] = topics;
  visit(identity::Always{"words"}, words);
  visit(identity::Always{"length"}, length);
}

template <MaybeConst<DriftSpec> Object, class Visit>
void VisitFields(Object& drift, const Visit& visit) {
  auto& [changes, concepts, width, positive_shares, noise] = drift;
  visit(identity::Always{"changes"}, changes);
  visit(identity::Always{"concepts"}, concepts);
  visit(identity::Always{"width"}, width);
  visit(identity::Always{"positive_shares"}, positive_shares);
  visit(identity::Always{"noise"}, noise);
}

template <MaybeConst<GeneratorSpec> Object, class Visit>
void VisitFields(Object& generator, const Visit& visit) {
  auto& [name, side, active, levels, positive_share, margin, noise, scale, period, topics, drift] = generator;
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
  visit(identity::WhenSet{"drift"}, drift);
}

template <MaybeConst<DataSet> Object, class Visit>
void VisitFields(Object& set, const Visit& visit) {
  auto& [name, title, format, features, inputs, horizon, image, low, high, integer_scale, kind, labels,
         class_names, terms, generator, parts, tree, by_class, change_points, images, table] = set;
  visit(identity::Always{"name"}, name);
  visit(identity::Excluded{"title"}, title);
  visit(identity::Always{"format"}, format);
  visit(identity::Always{"features"}, features);
  visit(identity::InDigest{"inputs"}, inputs);
  visit(identity::InDigest{"horizon"}, horizon);
  visit(identity::Excluded{"image"}, image);
  visit(identity::Always{"low"}, low);
  visit(identity::Always{"high"}, high);
  visit(identity::InDigest{"integer_scale"}, integer_scale);
  visit(identity::Always{"kind"}, kind);
  visit(identity::Nested{"generator"}, generator);
  visit(identity::Always{"labels"}, labels);
  visit(identity::Excluded{"class_names"}, class_names);
  visit(identity::Excluded{"terms"}, terms);
  visit(identity::InDigest{"parts"}, parts);  // only the parts that the request names
  visit(identity::Derived{"tree"}, tree);     // changes no row; trials that use the tree record it
  visit(identity::Excluded{"by_class"}, by_class);
  visit(identity::Excluded{"change_points"}, change_points);
  visit(identity::WhenSet{"images"}, images);
  visit(identity::InDigest{"table"}, table);
}

/// Data sets by name.
class Catalog {
 public:
  /// Adds the data sets of a catalog file. Replaces data sets that have the same name.
  /// Throws DataError with file, line and key.
  void Read(const std::string& path);
  /// Returns the data set of this name. Throws DataError that suggests the most similar name.
  const DataSet& Find(const std::string& name) const;
  const std::map<std::string, DataSet>& sets() const { return sets_; }
  /// Whether another file, read later, replaced a data set of this name.
  bool replaced(const std::string& name) const { return replaced_.contains(name); }

 private:
  std::map<std::string, DataSet> sets_;
  std::map<std::string, std::string> files_;  // by name of a data set: the first file that has it
  std::set<std::string> replaced_;
};

}  // namespace okbench
