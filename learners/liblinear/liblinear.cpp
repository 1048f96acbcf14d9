#include "learners/liblinear/liblinear.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include "learners/bases/binary_learner.h"
#include "learners/bases/linear_model.h"
#include "learners/core/sums.h"
#include "learners/liblinear/library.h"

namespace okbench::liblinear {
namespace {

// LIBLINEAR has one random sequence and one printing function a process.
std::mutex liblinear_mutex;
bool warned = false;

// It tells of an early stop only in what it prints.
void Listen(const char* text) { warned = warned || std::strstr(text, "WARNING") != nullptr; }

struct Problem {
  std::vector<double> labels;
  std::vector<feature_node> nodes;
  std::vector<feature_node*> rows;
};

template <class T>
Problem MakeProblem(const Examples<T>& set, std::span<const std::uint32_t> order) {
  Problem problem;
  std::vector<std::size_t> starts;
  for (const std::uint32_t i : order) {
    starts.push_back(problem.nodes.size());
    const RowView<T> row = set.row(i);
    for (std::size_t j = 0; j < row.count; ++j)
      if (row.values[j] != 0)
        problem.nodes.push_back(
            {static_cast<int>((row.indices ? row.indices[j] : j) + 1), static_cast<double>(row.values[j])});
    problem.nodes.push_back({-1, 0});
    problem.labels.push_back(set.label(i));
  }
  for (const std::size_t start : starts) problem.rows.push_back(problem.nodes.data() + start);
  return problem;
}

}  // namespace

template <class T>
Liblinear<T>::Liblinear(const Options& options, const LearnerContext<T>& context)
    : options_(options),
      train_(*context.train),
      test_(context.test),
      weights_(static_cast<Eigen::Index>(context.train->features())) {
  RequireLinearBinary("liblinear", context);
}

template <class T>
RoundOutcome Liblinear<T>::Round() {
  Problem data = MakeProblem(train_, order_);
  const auto n = static_cast<double>(order_.size());
  problem prob{};
  prob.l = static_cast<int>(order_.size());
  prob.n = static_cast<int>(train_.features());
  prob.y = data.labels.data();
  prob.x = data.rows.data();
  prob.bias = -1;
  parameter param{};
  param.solver_type = L2R_L1LOSS_SVC_DUAL;
  param.eps = options_.tolerance;
  param.C = 1 / (options_.lambda * n);

  const Library& library = Load();
  RoundOutcome outcome{.finished = true, .whole_set = true};
  {
    const std::lock_guard lock(liblinear_mutex);
    warned = false;
    library.set_print_string_function(Listen);
    std::srand(1);
    const auto drop = [&](model* m) { library.free_and_destroy_model(&m); };
    const std::unique_ptr<model, decltype(drop)> solved(library.train(&prob, &param), drop);
    outcome.converged = !warned;
    // Positive scores stand for the label that comes first.
    const double sign = solved->label[0] > 0 ? 1 : -1;
    weights_ = sign * Eigen::Map<const Eigen::VectorXd>(solved->w, weights_.size());
  }
  for (const std::uint32_t i : order_) CountScore(Product(train_.row(i), weights_), train_.label(i), outcome);
  return outcome;
}

template <class T>
void Liblinear<T>::Report(std::span<double> out) const {
  out[0] = SquaredNorm(weights_);
}

template <class T>
TestOutcome Liblinear<T>::Test() {
  return TestLinear(*test_, weights_);
}

template <class T>
TrainingOutcome Liblinear<T>::MeasureTraining() {
  return MeasureLinear<T>(train_, order_, weights_, options_.lambda);
}

template class Liblinear<float>;
template class Liblinear<double>;

}  // namespace okbench::liblinear
