// Replays of the kernel adaptive filters with direct solutions in place of Cholesky factors.

#include <Eigen/LU>

#include "learners/methods/fb_krls/fb_krls.h"
#include "learners/methods/knlms/knlms.h"
#include "learners/methods/krls_t/krls_t.h"
#include "learners/methods/qklms/qklms.h"
#include "learners/methods/sw_krls/sw_krls.h"
#include "tests/learners/counts/terms_replay.h"

namespace okbench {
namespace {

using Eigen::Index;
using testing::Given;
using testing::RequireReplay;
using testing::Row;
using testing::Settings;
using testing::Sight;
using testing::Step;
using testing::Terms;

// The kernel matrix of the members, plus `ridge` on the diagonal.
Eigen::MatrixXd Gram(const Terms& terms, const Sight& sight, double ridge) {
  const auto n = static_cast<Index>(terms.rows.size());
  Eigen::MatrixXd gram(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      gram(i, j) =
          sight.held(terms.rows[static_cast<std::size_t>(i)], terms.rows[static_cast<std::size_t>(j)]) +
          (i == j ? ridge : 0);
  return gram;
}

Step QklmsStep(const Settings& settings) {
  return [=](Terms& terms, Sight& sight) {
    const double step = settings.Real("eta") * (sight.y - sight.score), epsilon = settings.Real("epsilon");
    const std::size_t budget = settings.Count("budget");
    std::size_t nearest = 0;
    const auto squared = [&](std::size_t j) {
      double sum = 0;
      for (std::size_t f = 0; f < sight.x.size(); ++f) sum += std::pow(sight.x[f] - terms.rows[j][f], 2);
      return sum;
    };
    for (std::size_t j = 1; j < terms.rows.size(); ++j)
      if (squared(j) < squared(nearest)) nearest = j;
    const bool full = budget > 0 && terms.rows.size() == budget;
    if (!terms.rows.empty() && (full || squared(nearest) <= epsilon * epsilon))
      terms.alpha[nearest] += step;
    else
      terms.Add(sight.x, step);
  };
}

Step KnlmsStep(const Settings& settings) {
  return [=](Terms& terms, Sight& sight) {
    const std::size_t budget = settings.Count("budget");
    if (budget == 0 || terms.rows.size() < budget) {
      const double self = sight.self();
      double coherence = 0;
      for (std::size_t j = 0; j < terms.rows.size(); ++j)
        coherence = std::max(
            coherence, std::fabs(sight.k[j]) / std::sqrt(self * sight.held(terms.rows[j], terms.rows[j])));
      if (coherence <= settings.Real("mu0")) {
        terms.Add(sight.x, 0);
        sight.k.push_back(self);
      }
    }
    double norm = 0;
    for (const double k : sight.k) norm += k * k;
    for (std::size_t j = 0; j < terms.alpha.size(); ++j)
      terms.alpha[j] +=
          settings.Real("eta") / (settings.Real("epsilon") + norm) * (sight.y - sight.score) * sight.k[j];
  };
}

// Targets of the members, kept between steps.
using Targets = std::shared_ptr<std::vector<double>>;

void SolveRidge(Terms& terms, const Sight& sight, const std::vector<double>& targets, double ridge) {
  const Eigen::Map<const Eigen::VectorXd> y(targets.data(), static_cast<Index>(targets.size()));
  const Eigen::VectorXd alpha = Gram(terms, sight, ridge).ldlt().solve(y);
  terms.alpha.assign(alpha.begin(), alpha.end());
}

Step SwKrlsStep(const Settings& settings) {
  return [=, targets = std::make_shared<std::vector<double>>()](Terms& terms, Sight& sight) {
    sight.self();
    if (terms.rows.size() == settings.Count("budget")) {
      terms.Remove(0);
      targets->erase(targets->begin());
    }
    terms.Add(sight.x, 0);
    targets->push_back(sight.y);
    SolveRidge(terms, sight, *targets, settings.Real("c"));
  };
}

// The place with the smallest |alpha_i| / inverse_ii.
std::size_t BestPredicted(const Eigen::VectorXd& alpha, const Eigen::MatrixXd& inverse) {
  const Eigen::ArrayXd criteria = alpha.array().abs() / inverse.diagonal().array();
  Index least = 0;
  for (Index j = 1; j < criteria.size(); ++j)
    if (criteria[j] < (1 - 1e-9) * criteria[least]) least = j;
  return static_cast<std::size_t>(least);
}

Step FbKrlsStep(const Settings& settings) {
  return [=, targets = std::make_shared<std::vector<double>>()](Terms& terms, Sight& sight) {
    const double lambda = settings.Real("lambda");
    sight.self();
    terms.Add(sight.x, 0);
    targets->push_back(sight.y);
    SolveRidge(terms, sight, *targets, lambda);
    if (terms.rows.size() <= settings.Count("budget")) return;
    const Eigen::Map<const Eigen::VectorXd> alpha(terms.alpha.data(), static_cast<Index>(terms.alpha.size()));
    const std::size_t least = BestPredicted(alpha, Gram(terms, sight, lambda).inverse());
    terms.Remove(least);
    targets->erase(targets->begin() + static_cast<std::ptrdiff_t>(least));
    SolveRidge(terms, sight, *targets, lambda);
  };
}

Step KrlsTStep(const Settings& settings) {
  struct State {
    Eigen::VectorXd m{0};
    Eigen::MatrixXd c{0, 0};
  };
  return [=, state = std::make_shared<State>()](Terms& terms, Sight& sight) {
    const double lambda = settings.Real("lambda"), jitter = settings.Real("jitter");
    auto& [m, c] = *state;
    c = lambda * c + (1 - lambda) * Gram(terms, sight, 0);
    m *= std::sqrt(lambda);
    const Index n = m.size();
    const Eigen::VectorXd q = Gram(terms, sight, jitter).inverse() * sight.K();
    const double g = sight.self() + jitter - q.dot(sight.K());
    const Eigen::VectorXd h = c * q;
    const double v = g + q.dot(h), s = settings.Real("noise") + v, predicted = q.dot(m);
    Eigen::VectorXd direction(n + 1), mean(n + 1);
    direction << h, v;
    mean << m, predicted;
    mean += (sight.y - predicted) / s * direction;
    Eigen::MatrixXd covariance(n + 1, n + 1);
    covariance << c, h, h.transpose(), v;
    covariance -= direction * direction.transpose() / s;
    terms.Add(sight.x, 0);
    std::size_t leaves = terms.rows.size();
    if (g < jitter) {
      leaves = terms.rows.size() - 1;
    } else if (terms.rows.size() > settings.Count("budget")) {
      const Eigen::MatrixXd inverse = Gram(terms, sight, jitter).inverse();
      leaves = BestPredicted(inverse * mean, inverse);
    }
    std::vector<Index> kept;
    for (Index j = 0; j <= n; ++j)
      if (static_cast<std::size_t>(j) != leaves) kept.push_back(j);
    if (leaves < terms.rows.size()) terms.Remove(leaves);
    m = Eigen::VectorXd(mean(kept));
    c = Eigen::MatrixXd(covariance(kept, kept));
    const Eigen::VectorXd alpha = Gram(terms, sight, jitter).inverse() * m;
    terms.alpha.assign(alpha.begin(), alpha.end());
  };
}

const Kernel kRbf = Kernel::RbfFromGamma(0.4);
constexpr std::int64_t kBudget = 8;

const testing::RegisterReplay kQklms("qklms", [] {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const Given& given : {Given{{"epsilon", 0.6}}, Given{{"epsilon", 0.2}, {"budget", kBudget}}})
      RequireReplay<qklms::Method>("qklms", given, kRbf, LabelKind::kReal, 2, seed, QklmsStep);
});

const testing::RegisterReplay kKnlms("knlms", [] {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const Given& given : {Given{{"mu0", 0.8}}, Given{{"mu0", 0.5}}, Given{{"budget", kBudget}}}) {
      RequireReplay<knlms::Method>("knlms", given, kRbf, LabelKind::kReal, 2, seed, KnlmsStep);
      RequireReplay<knlms::Method>("knlms", given, Kernel::Polynomial(2, 1, 1), LabelKind::kReal, 2, seed,
                                   KnlmsStep);
    }
});

const testing::RegisterReplay kSwKrls("sw-krls", [] {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    RequireReplay<sw_krls::Method>("sw-krls", {{"budget", kBudget}}, kRbf, LabelKind::kReal, 2, seed,
                                   SwKrlsStep);
});

const testing::RegisterReplay kFbKrls("fb-krls", [] {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    RequireReplay<fb_krls::Method>("fb-krls", {{"budget", kBudget}}, kRbf, LabelKind::kReal, 2, seed,
                                   FbKrlsStep);
});

const testing::RegisterReplay kKrlsT("krls-t", [] {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const double lambda : {1.0, 0.98})
      RequireReplay<krls_t::Method>("krls-t", {{"lambda", lambda}, {"budget", kBudget}, {"jitter", 1e-3}},
                                    kRbf, LabelKind::kReal, 2, seed, KrlsTStep);
});

}  // namespace
}  // namespace okbench
