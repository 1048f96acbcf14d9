#pragma once
// DataRequest: the rows of a data set that a trial uses, and how they are transformed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "datasets/text/text_options.h"

namespace okbench {

/// A range of values.
struct Range {
  double low = 0, high = 1;  ///< low < high
};

/// A fold of a cross validation.
struct Fold {
  std::uint64_t folds = 2;  ///< number of folds, >= 2
  std::uint64_t fold = 0;   ///< index of this fold, 0 .. folds-1
  bool held_out = false;    ///< true: the held-out rows; false: the training rows
};

/// The data that a trial requests.
struct DataRequest {
  std::string name;
  std::string part = "train";    ///< "train", "test", or "all": train followed by test
  std::vector<int> positive{};   ///< classes that become +1, all others -1; empty: the set's own labels
  std::optional<Range> scale{};  ///< target of a linear map of the catalog's range; none: no map
  bool unit_norm = false;        ///< after `scale`, divide each nonzero row by its Euclidean norm
  bool force_synthetic = false;  ///< generate rows even if the files exist
  std::size_t rows = 0;          ///< generated data: rows per part; 0: as many as in the catalog
  std::size_t skip = 0;          ///< generated data: rows that precede the first one
  std::optional<std::uint64_t>
      sample{};                ///< size of a fixed random sample of the rows; applied by Subset(), not Load()
  std::size_t first = 0;       ///< number of leading rows of the sample; 0: all; applied by Subset()
  std::optional<Fold> fold{};  ///< fold of those rows; applied by Subset()
  std::optional<TextExtent> text{};           ///< documents: part of a message that is read; none: the body
  std::optional<TermWeights> term_weights{};  ///< documents: value of a word; none: its count
  std::optional<std::uint64_t> embedding{};   ///< series: last values of each input in a row; none: catalog
  std::optional<std::uint64_t> horizon{};     ///< series: steps to the target; none: catalog
};

template <MaybeConst<Range> Object, class Visit>
void VisitFields(Object& range, const Visit& visit) {
  auto& [low, high] = range;
  visit(identity::Always{"low"}, low);
  visit(identity::Always{"high"}, high);
}

template <MaybeConst<Fold> Object, class Visit>
void VisitFields(Object& of, const Visit& visit) {
  auto& [folds, fold, held_out] = of;
  visit(identity::Always{"folds"}, folds);
  visit(identity::Always{"fold"}, fold);
  visit(identity::Derived{"held_out"}, held_out);  // true for measurements, false for training
}

template <MaybeConst<DataRequest> Object, class Visit>
void VisitFields(Object& request, const Visit& visit) {
  auto& [name, part, positive, scale, unit_norm, force_synthetic, rows, skip, sample, first, fold, text,
         term_weights, embedding, horizon] = request;
  visit(identity::Always{"name"}, name);
  visit(identity::Always{"part"}, part);
  visit(identity::Always{"positive"}, positive);
  visit(identity::WhenSet{"scale"}, scale);
  visit(identity::Always{"unit_norm"}, unit_norm);
  visit(identity::InDigest{"synthetic"}, force_synthetic);
  visit(identity::InDigest{"rows"}, rows);
  visit(identity::Derived{"skip"}, skip);  // a chunk of the rows
  visit(identity::WhenSet{"sample"}, sample);
  visit(identity::Derived{"first"}, first);  // equals the stream's limit for learners with a training set
  visit(identity::WhenSet{"fold"}, fold);
  visit(identity::WhenSet{"text"}, text);
  visit(identity::WhenSet{"term_weights"}, term_weights);
  visit(identity::WhenSet{"embedding"}, embedding);
  visit(identity::WhenSet{"horizon"}, horizon);
}

/// Returns the request without sample, first and fold: all rows, of which Subset() selects some.
DataRequest WithoutSubset(DataRequest request);

/// Returns a key of all fields that determine the rows. Requests with equal keys get the same rows.
std::string Key(const DataRequest& request);

}  // namespace okbench
