// dlib's krls, svm_pegasos and svm_c_trainer on rows of bench/bench_external.py. Calls of the kernel, dlib's
// RBF, are counted.
//
//   dlib_external TRAIN TEST LIMIT krls    GAMMA SEED TOLERANCE MAX_VECTORS
//   dlib_external TRAIN TEST LIMIT pegasos GAMMA SEED TOLERANCE MAX_VECTORS LAMBDA EPOCHS
//   dlib_external TRAIN TEST LIMIT svm_c   GAMMA SEED EPSILON CACHE_MIB C    SEED is not used

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

#include "bench/external_rows.h"

namespace okbench::bench {
namespace {

// A sparse row in dlib's format: index and value, ascending.
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

std::vector<Row> SparseRows(const ExternalRows& rows) {
  std::vector<Row> out(rows.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::int32_t at = rows.starts[i]; at < rows.starts[i + 1]; ++at)
      out[i].emplace_back(static_cast<unsigned long>(rows.indices[at]), rows.values[at]);
  return out;
}

// Completes `result` of a fit with the predictions of a decision function on test rows.
template <class Decide>
void Predict(const Decide& decide, const ExternalRows& test, ExternalResult& result) {
  const std::vector<Row> unseen = SparseRows(test);
  result.fit_evaluations = calls;
  calls = 0;
  const double begin = ProcessorSeconds();
  for (std::size_t i = 0; i < unseen.size(); ++i)
    result.wrong += (decide(unseen[i]) > 0 ? 1 : -1) != test.labels[i] ? 1 : 0;
  result.predict_seconds = ProcessorSeconds() - begin;
  result.predict_evaluations = calls;
}

// Trains a learner on all rows, in a new order for each epoch. Returns the seconds that it takes.
template <class Learner>
double Show(Learner& learner, const ExternalRows& train, const std::string& limit, unsigned seed,
            int epochs) {
  const std::vector<Row> rows = SparseRows(train);
  std::mt19937 random(seed);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return TimedFit(limit, [&] {
    for (int epoch = 0; epoch < epochs; ++epoch) {
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t i : order) learner.train(rows[i], train.labels[i]);
    }
  });
}

int Run(const std::vector<std::string>& words) {
  const std::string which = words.size() > 3 ? words[3] : "";
  const std::size_t expected = which == "krls" ? 8 : which == "pegasos" ? 10 : which == "svm_c" ? 9 : 0;
  if (words.size() != expected)
    throw std::runtime_error("usage: TRAIN TEST LIMIT krls|pegasos|svm_c GAMMA SEED TOLERANCE ...");
  const ExternalRows train(words[0]), test(words[1]);
  const CountedRbf kernel(std::stod(words[4]));
  const auto seed = static_cast<unsigned>(std::stoul(words[5]));
  const double tolerance = std::stod(words[6]);
  const unsigned long most = std::stoul(words[7]);
  ExternalResult result;
  if (which == "svm_c") {
    const std::vector<Row> rows = SparseRows(train);
    const std::vector<double> labels(train.labels.begin(), train.labels.end());
    dlib::svm_c_trainer<CountedRbf> trainer(kernel, std::stod(words[8]));
    trainer.set_epsilon(tolerance);
    trainer.set_cache_size(static_cast<long>(most));
    dlib::decision_function<CountedRbf> decide;
    result.fit_seconds = TimedFit(words[2], [&] { decide = trainer.train(rows, labels); });
    result.vectors = static_cast<std::uint64_t>(decide.basis_vectors.size());
    Predict(decide, test, result);
  } else if (which == "pegasos") {
    // Set separately: the constructor with all parameters leaves the projection radius unset.
    dlib::svm_pegasos<CountedRbf> learner;
    learner.set_kernel(kernel);
    learner.set_lambda(std::stod(words[8]));
    learner.set_tolerance(tolerance);
    learner.set_max_num_sv(most);
    result.fit_seconds = Show(learner, train, words[2], seed, std::stoi(words[9]));
    result.vectors = static_cast<std::uint64_t>(learner.get_decision_function().basis_vectors.size());
    Predict(learner, test, result);
  } else {
    dlib::krls<CountedRbf> learner(kernel, tolerance, most);
    result.fit_seconds = Show(learner, train, words[2], seed, 1);
    result.vectors = static_cast<std::uint64_t>(learner.dictionary_size());
    Predict(learner, test, result);
  }
  result.Print();
  return 0;
}

}  // namespace
}  // namespace okbench::bench

int main(int count, char** words) {
  const std::string library =
      "dlib " + std::to_string(DLIB_MAJOR_VERSION) + "." + std::to_string(DLIB_MINOR_VERSION);
  return okbench::bench::ExternalMain("dlib_external", library, count, words, okbench::bench::Run);
}
