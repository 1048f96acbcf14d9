#pragma once
// RecentExamples: copies of examples outside the support set that a method needs for a few more steps, and
// the kernel values of the current example with them. First in, first out. Not thread-safe.

#include <cstdint>
#include <vector>

#include "learners/core/aligned.h"
#include "learners/core/archive.h"
#include "learners/kernels/engine.h"

namespace okbench {

template <class T>
class RecentExamples {
 public:
  /// `blocks`: an empty set of the engine. The engine must outlive this object.
  RecentExamples(KernelEngine<T>& engine, SupportBlocks<T> blocks);

  std::size_t size() const { return slots_.size(); }
  /// Copies example i of the inputs.
  void Push(const ExampleInputs<T>& inputs, std::uint32_t i);
  /// Drops the oldest. REQUIRES: size() > 0.
  void Pop();
  /// k(x_i, .) with all of them, oldest first. Counts size() values as requested and computed.
  void Row(const ExampleInputs<T>& inputs, std::uint32_t i, std::vector<double>& out);

  void Serialize(Archive& archive);

 private:
  KernelEngine<T>& engine_;
  SupportBlocks<T> blocks_;
  std::vector<std::uint32_t> slots_;  // oldest first
  AlignedVector<T> row_;
};

extern template class RecentExamples<float>;
extern template class RecentExamples<double>;

}  // namespace okbench
