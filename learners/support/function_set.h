#pragma once
// FunctionSet: functions of a reproducing kernel Hilbert space that share one support set, each with members
// and coefficients of its own.
//
//   f_r = sum_s alpha_rs k(x_s, .),  r = 0 .. functions-1,  s in S_r
//
// A vector that several functions hold is there once, and its kernel value with an example is asked for once:
// the cost of one-against-the-rest is that of the union of the S_r. Members come and go, in their order of
// arrival; vectors that are no data rows (merged ones) may be members, too. A whole function is multiplied in
// O(1). Owns its copies of the inputs. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/stream_rows.h"
#include "learners/kernels/vector_ops.h"

namespace okbench {

template <class T>
class SupportFunction;

template <class T>
class FunctionSet {
 public:
  /// The engine and the inputs must outlive this object; `blocks` is the empty support set, of any
  /// vectors (MakeBlocks with `vectors`) where AddVector is used.
  FunctionSet(KernelEngine<T>& engine, const ExampleInputs<T>& inputs, SupportBlocks<T> blocks,
              std::size_t functions, std::size_t lookahead);

  void Announce(std::span<const std::uint32_t> order) { rows_.Announce(order); }

  /// f_r(x_i) of all functions: size() values requested. The example is then the one that may be added.
  void Fetch(std::uint32_t i, std::span<double> f);

  /// One of the functions; refers to this object.
  SupportFunction<T> function(std::size_t r) { return {*this, r}; }
  std::size_t functions() const { return functions_.size(); }
  /// Different support vectors.
  std::size_t size() const { return blocks_.size(); }
  /// Slots in use, and the rows that they hold.
  const SupportBlocks<T>& blocks() const { return blocks_; }
  /// Members of a function as slots, oldest first, and their coefficients.
  std::span<const std::uint32_t> members(std::size_t r) const { return functions_[r].members; }
  double alpha(std::size_t r, std::size_t slot) const {
    return functions_[r].scale * columns_[r * stride_ + slot];
  }
  /// The training example in a slot; kGone for a vector of its own, or of rows that are gone.
  std::uint32_t example(std::size_t slot) const { return examples_[slot]; }
  static constexpr std::uint32_t kGone = static_cast<std::uint32_t>(-1);

  /// Scores of rows of another data set, counted as evaluation: out[row * functions + r].
  void Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows, std::span<double> out);
  /// Slots of all support vectors, in order.
  std::vector<std::size_t> UsedSlots() const;

  /// The training examples are others now: rows of members are taken from the set itself from here on.
  void OnRowsAppended();
  void Serialize(Archive& archive);

 private:
  friend class SupportFunction<T>;
  struct Function {
    std::vector<std::uint32_t> members;
    double scale = 1;  // alpha = scale * entry of the column
  };

  double Self();
  double Value(std::size_t slot);
  std::size_t AddExample(std::size_t r, double alpha);
  std::size_t AddVector(std::size_t r, std::span<const T> values, double alpha);
  void Remove(std::size_t r, std::size_t place);
  void Multiply(std::size_t r, double factor);
  void MemberRow(std::size_t slot, std::span<const std::uint32_t> others, std::vector<double>& out);
  void Vector(std::size_t slot, std::span<T> out) const;
  void SetAlphas(std::size_t r, std::span<const double> alphas);

  std::size_t TakeSlot();
  void Hold(std::size_t r, std::size_t slot, double alpha);
  void Reserve(std::size_t slots);
  double* Column(std::size_t r) { return columns_.data() + r * stride_; }

  KernelEngine<T>& engine_;
  VectorOps<T> ops_;
  const ExampleInputs<T>& inputs_;
  SupportBlocks<T> blocks_;
  StreamRows<T> rows_;
  std::vector<Function> functions_;
  std::size_t stride_ = 0;
  AlignedVector<double> columns_;  // [function][slot]
  std::vector<std::uint32_t> examples_, holders_;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free_;
  AlignedVector<double> scratch_;
  AlignedVector<T> member_row_;

  // The example of the last Fetch: its row, k(x, x) once it is known, and the slot that it has got.
  const T* row_ = nullptr;
  std::uint32_t pending_ = kGone;
  std::size_t pending_slot_ = kNoSlot;
  bool self_known_ = false;
  double self_ = 0;
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);
};

/// One function of a set, as a method works with it. What is asked of it belongs to the example x_t of the
/// last Fetch. A place is an index among the members, 0 the oldest.
template <class T>
class SupportFunction {
 public:
  SupportFunction(FunctionSet<T>& set, std::size_t r) : set_(set), r_(r) {}

  std::size_t size() const { return members().size(); }
  /// Slots, oldest first.
  std::span<const std::uint32_t> members() const { return set_.members(r_); }
  double alpha(std::size_t place) const { return set_.alpha(r_, members()[place]); }
  void SetAlpha(std::size_t place, double alpha) {
    set_.Column(r_)[members()[place]] = alpha / set_.functions_[r_].scale;
  }
  /// All coefficients, by place; `alphas` may be longer.
  void SetAlphas(std::span<const double> alphas) { set_.SetAlphas(r_, alphas); }
  /// The factor that all coefficients share: alpha is it times what is stored. Not 0.
  double scale() const { return set_.functions_[r_].scale; }

  /// k(x_t, x_t): one value requested by the first of all functions that asks.
  double Self() { return set_.Self(); }
  /// k(x_place, x_t), which is held; not that of a vector which was added in this step.
  double Value(std::size_t place) { return set_.Value(members()[place]); }
  /// The same of all members, by place.
  void Values(std::vector<double>& out) {
    out.resize(size());
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = Value(j);
  }
  /// alpha_j += factor direction_j, by place.
  void AddToAlphas(double factor, std::span<const double> direction) {
    for (std::size_t j = 0; j < direction.size(); ++j) SetAlpha(j, alpha(j) + factor * direction[j]);
  }
  /// k(x_place, x_j) for all members j, by place. Requested: size() values, but for those with x_t, which are
  /// held. Computed: those of all functions.
  void MemberRow(std::size_t place, std::vector<double>& out) { MemberRow(place, members(), out); }
  /// The same for some of the members alone, given as slots: `out` as many.
  void MemberRow(std::size_t place, std::span<const std::uint32_t> others, std::vector<double>& out) {
    set_.MemberRow(members()[place], others, out);
  }
  /// The coordinates of a kernel map over the members, counted as features (KernelEngine::Map).
  void Map(const KernelMap& map, const double* row, double* coordinates) {
    set_.engine_.Map(map, row, Purpose::kLearning, coordinates);
  }
  /// The features of a member, `out` as many.
  void Vector(std::size_t place, std::span<T> out) const { set_.Vector(members()[place], out); }

  /// Makes x_t the newest member; not to be called twice for one example.
  void Add(double alpha) { set_.AddExample(r_, alpha); }
  /// Makes a vector that is no data row the newest member.
  void AddVector(std::span<const T> values, double alpha) { set_.AddVector(r_, values, alpha); }
  void Remove(std::size_t place) { set_.Remove(r_, place); }
  /// Another factor, not 0, in the place of scale(): what is stored stays, to the bit.
  void SetScale(double scale) { set_.functions_[r_].scale = scale; }
  /// f <- factor f; without members for a factor of 0.
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
