// Replays of the kernel adaptive filters with direct solutions in place of Cholesky factors.

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "learners/methods/aioli/aioli.h"
#include "learners/methods/fb_krls/fb_krls.h"
#include "learners/methods/kap/kap.h"
#include "learners/methods/knlms/knlms.h"
#include "learners/methods/krls_t/krls_t.h"
#include "learners/methods/pkawv/pkawv.h"
#include "learners/methods/pros_n_kons/pros_n_kons.h"
#include "learners/methods/qklms/qklms.h"
#include "learners/methods/sw_krls/sw_krls.h"
#include "tests/learners/counts/terms_replay.h"

namespace okbench::filters_replay {
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
          sight.lookup(terms.rows[static_cast<std::size_t>(i)], terms.rows[static_cast<std::size_t>(j)]) +
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

// Adds x with coefficient 0 if its coherence is small; whether it did.
bool AddIncoherent(const Settings& settings, Terms& terms, Sight& sight) {
  const std::size_t budget = settings.Count("budget");
  if (budget > 0 && terms.rows.size() >= budget) return false;
  const double self = sight.self();
  double coherence = 0;
  for (std::size_t j = 0; j < terms.rows.size(); ++j)
    coherence = std::max(
        coherence, std::fabs(sight.k[j]) / std::sqrt(self * sight.lookup(terms.rows[j], terms.rows[j])));
  if (coherence > settings.Real("mu0")) return false;
  terms.Add(sight.x, 0);
  sight.k.push_back(self);
  return true;
}

Step KnlmsStep(const Settings& settings) {
  return [=](Terms& terms, Sight& sight) {
    AddIncoherent(settings, terms, sight);
    double norm = 0;
    for (const double k : sight.k) norm += k * k;
    for (std::size_t j = 0; j < terms.alpha.size(); ++j)
      terms.alpha[j] +=
          settings.Real("eta") / (settings.Real("epsilon") + norm) * (sight.y - sight.score) * sight.k[j];
  };
}

// Requests the values of x with the examples before it that are not members, when x joins.
Step KapStep(const Settings& settings) {
  struct Recent {
    Row x;
    double y;
    bool member;
  };
  return [=, recent = std::make_shared<std::vector<Recent>>()](Terms& terms, Sight& sight) {
    if (recent->size() == settings.Count("memory")) recent->erase(recent->begin());
    const bool joins = AddIncoherent(settings, terms, sight);
    for (const Recent& before : *recent)
      if (joins && !before.member) {
        sight.ask(sight.x, before.x);
        sight.computes_one();
      }
    recent->push_back({sight.x, sight.y, joins});
    const auto p = static_cast<Index>(recent->size()), n = static_cast<Index>(terms.rows.size());
    Eigen::MatrixXd h(p, n);
    Eigen::VectorXd y(p);
    for (Index i = 0; i < p; ++i) {
      const Recent& row = (*recent)[static_cast<std::size_t>(i)];
      for (Index j = 0; j < n; ++j) h(i, j) = sight.lookup(row.x, terms.rows[static_cast<std::size_t>(j)]);
      y[i] = row.y;
    }
    const Eigen::Map<const Eigen::VectorXd> alpha(terms.alpha.data(), n);
    const Eigen::MatrixXd system =
        settings.Real("epsilon") * Eigen::MatrixXd::Identity(p, p) + h * h.transpose();
    terms.Move(h.transpose() * system.ldlt().solve(y - h * alpha), settings.Real("eta"));
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

// The features of a dictionary that grows: the coordinates of the examples so far on the span of the members
// of their time.
struct Features {
  Eigen::MatrixXd a;  // A without the ridge
  Eigen::VectorXd b;

  // phi of x, as a member if its squared distance exceeds nu. Adds x to the terms then.
  Eigen::VectorXd See(const Settings& settings, Terms& terms, Sight& sight) {
    const std::size_t budget = settings.Count("budget");
    const auto n = static_cast<Index>(terms.rows.size());
    Eigen::VectorXd phi =
        n > 0 ? Eigen::VectorXd(Gram(terms, sight, 0).llt().matrixL().solve(sight.K())) : Eigen::VectorXd(0);
    if (budget > 0 && terms.rows.size() >= budget) return phi;
    const double delta = sight.self() - phi.squaredNorm();
    if (delta <= settings.Real("nu")) return phi;
    terms.Add(sight.x, 0);
    phi.conservativeResize(n + 1);
    phi[n] = std::sqrt(delta);
    a.conservativeResize(n + 1, n + 1);
    a.row(n).setZero();
    a.col(n).setZero();
    b.conservativeResize(n + 1);
    b[n] = 0;
    return phi;
  }
  Eigen::VectorXd Solve(double ridge, const Eigen::VectorXd& side) const {
    return (a + ridge * Eigen::MatrixXd::Identity(a.rows(), a.cols())).ldlt().solve(side);
  }
  void SetAlphas(Terms& terms, const Sight& sight, double ridge) const {
    const Eigen::VectorXd alpha = Gram(terms, sight, 0).llt().matrixL().transpose().solve(Solve(ridge, b));
    terms.alpha.assign(alpha.begin(), alpha.end());
  }
};

Step PkawvStep(const Settings& settings) {
  return [=, features = std::make_shared<Features>()](Terms& terms, Sight& sight) {
    const double lambda = settings.Real("lambda");
    const Eigen::VectorXd phi = features->See(settings, terms, sight);
    features->a += phi * phi.transpose();
    sight.score = phi.dot(features->Solve(lambda, features->b));
    features->b += sight.y * phi;
    features->SetAlphas(terms, sight, lambda);
  };
}

Step AioliStep(const Settings& settings) {
  return [=, features = std::make_shared<Features>()](Terms& terms, Sight& sight) {
    const double ridge = 2 * settings.Real("lambda"), y = sight.y;
    const Eigen::VectorXd phi = features->See(settings, terms, sight);
    const double s = phi.dot(features->Solve(ridge, features->b)), v = phi.dot(features->Solve(ridge, phi));
    double low = std::min(0.0, s), high = std::max(0.0, s);  // bisection
    for (int i = 0; i < 200; ++i) {
      const double z = (low + high) / 2;
      (z + v * std::tanh(z / 2) < s ? low : high) = z;
    }
    const double z = (low + high) / 2, slope = -y / (1 + std::exp(y * z));
    const double eta = std::exp(y * z) / (1 + settings.Real("bound"));
    const Eigen::VectorXd g = slope * phi;
    features->a += eta * g * g.transpose();
    features->b += (eta * slope * z - 1) * g;
    features->SetAlphas(terms, sight, ridge);
    sight.score = z;
  };
}

// In the coordinates of the eigenvectors of the kernel matrix.
Step ProsNKonsStep(const Settings& settings, std::uint64_t seed, std::size_t function) {
  struct State {
    Random random;
    Eigen::MatrixXd a{0, 0};
    Eigen::VectorXd w{0};
    std::vector<double> probabilities{};
  };
  const auto state = std::make_shared<State>(State{
      .random =
          Random(DeriveSeed({{"sampling", std::to_string(seed)}, {"function", std::to_string(function)}}))});
  return [=](Terms& terms, Sight& sight) {
    Random& random = state->random;
    Eigen::MatrixXd& a = state->a;
    Eigen::VectorXd& w = state->w;
    std::vector<double>& probabilities = state->probabilities;
    const double c = settings.Real("bound"), gamma = settings.Real("ridge");
    const auto n = static_cast<Index>(terms.rows.size());
    Eigen::MatrixXd map(n, n);  // alpha = map w
    if (n > 0) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Gram(terms, sight, 0));
      map = eigen.eigenvectors() * eigen.eigenvalues().cwiseSqrt().cwiseInverse().asDiagonal();
      const Eigen::VectorXd phi = map.transpose() * sight.K(), q = a.inverse() * phi;
      const double score = phi.dot(w);
      sight.score = std::clamp(score, -c, c);
      w -= (score - sight.score) / phi.dot(q) * q;
      const Eigen::VectorXd g = 2 * (sight.score - sight.y) * phi;
      a += g * g.transpose() / (16 * c * c);
      w -= a.inverse() * g;
    }
    const auto set = [&] {
      const Eigen::VectorXd alpha = map * w;
      terms.alpha.assign(alpha.begin(), alpha.end());
    };
    if (settings.Count("budget") > 0 && terms.rows.size() >= settings.Count("budget")) return set();
    const double self = sight.self();
    double distance = self;
    if (n > 0) {
      Eigen::MatrixXd weighted = Gram(terms, sight, 0);
      for (Index j = 0; j < n; ++j) weighted(j, j) += gamma * probabilities[static_cast<std::size_t>(j)];
      distance -= sight.K().dot(weighted.ldlt().solve(sight.K()));
    }
    const double tau = (1 + settings.Real("epsilon")) * distance / (distance + gamma);
    const double p = std::min(1.0, settings.Real("beta") * tau);
    const bool known = std::find(terms.rows.begin(), terms.rows.end(), sight.x) != terms.rows.end();
    if (random.Uniform() >= p || known) return set();
    terms.Add(sight.x, 0);
    probabilities.push_back(p);
    terms.alpha.assign(terms.rows.size(), 0.0);
    a = settings.Real("alpha") * Eigen::MatrixXd::Identity(n + 1, n + 1);
    w = Eigen::VectorXd::Zero(n + 1);
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

const testing::RegisterReplay kKap("kap", [] {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const Given& given : {Given{{"mu0", 0.8}}, Given{{"mu0", 0.5}, {"memory", std::int64_t{3}}},
                               Given{{"budget", kBudget}}}) {
      Given regularised = given;
      regularised["epsilon"] = 0.01;
      RequireReplay<kap::Method>("kap", regularised, kRbf, LabelKind::kReal, 2, seed, KapStep);
    }
});

const testing::RegisterReplay kPkawv("pkawv", [] {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const Given& given : {Given{{"nu", 0.1}}, Given{{"nu", 0.1}, {"budget", kBudget}}})
      RequireReplay<pkawv::Method>("pkawv", given, kRbf, LabelKind::kReal, 2, seed, PkawvStep);
});

const testing::RegisterReplay kAioli("aioli", [] {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const Given& given : {Given{{"nu", 0.1}}, Given{{"nu", 0.1}, {"budget", kBudget}}}) {
      RequireReplay<aioli::Method>("aioli", given, kRbf, LabelKind::kBinary, 2, seed, AioliStep);
      RequireReplay<aioli::Method>("aioli", given, kRbf, LabelKind::kMulticlass, 3, seed, AioliStep);
    }
});

const testing::RegisterReplay kProsNKons("pros-n-kons", [] {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const Given& given : {Given{{"ridge", 2.0}}, Given{{"bound", 0.5}, {"budget", kBudget}}})
      for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass}) {
        std::size_t function = 0;
        RequireReplay<pros_n_kons::Method>(
            "pros-n-kons", given, kRbf, kind, kind == LabelKind::kMulticlass ? 3 : 2, seed,
            [&](const Settings& settings) { return ProsNKonsStep(settings, seed, function++); });
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
}  // namespace okbench::filters_replay
