#include "datasets/text/term_weights.h"

#include "learners/core/math.h"

namespace okbench {

template <class T>
DocumentFrequencies CountDocuments(const RawRows<T>& rows) {
  DocumentFrequencies frequencies{.documents = rows.offsets.size() - 1,
                                  .with = std::vector<std::uint32_t>(rows.features, 0)};
  for (const std::uint32_t word : rows.indices) ++frequencies.with[word];
  return frequencies;
}

template <class T>
void WeighTerms(const DocumentFrequencies& frequencies, RawRows<T>& rows) {
  const auto n = static_cast<double>(frequencies.documents);
  std::vector<double> rarity;
  rarity.reserve(frequencies.with.size());
  for (const std::uint32_t with : frequencies.with) rarity.push_back(with == 0 ? 0 : Log(n / with));
  std::size_t kept = 0, first = 0;
  for (std::size_t i = 0; i + 1 < rows.offsets.size(); ++i) {
    const std::size_t last = rows.offsets[i + 1];
    for (std::size_t j = first; j < last; ++j) {
      const double count = static_cast<double>(rows.values[j]);
      const auto weight = static_cast<T>((1 + Log(count)) * rarity[rows.indices[j]]);
      if (weight == 0) continue;
      rows.indices[kept] = rows.indices[j];
      rows.values[kept++] = weight;
    }
    first = last;
    rows.offsets[i + 1] = kept;
  }
  rows.indices.resize(kept);
  rows.values.resize(kept);
}

template DocumentFrequencies CountDocuments<float>(const RawRows<float>&);
template DocumentFrequencies CountDocuments<double>(const RawRows<double>&);
template void WeighTerms<float>(const DocumentFrequencies&, RawRows<float>&);
template void WeighTerms<double>(const DocumentFrequencies&, RawRows<double>&);

}  // namespace okbench
