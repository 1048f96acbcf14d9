#pragma once
// FunctionSet: functions of a reproducing kernel Hilbert space that share one support set. Each function has
// its own members and coefficients.
//
//   f_r = sum_s alpha_rs k(x_s, .),  r = 0 .. functions-1,  s in S_r
//
// A vector that is a member of several functions is stored once, and its kernel value with an example is
// requested once. One-against-the-rest therefore costs the size of the union of the S_r. Members are kept in
// order of arrival. Vectors that are not training examples (e.g. merged ones) may be members. Multiplying a
// function costs O(1). Copies the rows of its members; refers to the engine and the inputs. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/stream_rows.h"
#include "learners/kernels/vector_ops.h"
#include "learners/support/recent_examples.h"

namespace okbench {

template <class T>
class SupportFunction;

template <class T>
class FunctionSet {
 public:
  /// The engine and the inputs must outlive this object. `blocks` is the empty support set. REQUIRES: it is
  /// made with `vectors` (KernelEngine::MakeBlocks) if AddVector() is used.
  FunctionSet(KernelEngine<T>& engine, const ExampleInputs<T>& inputs, SupportBlocks<T> blocks,
              std::size_t functions, std::size_t lookahead);

  /// Lets a method keep examples outside the support set (SupportFunction::Remember). `blocks`: an empty set
  /// of the engine. REQUIRES: one function.
  void KeepRecent(SupportBlocks<T> blocks) { recent_.emplace(engine_, std::move(blocks)); }

  /// Sets the order of the coming examples, for look-ahead.
  void Announce(std::span<const std::uint32_t> order) { rows_.Announce(order); }

  /// Computes f_r(x_i) of all functions. Counts size() values as requested. Afterwards x_i is the current
  /// example x_t, which SupportFunction::Add() adds. `purpose`: of these values and of k(x_t, x_t);
  /// look-ahead is for learning alone.
  void Fetch(std::uint32_t i, std::span<double> f, Purpose purpose = Purpose::kLearning);

  /// A handle to function r; refers to this object.
  SupportFunction<T> function(std::size_t r) { return {*this, r}; }
  std::size_t functions() const { return functions_.size(); }
  /// Number of distinct support vectors.
  std::size_t size() const { return blocks_.size(); }
  /// The rows of all slots in use.
  const SupportBlocks<T>& blocks() const { return blocks_; }
  /// Slots of the members of a function, oldest first.
  std::span<const std::uint32_t> members(std::size_t r) const { return functions_[r].members; }
  /// Coefficient of the vector in a slot in function r.
  double alpha(std::size_t r, std::size_t slot) const {
    return functions_[r].scale * columns_[r * stride_ + slot];
  }
  /// Training example in a slot; kNoExample if the vector is not a row of the current training set.
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }
  static constexpr std::uint32_t kNoExample = static_cast<std::uint32_t>(-1);

  /// Scores of rows of another data set, counted as evaluation: out[row * functions + r].
  void Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);
  /// Computes k(x_j, x) for the members j of function r, by place, of row i of another data set. Returns k(x,
  /// x). All are counted as evaluation.
  double EvaluateRow(std::size_t r, const Inputs<T>& inputs, std::uint32_t i, std::vector<double>& out);
  /// Adds a function that is 0. It has no members, or, with `joint`, those of function 0.
  void AddFunction(bool joint = false);
  /// Slots of all support vectors, in increasing order.
  std::vector<std::size_t> UsedSlots() const;

  /// Call after the training set was replaced. From then on, the rows of members are taken from the support
  /// set.
  void OnRowsAppended();
  void Serialize(Archive& archive);

 private:
  friend class SupportFunction<T>;
  struct Function {
    std::vector<std::uint32_t> members;
    double scale = 1;  // alpha = scale * column entry
  };

  double Self();
  double Value(std::size_t slot);
  void Values(std::size_t r, std::vector<double>& out);
  std::size_t AddExample(std::size_t r, double alpha);
  std::size_t AddVector(std::size_t r, std::span<const T> values, double alpha);
  void Remove(std::size_t r, std::size_t place);
  void Multiply(std::size_t r, double factor);
  void MemberRow(std::size_t slot, std::span<const std::uint32_t> others, std::vector<double>& out);
  void Vector(std::size_t slot, std::span<T> out) const;
  void SetAlphas(std::size_t r, std::span<const double> alphas);
  void AddToAlphas(std::size_t r, double factor, std::span<const double> direction);

  std::size_t TakeSlot();
  void AddMember(std::size_t r, std::size_t slot, double alpha);
  void Reserve(std::size_t slots);
  double* Column(std::size_t r) { return columns_.data() + r * stride_; }

  KernelEngine<T>& engine_;
  VectorOps<T> ops_;
  const ExampleInputs<T>& inputs_;
  SupportBlocks<T> blocks_;
  std::optional<RecentExamples<T>> recent_;
  StreamRows<T> rows_;
  std::vector<Function> functions_;
  std::size_t stride_ = 0;
  AlignedVector<double> columns_;  // [function][slot]
  std::vector<std::uint32_t> examples_, holders_;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free_;
  AlignedVector<double> scratch_;
  AlignedVector<T> member_row_;

  // The example x_t of the last Fetch(): its kernel row, k(x_t, x_t) once computed, and its slot once added.
  const T* row_ = nullptr;
  std::uint32_t pending_ = kNoExample;
  std::size_t pending_slot_ = kNoSlot;
  Purpose purpose_ = Purpose::kLearning;
  bool self_known_ = false;
  double self_ = 0;
  std::vector<std::size_t> vectors_;  // slots of the vectors added since Fetch()
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);
};

