#pragma once
// Hedge over learners of one method with several kernel widths or parameters (Hoi, Jin, Zhao and Yang,
// "Online multiple kernel classification", Machine Learning 90, 2013, deterministic Hedge), for streams that
// change. Every learner sees every example and learns as it does alone. Old losses are discounted, at several
// rates s_d, because the best rate depends on how fast the stream changes. Learner i has the weights w_id, at
// first 1. A second Hedge over the rates has the weights v_d, at first 1:
//
//   w_id <- w_id^(1 - s_d) beta^(z_i),  z_i = 1 if learner i was wrong, else 0
//   v_d <- v_d^(1 - s) beta^(z_d),      z_d = 1 if the vote with the weights w_1d, w_2d, ... was wrong
//   w_i = sum_d v_d w_id / (sum_j w_jd),  s = min_d s_d
//
//   classes:       predict arg max_c sum_i w_i 1[learner i predicts c]
//   real targets:  f(x) = sum_i w_i f_i(x) / sum_i w_i
//
// A single rate of 0 is the published rule. Real targets: z_i is the squared error of learner i, divided by
// the largest one so far, and f_i is clipped to the range of the targets so far, widened by its length at
// both ends; z_d is the same for the mean with the weights w_1d, w_2d, .... Scores: the share of the weights
// that votes for a class; for two classes that of +1 minus that of -1. A learner with a score of 0 for two
// classes does not vote. Loss: 0 or 1 for classes, (f - y)^2 for real targets.
//
// A learner whose scores are not finite is dropped. Cost per step: that of every learner.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learners/api/hedge_options.h"
#include "learners/api/learner_info.h"

namespace okbench {

/// What distinguishes one learner of a Hedge.
struct HedgedLearner {
  ParameterValues parameters;
  Kernel kernel;
};

/// Makes a Hedge over learners of a method. Throws InvalidArgument unless the method is a Resumable stream
/// learner that needs no rows of its training set and the options are in their ranges, and what the method's
/// constructor throws.
template <class T>
std::unique_ptr<Learner> MakeHedge(const LearnerInfo& info, std::span<const HedgedLearner> learners,
                                   const HedgeOptions& options, const LearnerContext<T>& context);

}  // namespace okbench
