// Sessions of estimators in several threads: predictions while another thread learns are those of a model
// after a completed call. `make sanitize SANITIZE=threads` runs this file under ThreadSanitizer.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "python/native/session.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::python {
namespace {

constexpr std::size_t kRows = 40, kChunks = 6, kThreads = 4;

struct Chunk {
  Examples<double> rows;
  Labels labels;
};

Chunk ChunkOf(std::uint64_t seed) {
  Examples<double> rows = testing::RandomDense<double>(kRows, 5, LabelKind::kBinary, 2, seed);
  Labels labels;
  labels.classes.assign(rows.labels().begin(), rows.labels().end());
  return {std::move(rows), std::move(labels)};
}

// Scores of the model after each number of chunks.
template <class Make>
void RequireScoresOfCompleteModels(const Make& make) {
  const Examples<double> queries = testing::RandomDense<double>(8, 5, LabelKind::kBinary, 2, 99);
  const std::vector<std::uint32_t> first_query = {0};
  const Examples<double> query = queries.Subset(first_query);
  std::vector<std::vector<double>> expected;
  const auto alone = make();
  for (std::size_t c = 0; c < kChunks; ++c) {
    const Chunk chunk = ChunkOf(c);
    alone->PartialFit(chunk.rows, chunk.labels);
    alone->Predict(queries, expected.emplace_back());
  }
  const auto session = make();
  const Chunk first = ChunkOf(0);
  session->PartialFit(first.rows, first.labels);
  std::atomic<bool> over = false;
  std::atomic<std::size_t> wrong = 0, calls = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      std::size_t model = 0;  // models never go back
      std::vector<double> scores;
      do {
        session->Predict(queries, scores);
        while (model < kChunks && expected[model] != scores) ++model;
        wrong += model == kChunks ? 1 : 0;
        // A single row, scored by the learner itself, if it is idle.
        if (model < kChunks && session->TryPredictRow(query, scores)) {
          const auto near = [&](const auto& all) { return std::fabs(all.front() - scores.front()) < 1e-9; };
          wrong += std::any_of(expected.begin() + static_cast<std::ptrdiff_t>(model), expected.end(), near)
                       ? 0
                       : 1;
        }
        ++calls;
      } while (!over);
    });
  for (std::size_t c = 1; c < kChunks; ++c) {
    Chunk chunk = ChunkOf(c);
    if (!session->TryPartialFit(chunk.rows, chunk.labels)) session->PartialFit(chunk.rows, chunk.labels);
    static_cast<void>(session->Counts());
    static_cast<void>(session->Save(""));
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(calls >= kThreads);
  std::vector<double> last;
  session->Predict(queries, last);
  CHECK(last == expected.back());
}

TEST_CASE("sessions: predictions beside learning are those of complete models", "[threads]") {
  for (const char* learner : {"norma", "perceptron", "fogd"}) {
    const nlohmann::json request = {{"learner", learner},
                                    {"parameters", nlohmann::json::object()},
                                    {"kernel", {{"name", "rbf"}, {"gamma", 0.5}}},
                                    {"labels", "binary"},
                                    {"classes", 2},
                                    {"seed", 1}};
    RequireScoresOfCompleteModels(
        [&] { return std::make_unique<Session<double>>(request, [] { return false; }); });
  }
}

}  // namespace
}  // namespace okbench::python