/// One function of a FunctionSet. x_t is the example of the last Fetch(). A place is an index into the
/// members; 0 is the oldest.
template <class T>
class SupportFunction {
 public:
  SupportFunction(FunctionSet<T>& set, std::size_t r) : set_(set), r_(r) {}

  /// Number of members.
  std::size_t size() const { return members().size(); }
  /// Slots of the members, oldest first.
  std::span<const std::uint32_t> members() const { return set_.members(r_); }
  double alpha(std::size_t place) const { return set_.alpha(r_, members()[place]); }
  void SetAlpha(std::size_t place, double alpha) {
    set_.Column(r_)[members()[place]] = alpha / set_.functions_[r_].scale;
  }
  /// Sets all coefficients, by place. REQUIRES: alphas.size() >= size().
  void SetAlphas(std::span<const double> alphas) { set_.SetAlphas(r_, alphas); }
  /// The common factor: alpha is scale() times the stored entry. Never 0.
  double scale() const { return set_.functions_[r_].scale; }

  /// Weight of the loss of x_t; methods that ignore it set LearnerDescription::weights to false.
  double weight() const { return set_.inputs_.examples->weight(set_.pending_); }
  /// k(x_t, x_t). Counts one value as requested and computed at the first call for x_t from any function.
  double Self() { return set_.Self(); }
  /// k(x_place, x_t), already computed by Fetch(). REQUIRES: the member was not added by AddVector() since.
  double Value(std::size_t place) { return set_.Value(members()[place]); }
  /// The same for all members, by place.
  void Values(std::vector<double>& out) { set_.Values(r_, out); }
  /// alpha_j += factor direction_j, by place.
  void AddToAlphas(double factor, std::span<const double> direction) {
    set_.AddToAlphas(r_, factor, direction);
  }
  /// k(x_place, x_j) for all members j, by place. Counts size() values as requested, except the value with
  /// x_t, which is known unless the member was added by AddVector() since Fetch(). Counts one value per
  /// support vector of the whole set as computed; none if x_place is x_t, whose row is known.
  void MemberRow(std::size_t place, std::vector<double>& out) { MemberRow(place, members(), out); }
  /// The same for the members in the slots `others`.
  void MemberRow(std::size_t place, std::span<const std::uint32_t> others, std::vector<double>& out) {
    set_.MemberRow(members()[place], others, out);
  }
  /// Computes the coordinates of a kernel map over the members, counted as features (KernelEngine::Map).
  void Map(const KernelMap& map, const double* row, double* coordinates) {
    set_.engine_.Map(map, row, Purpose::kLearning, coordinates);
  }
  /// Copies the features of a member. REQUIRES: out.size() = features().
  void Vector(std::size_t place, std::span<T> out) const { set_.Vector(members()[place], out); }

  /// Examples that the method keeps outside the support set. Remember() copies x_t, ForgetOldest() drops the
  /// oldest, and RecentRow() gives k(x_t, .) with all of them, oldest first; each value counts as requested.
  /// REQUIRES: FunctionSet::KeepRecent().
  void Remember() { set_.recent_->Push(set_.inputs_, set_.pending_); }
  void ForgetOldest() { set_.recent_->Pop(); }
  void RecentRow(std::vector<double>& out) { set_.recent_->Row(set_.inputs_, set_.pending_, out); }

  /// Makes x_t the newest member. Call at most once per example.
  void Add(double alpha) { set_.AddExample(r_, alpha); }
  /// Makes a vector that is not a training example the newest member.
  void AddVector(std::span<const T> values, double alpha) { set_.AddVector(r_, values, alpha); }
  void Remove(std::size_t place) { set_.Remove(r_, place); }
  /// Replaces scale() and keeps the stored entries unchanged. REQUIRES: scale is not 0.
  void SetScale(double scale) { set_.functions_[r_].scale = scale; }
  /// f <- factor f. A factor of 0 removes all members.
  void Multiply(double factor) { set_.Multiply(r_, factor); }
  /// The number of features.
  std::size_t features() const { return set_.blocks_.features(); }

 private:
  FunctionSet<T>& set_;
  std::size_t r_;
};

extern template class FunctionSet<float>;
extern template class FunctionSet<double>;

}  // namespace okbench
