#pragma once
// DataRequest: which rows of a data set, in which shape.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/fields.h"
#include "datasets/text/text_options.h"

namespace okbench {

struct Range {
  double low = 0, high = 1;  ///< low < high
};

/// A fold of a cross validation.
struct Fold {
  std::uint64_t folds = 2;  ///< how many there are, >= 2
  std::uint64_t fold = 0;   ///< which one, 0 .. folds-1
  bool held_out = false;    ///< the rows that the fold holds out, instead of those it trains on
};

/// What a trial wants of a data set.
struct DataRequest {
  std::string name;
  std::string part = "train";    ///< "train", "test", or "all": train followed by test
  std::vector<int> positive{};   ///< not empty: classes that become +1, the others -1
  std::optional<Range> scale{};  ///< map the catalogue's range linearly to this one
  bool unit_norm = false;        ///< after that, divide each row by its Euclidean norm (zero rows stay zero)
  bool force_synthetic = false;   ///< generate rows even if there are files
  std::size_t rows = 0;          ///< generated data: rows to generate; 0: as many as the real part has
  std::size_t skip = 0;          ///< and rows passed over before them
  std::optional<std::uint64_t>
      sample{};                ///< so many rows of all that, drawn once for all. Not for Load: see Subset
  std::size_t first = 0;       ///< only the first rows of those; 0: all. Not for Load either
  std::optional<Fold> fold{};  ///< of those; not for Load either
  std::optional<TextExtent> text{};           ///< documents: what of them is read; none: the body
  std::optional<TermWeights> term_weights{};  ///< documents: the value of a word; none: its count
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
  visit(identity::Derived{"held_out"}, held_out);  // set where a trial is measured, never where it trains
}

template <MaybeConst<DataRequest> Object, class Visit>
void VisitFields(Object& request, const Visit& visit) {
  auto& [name, part, positive, scale, unit_norm, force_synthetic, rows, skip, sample, first, fold, text,
         term_weights] = request;
  visit(identity::Always{"name"}, name);
  visit(identity::Always{"part"}, part);
  visit(identity::Always{"positive"}, positive);
  visit(identity::WhenSet{"scale"}, scale);
  visit(identity::Always{"unit_norm"}, unit_norm);
  visit(identity::InDigest{"synthetic"}, force_synthetic);
  visit(identity::InDigest{"rows"}, rows);
  visit(identity::Derived{"skip"}, skip);  // a chunk of those rows
  visit(identity::WhenSet{"sample"}, sample);
  visit(identity::Derived{"first"}, first);  // the stream's limit, for learners that have a training set
  visit(identity::WhenSet{"fold"}, fold);
  visit(identity::WhenSet{"text"}, text);
  visit(identity::WhenSet{"term_weights"}, term_weights);
}

/// The whole part that a subset is taken from.
DataRequest Whole(DataRequest request);

/// Everything about a request that decides its rows: requests with equal keys get the same rows.
std::string Key(const DataRequest& request);

}  // namespace okbench
