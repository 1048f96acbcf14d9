#pragma once
// GrowingDictionary: the ridge regression of a method over its support set, which is a dictionary that grows
// by approximate linear dependence: x joins if its squared distance delta from the span of the dictionary
// exceeds nu, while the budget lasts (Engel, Mannor and Meir 2004). An example with delta below the rounding
// error of the kernel values (kGramTolerance) does not join.

#include <vector>

#include "learners/api/cost_model.h"
#include "learners/api/parameter_table.h"
#include "learners/solvers/dictionary_ridge.h"
#include "learners/support/function_set.h"

namespace okbench {

struct DictionaryOptions {
  double nu = 0.001;       ///< squared distance from the span above which an example joins
  std::size_t budget = 0;  ///< maximum size of the dictionary; 0: no limit
};

template <class T>
class GrowingDictionary {
 public:
  GrowingDictionary(const DictionaryOptions& options, double ridge) : options_(options), ridge_(ridge) {}

  std::size_t size() const { return ridge_.size(); }
  /// Decides whether x_t joins, without a change of the dictionary. Returns phi'A^-1 phi of x_t with the
  /// decision applied. Requests k(x_t, x_t) while the dictionary may grow.
  double Decide(SupportFunction<T> f) {
    f.Values(k_);
    ridge_.Project(k_);
    const bool open = options_.budget == 0 || f.size() < options_.budget;
    self_ = open ? f.Self() : 0;
    joins_ = open && ridge_.SquaredDistance(self_) > options_.nu && ridge_.CanJoin(self_, kGramTolerance<T>);
    return ridge_.Leverage(self_, joins_);
  }
  /// Applies the decision, then A += weight phi phi' and b += c phi, and sets the coefficients of f.
  /// REQUIRES: Decide(f) was the last call.
  void Learn(SupportFunction<T> f, double weight, double c) {
    if (joins_) {
      ridge_.Join(self_, kGramTolerance<T>);
      f.Add(0);
    }
    ridge_.Add(weight, c);
    ridge_.Coefficients(alpha_);
    f.SetAlphas(alpha_);
  }
  void Serialize(Archive& archive) { ridge_.Serialize(archive); }

 private:
  DictionaryOptions options_;
  DictionaryRidge ridge_;
  double self_ = 0;
  bool joins_ = false;
  std::vector<double> k_, alpha_;
};

/// Adds the parameters of DictionaryOptions to a table.
template <class Options>
ParameterTable<Options>& AddDictionaryParameters(ParameterTable<Options>& table) {
  return table
      .Real(&DictionaryOptions::nu, "nu", "nu", NonNegative(), "squared RKHS norm",
            "squared distance from the dictionary's span above which an example joins it")
      .Integer(&DictionaryOptions::budget, "budget", "B", {0, 1e5}, "support vectors",
               "maximum size of the dictionary; 0: no limit");
}

/// Cost of a method over a dictionary whose examples join with probability `share`. `solves`: operations of
/// |S|^2 multiply-adds per step and output. `budget` as in DictionaryOptions.
Cost DictionaryCost(const Workload& work, double share, std::size_t budget, double solves);

}  // namespace okbench
