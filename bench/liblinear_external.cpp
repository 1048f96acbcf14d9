// LIBLINEAR's linear classifiers on rows of bench/bench_external.py. No kernel is evaluated.
//
//   liblinear_external TRAIN TEST LIMIT SOLVER C TOLERANCE BIAS
//
// SOLVER and BIAS as of LIBLINEAR's own program, -s and -B: BIAS 1 adds a constant feature, -1 adds none.

#include <linear.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bench/external_rows.h"

namespace okbench::bench {
namespace {

int Run(const std::vector<std::string>& words) {
  if (words.size() != 7) throw std::runtime_error("usage: TRAIN TEST LIMIT SOLVER C TOLERANCE BIAS");
  const bool constant = std::stoi(words[6]) == 1;
  const ExternalRows train_rows(words[0]), test(words[1]);
  const ExternalNodes<feature_node> rows(train_rows, constant), unseen(test, constant);
  std::vector<feature_node*> train_nodes = rows.rows;
  std::vector<double> labels(train_rows.labels.begin(), train_rows.labels.end());
  problem whole{};
  whole.l = static_cast<int>(train_rows.size());
  whole.n = static_cast<int>(train_rows.features) + (constant ? 1 : 0);
  whole.y = labels.data();
  whole.x = train_nodes.data();
  whole.bias = constant ? 1 : -1;
  parameter settings{};
  settings.solver_type = std::stoi(words[3]);
  settings.C = std::stod(words[4]);
  settings.eps = std::stod(words[5]);
  if (const char* wrong = check_parameter(&whole, &settings)) throw std::runtime_error(wrong);
  set_print_string_function([](const char*) {});
  ExternalResult result;
  model* solved = nullptr;
  result.fit_seconds = TimedFit(words[2], [&] { solved = train(&whole, &settings); });
  result.vectors = static_cast<std::uint64_t>(get_nr_feature(solved));
  const double begin = ProcessorSeconds();
  for (std::size_t i = 0; i < unseen.rows.size(); ++i)
    result.wrong += predict(solved, unseen.rows[i]) != test.labels[i] ? 1 : 0;
  result.predict_seconds = ProcessorSeconds() - begin;
  free_and_destroy_model(&solved);
  result.Print();
  return 0;
}

}  // namespace
}  // namespace okbench::bench

int main(int count, char** words) {
  const std::string library = "LIBLINEAR " + okbench::bench::ExternalVersion(liblinear_version);
  return okbench::bench::ExternalMain("liblinear_external", library, count, words, okbench::bench::Run);
}
