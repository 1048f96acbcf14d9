// LIBSVM's C-SVC on rows of bench/python_peers.py, with its kernel values counted.
//
//   libsvm_peer TRAIN TEST GAMMA C TOLERANCE CACHE_MIB
//
// The shared library exports Kernel::dot and calls it for every kernel value of training: the definition
// below, the library's own with a counter, takes its place. It is also called once a row for the squared
// norms, which are no kernel values.

#include <svm.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/peer_rows.h"

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

// Rows as LIBSVM has them, each with an end.
struct Nodes {
  std::vector<svm_node> nodes;
  std::vector<svm_node*> rows;

  explicit Nodes(const PeerRows& from) {
    nodes.reserve(from.values.size() + from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      rows.push_back(nodes.data() + nodes.size());
      for (std::int32_t at = from.starts[i]; at < from.starts[i + 1]; ++at)
        nodes.push_back({from.indices[at] + 1, from.values[at]});
      nodes.push_back({-1, 0});
    }
  }
};

int Run(const std::vector<std::string>& words) {
  if (words.size() != 6) throw std::runtime_error("usage: TRAIN TEST GAMMA C TOLERANCE CACHE_MIB");
  const PeerRows train(words[0]), test(words[1]);
  Nodes rows(train);
  const Nodes unseen(test);
  std::vector<double> labels(train.labels.begin(), train.labels.end());
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = RBF;
  parameter.gamma = std::stod(words[2]);
  parameter.C = std::stod(words[3]);
  parameter.eps = std::stod(words[4]);
  parameter.cache_size = std::stod(words[5]);
  parameter.shrinking = 1;
  const svm_problem problem{static_cast<int>(train.size()), labels.data(), rows.rows.data()};
  if (const char* wrong = svm_check_parameter(&problem, &parameter)) throw std::runtime_error(wrong);
  svm_set_print_string_function([](const char*) {});
  PeerResult result;
  double begin = ProcessorSeconds();
  svm_model* model = svm_train(&problem, &parameter);
  result.fit_seconds = ProcessorSeconds() - begin;
  if (calls < train.size()) throw std::runtime_error("this LIBSVM does not let its kernel values be counted");
  result.fit_evaluations = calls - train.size();
  result.vectors = static_cast<std::uint64_t>(svm_get_nr_sv(model));
  begin = ProcessorSeconds();
  for (std::size_t i = 0; i < unseen.rows.size(); ++i)
    result.wrong += svm_predict(model, unseen.rows[i]) != test.labels[i] ? 1 : 0;
  result.predict_seconds = ProcessorSeconds() - begin;
  result.predict_evaluations = result.vectors * unseen.rows.size();
  svm_free_and_destroy_model(&model);
  result.Print("LIBSVM " + std::to_string(libsvm_version / 100) + "." + std::to_string(libsvm_version % 100));
  return 0;
}

}  // namespace
}  // namespace okbench::bench

int main(int count, char** words) {
  return okbench::bench::PeerMain("libsvm_peer", count, words, okbench::bench::Run);
}
