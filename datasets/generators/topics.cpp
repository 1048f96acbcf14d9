// TopicModel: words of generated documents.

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "datasets/generators/generators.h"

namespace okbench {
namespace {

constexpr double kTopicShare = 0.1;       // probability that a word comes from a node
constexpr std::size_t kNodeShare = 200;   // a node has 1/200 of the vocabulary
constexpr std::size_t kFewestWords = 20;  // minimum number of words of a node
constexpr double kZipfOffset = 2.7;       // Zipf-Mandelbrot: frequency 1 / (rank + offset), rank from 0

}  // namespace

TopicModel::Words TopicModel::ZipfWords(std::vector<std::uint32_t> words) {
  Words ranked{.words = std::move(words), .sums = {}};
  double sum = 0;
  for (std::size_t rank = 0; rank < ranked.words.size(); ++rank) {
    sum += 1 / (static_cast<double>(rank) + kZipfOffset);
    ranked.sums.push_back(sum);
  }
  return ranked;
}

std::uint32_t TopicModel::DrawWord(const Words& from, Random& random) {
  const double mark = random.Uniform() * from.sums.back();
  const auto place = std::upper_bound(from.sums.begin(), from.sums.end() - 1, mark) - from.sums.begin();
  return from.words[static_cast<std::size_t>(place)];
}

TopicModel::TopicModel(const DataSet& set) : length_(set.generator.topics->length) {
  const std::size_t count = set.generator.topics->words;
  if (count < kFewestWords || length_ < 1)
    throw DataError("data set '" + set.name +
                    "': generator topics needs length >= 1 and words >= " + std::to_string(kFewestWords));
  std::vector<std::uint32_t> words(count);
  std::iota(words.begin(), words.end(), 0U);
  Random shape(DeriveSeed({{kSyntheticAxis, set.name}, {"shape", ""}}));
  Shuffle(std::span(words), shape);
  language_ = ZipfWords(words);
  const ClassTree flat;
  std::map<std::string, std::size_t> known;
  for (const std::string& name : set.class_names) {
    std::vector<std::string> path = PathTo(set.tree ? *set.tree : flat, name);
    if (path.empty()) path.push_back(name);
    paths_.emplace_back();
    for (const std::string& node : path) {
      const auto [entry, fresh] = known.emplace(node, nodes_.size());
      paths_.back().push_back(entry->second);
      if (!fresh) continue;
      const std::size_t own = std::max(kFewestWords, count / kNodeShare);
      Random random(DeriveSeed({{kSyntheticAxis, set.name}, {"node", node}}));
      DrawToFront(std::span(words), own, random);
      nodes_.push_back(ZipfWords({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(own)}));
    }
  }
}

std::vector<std::uint32_t> TopicModel::Draw(std::int32_t label, Random& random) const {
  const std::vector<std::size_t>& path = paths_[static_cast<std::size_t>(label)];
  // Uniform between 1/4 and 7/4 of the mean length.
  const auto length =
      static_cast<std::size_t>(static_cast<double>(length_) * (0.25 + 1.5 * random.Uniform()));
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i) {
    const bool topic = random.Uniform() < kTopicShare;
    words.push_back(DrawWord(topic ? nodes_[path[random.Below(path.size())]] : language_, random));
  }
  return words;
}

}  // namespace okbench
