#include "harness/trace/trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <set>

#include "base/sha256.h"
#include "learners/core/math.h"

namespace okbench {

std::string Column::Text(std::size_t row) const {
  return std::visit([row](const auto& v) { return fmt::format("{}", v[row]); }, values);
}

const Column* Table::Find(const std::string& column) const {
  for (const Column& c : columns)
    if (c.name == column) return &c;
  return nullptr;
}

const Table* Trace::Find(const std::string& table) const {
  for (const Table& t : tables)
    if (t.name == table) return &t;
  return nullptr;
}

std::string Trace::Digest() const {
  static_assert(std::endian::native == std::endian::little, "the digest is over little-endian bytes");
  Sha256 digest;
  for (const Table& table : tables) {
    digest.Update(table.name + ":" + std::to_string(table.rows()) + "\n");
    for (const Column& column : table.columns) {
      if (!column.deterministic) continue;
      const bool whole = std::holds_alternative<std::vector<std::int64_t>>(column.values);
      digest.Update(column.name + (whole ? ":int64\n" : ":float64\n"));
      std::visit([&digest](const auto& v) { digest.Update(v.data(), v.size() * sizeof(v[0])); },
                 column.values);
    }
  }
  return digest.Hex();
}

nlohmann::json Trace::ComparableJson() const {
  const nlohmann::json all = nlohmann::json{{"spec", spec}, {"summary", summary}}.flatten();
  nlohmann::json facts = nlohmann::json::object();
  for (const auto& [key, value] : all.items())
    if (!key.ends_with("/kernel_evaluations/computed") && !key.ends_with("/kernel_evaluations/terms"))
      facts[key] = value;
  return facts;
}

std::uint64_t TrainingExamples(const Trace& trace) {
  if (trace.provenance.contains("training_examples"))
    return trace.provenance.at("training_examples").get<std::uint64_t>();
  const nlohmann::json shape = trace.provenance.value("data_shape", nlohmann::json::object());
  const std::uint64_t rows = shape.value("train", std::uint64_t{0});
  const nlohmann::json data = trace.spec.value("data", nlohmann::json::object());
  const std::uint64_t limit = data.value("limit", std::uint64_t{0});  // 0: none
  return limit == 0 ? rows : std::min(rows, limit);
}

RecordedSteps::RecordedSteps(std::uint64_t steps, std::uint64_t dense, std::uint64_t per_decade,
                             const std::vector<std::uint64_t>& from_end, std::uint64_t every)
    : steps_(steps),
      dense_(dense),
      every_(every),
      first_(static_cast<double>(std::max<std::uint64_t>(dense, 1))),
      rate_(Log(10.0) / static_cast<double>(per_decade)) {
  std::set<std::uint64_t> chosen = {steps};
  for (const std::uint64_t back : from_end)
    if (back < steps) chosen.insert(steps - back);
  for (const std::uint64_t t : chosen)
    if (t > dense && t > 0) last_.push_back(t);
}

// t_k = floor(first * 10^(k / per_decade)) for t_k < steps. The recorded steps are part of the trace, hence
// the portable Exp. The steps are computed one by one because the stream may be unlimited.
void RecordedSteps::NextSpaced() {
  const double t = first_ * Exp(rate_ * static_cast<double>(k_));
  ++k_;
  spaced_ = t < static_cast<double>(steps_) ? static_cast<std::uint64_t>(t) : kNever;
}

bool RecordedSteps::Contains(std::uint64_t t) {
  if (t <= dense_) return true;
  while (spaced_ < t) NextSpaced();
  while (next_ < last_.size() && last_[next_] < t) ++next_;
  return spaced_ == t || (every_ > 0 && t % every_ == 0) || (next_ < last_.size() && last_[next_] == t);
}

}  // namespace okbench
