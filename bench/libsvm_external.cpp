// LIBSVM's C-SVC on rows of bench/bench_external.py, with its kernel values counted.
//
//   libsvm_external TRAIN TEST LIMIT GAMMA C TOLERANCE CACHE_MIB
//
// The shared library exports Kernel::dot and calls it for every kernel value of training. The definition
// below, the library's own plus a counter, replaces it. The library also calls it once per row for the
// squared norms, which do not count as kernel values.

#include <svm.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/external_rows.h"

namespace {
std::uint64_t calls = 0;
}

class Kernel {
 public:
  static double dot(const svm_node* x, const svm_node* y);
};

double Kernel::dot(const svm_node* x, const svm_node* y) {
  ++calls;
  double sum = 0;
  while (x->index != -1 && y->index != -1) {
    if (x->index == y->index) {
      sum += x->value * y->value;
      ++x;
      ++y;
    } else if (x->index > y->index) {
      ++y;
    } else {
      ++x;
    }
  }
  return sum;
}

namespace okbench::bench {
namespace {

int Run(const std::vector<std::string>& words) {
  if (words.size() != 7) throw std::runtime_error("usage: TRAIN TEST LIMIT GAMMA C TOLERANCE CACHE_MIB");
  const ExternalRows train(words[0]), test(words[1]);
  ExternalNodes<svm_node> rows(train);
  const ExternalNodes<svm_node> unseen(test);
  std::vector<double> labels(train.labels.begin(), train.labels.end());
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = RBF;
  parameter.gamma = std::stod(words[3]);
  parameter.C = std::stod(words[4]);
  parameter.eps = std::stod(words[5]);
  parameter.cache_size = std::stod(words[6]);
  parameter.shrinking = 1;
  const svm_problem problem{static_cast<int>(train.size()), labels.data(), rows.rows.data()};
  if (const char* wrong = svm_check_parameter(&problem, &parameter)) throw std::runtime_error(wrong);
  svm_set_print_string_function([](const char*) {});
  ExternalResult result;
  svm_model* model = nullptr;
  result.fit_seconds = TimedFit(words[2], [&] { model = svm_train(&problem, &parameter); });
  if (calls < train.size())
    throw std::runtime_error("cannot count kernel values: this LIBSVM does not call Kernel::dot");
  result.fit_evaluations = calls - train.size();
  result.vectors = static_cast<std::uint64_t>(svm_get_nr_sv(model));
  const double begin = ProcessorSeconds();
  for (std::size_t i = 0; i < unseen.rows.size(); ++i)
    result.wrong += svm_predict(model, unseen.rows[i]) != test.labels[i] ? 1 : 0;
  result.predict_seconds = ProcessorSeconds() - begin;
  result.predict_evaluations = result.vectors * unseen.rows.size();
  svm_free_and_destroy_model(&model);
  result.Print();
  return 0;
}

}  // namespace
}  // namespace okbench::bench

int main(int count, char** words) {
  const std::string library = "LIBSVM " + okbench::bench::ExternalVersion(libsvm_version);
  return okbench::bench::ExternalMain("libsvm_external", library, count, words, okbench::bench::Run);
}
