// dlib's krls and svm_pegasos on rows of bench/python_peers.py. Calls of the kernel, dlib's RBF, are counted.
//
//   dlib_peer TRAIN TEST krls    GAMMA SEED TOLERANCE MAX_VECTORS
//   dlib_peer TRAIN TEST pegasos GAMMA SEED TOLERANCE MAX_VECTORS LAMBDA EPOCHS

#include <dlib/revision.h>
#include <dlib/svm.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/peer_rows.h"

namespace okbench::bench {
namespace {

// A row as dlib has sparse ones: index and value, ascending.
using Row = std::vector<std::pair<unsigned long, double>>;

std::uint64_t calls = 0;

// The kernel exp(-gamma ||a - b||^2) of dlib, counted.
struct CountedRbf : dlib::sparse_radial_basis_kernel<Row> {
  using Base = dlib::sparse_radial_basis_kernel<Row>;
  using Base::Base;
  double operator()(const Row& a, const Row& b) const {
    ++calls;
    return Base::operator()(a, b);
  }
};

std::vector<Row> SparseRows(const PeerRows& rows) {
  std::vector<Row> out(rows.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::int32_t at = rows.starts[i]; at < rows.starts[i + 1]; ++at)
      out[i].emplace_back(static_cast<unsigned long>(rows.indices[at]), rows.values[at]);
  return out;
}

std::string Library() {
  return "dlib " + std::to_string(DLIB_MAJOR_VERSION) + "." + std::to_string(DLIB_MINOR_VERSION);
}

// Shows a learner all rows in a new order each epoch, then has it predict.
template <class Learner, class Vectors>
PeerResult Measure(Learner& learner, const Vectors& vectors, const PeerRows& train, const PeerRows& test,
                   unsigned seed, int epochs) {
  const std::vector<Row> rows = SparseRows(train), unseen = SparseRows(test);
  PeerResult result;
  std::mt19937 random(seed);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double begin = ProcessorSeconds();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) learner.train(rows[i], train.labels[i]);
  }
  result.fit_seconds = ProcessorSeconds() - begin;
  result.fit_evaluations = calls;
  result.vectors = vectors(learner);
  calls = 0;
  begin = ProcessorSeconds();
  for (std::size_t i = 0; i < unseen.size(); ++i)
    result.wrong += (learner(unseen[i]) > 0 ? 1 : -1) != test.labels[i] ? 1 : 0;
  result.predict_seconds = ProcessorSeconds() - begin;
  result.predict_evaluations = calls;
  return result;
}

int Run(const std::vector<std::string>& words) {
  const bool pegasos = words.size() == 9 && words[2] == "pegasos";
  if (!pegasos && !(words.size() == 7 && words[2] == "krls"))
    throw std::runtime_error(
        "usage: TRAIN TEST krls|pegasos GAMMA SEED TOLERANCE MAX_VECTORS [LAMBDA EPOCHS]");
  const PeerRows train(words[0]), test(words[1]);
  const CountedRbf kernel(std::stod(words[3]));
  const auto seed = static_cast<unsigned>(std::stoul(words[4]));
  const double tolerance = std::stod(words[5]);
  const unsigned long most = std::stoul(words[6]);
  if (pegasos) {
    // Set one by one: the constructor that takes them all leaves the radius of the projection unset.
    dlib::svm_pegasos<CountedRbf> learner;
    learner.set_kernel(kernel);
    learner.set_lambda(std::stod(words[7]));
    learner.set_tolerance(tolerance);
    learner.set_max_num_sv(most);
    const auto vectors = [](const auto& one) {
      return static_cast<std::uint64_t>(one.get_decision_function().basis_vectors.size());
    };
    Measure(learner, vectors, train, test, seed, std::stoi(words[8])).Print(Library());
  } else {
    dlib::krls<CountedRbf> learner(kernel, tolerance, most);
    const auto vectors = [](const auto& one) { return static_cast<std::uint64_t>(one.dictionary_size()); };
    Measure(learner, vectors, train, test, seed, 1).Print(Library());
  }
  return 0;
}

}  // namespace
}  // namespace okbench::bench

int main(int count, char** words) {
  return okbench::bench::PeerMain("dlib_peer", count, words, okbench::bench::Run);
}
