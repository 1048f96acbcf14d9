#include "learners/support/circular_expansion.h"

#include <utility>

#include "learners/support/columns.h"

namespace okbench {

template <class T>
CircularExpansion<T>::CircularExpansion(KernelEngine<T>& engine, const Inputs<T>& inputs,
                                        SupportBlocks<T> blocks, const CircularOptions& options,
                                        std::size_t outputs)
    : CircularTerms<T>(engine, inputs, std::move(blocks), options, outputs),
      outputs_(outputs),
      sums_(outputs) {}

template <class T>
void CircularExpansion<T>::Sum(const T* row, const double* columns, std::size_t count, double* sums) {
  scratch_.resize(this->blocks().slots());
  ops_.WeightedSums(row, this->blocks().blocks(), columns, this->stride(), count, scratch_.data(), sums);
}

template <class T>
void CircularExpansion<T>::Values(std::uint32_t i, std::span<double> f) {
  Sum(this->Fetch(i), this->a(0), outputs_, sums_.data());
  for (std::size_t r = 0; r < outputs_; ++r) f[r] = this->s() * sums_[r];
}

template <class T>
void CircularExpansion<T>::TraceValues(std::span<const double> needed, std::span<double> v) {
  for (std::size_t r = 0; r < outputs_; ++r) {
    v[r] = 0;
    if (needed[r] == 0) continue;
    double sum = 0;
    Sum(this->row(), this->b(r), 1, &sum);
    v[r] = this->p() * sum + this->q() * sums_[r];
  }
}

template <class T>
void CircularExpansion<T>::Oldest(double self, std::span<double> f, std::span<double> v,
                                  std::span<double> alpha, std::span<double> beta) {
  const T* row = this->OldestRow(self);
  const std::size_t slot = this->next_slot();
  for (std::size_t r = 0; r < outputs_; ++r) {
    Sum(row, this->a(r), 1, &f[r]);
    if (!v.empty()) {
      Sum(row, this->b(r), 1, &v[r]);
      v[r] = this->p() * v[r] + this->q() * f[r];
      beta[r] = this->BetaAt(r, slot);
    }
    f[r] *= this->s();
    alpha[r] = this->AlphaAt(r, slot);
  }
}

template <class T>
void CircularExpansion<T>::Evaluate(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                    std::span<double> out) {
  EvaluateColumns(this->engine(), this->blocks(), inputs, rows, this->a(0), this->stride(), outputs_,
                  this->s(), Purpose::kMeasuring, out);
}

template <class T>
void CircularExpansion<T>::EvaluateTrace(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                         std::span<double> out) {
  EvaluateColumns(this->engine(), this->blocks(), inputs, rows, this->b(0), this->stride(), outputs_, 1.0,
                  Purpose::kMeasuring, out);
}

template class CircularExpansion<float>;
template class CircularExpansion<double>;

}  // namespace okbench
