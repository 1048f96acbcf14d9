// Replays of Projectron, KRLS-ALD and BSGD with direct solutions instead of incremental inverses: binary, and
// with several classes over one support set, on streams that repeat their members.

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "learners/methods/bsgd/bsgd.h"
#include "learners/methods/krls/krls.h"
#include "learners/methods/projectron/projectron.h"
#include "tests/learners/counts/terms_replay.h"

namespace okbench::projections_replay {
namespace {

using testing::Given;
using testing::RequireReplay;
using testing::Row;
using testing::Settings;
using testing::Sight;
using testing::Step;
using testing::Terms;

// Whether delta^2 is larger than rounding errors.
bool Apart(double squared, double self) { return squared > 0x1p-10 * self; }

Step ProjectronStep(const Settings& settings) {
  return [=](Terms& terms, Sight& sight) {
    const double eta = settings.Real("eta"), margin = sight.y * sight.score;
    const bool square = settings.Text("compare") == "squared";
    const std::size_t budget = settings.Count("budget");
    if (margin >= 1 || (margin > 0 && settings.Text("variant") == "plain")) return;
    const Eigen::VectorXd d = sight.Solve(terms);
    const double norm = d.dot(sight.K());
    if (margin <= 0 && budget > 0 && terms.rows.size() >= budget) return terms.Move(d, sight.y);
    const double self = sight.self(), squared = std::max(0.0, self - norm);
    const double delta = square ? squared : std::sqrt(squared);
    if (margin <= 0) {
      if (delta > eta && Apart(squared, self)) return terms.Add(sight.x, sight.y);
      return terms.Move(d, sight.y);
    }
    const double loss = 1 - margin;
    if (eta > 0 && norm > 0 && loss > delta / eta)
      terms.Move(d, sight.y * std::min({loss / norm, 2 * (loss - delta / eta) / norm, 1.0}));
  };
}

// alpha from scratch in each step: the least squares solution for all examples so far, in the coordinates of
// A.
Step KrlsStep(const Settings& settings) {
  struct Past {
    std::vector<Eigen::VectorXd> sides;
    std::vector<double> targets;
  };
  return [=, past = std::make_shared<Past>()](Terms& terms, Sight& sight) {
    const std::size_t budget = settings.Count("budget");
    Eigen::VectorXd a = sight.Solve(terms);
    if (budget == 0 || terms.rows.size() < budget) {
      const double self = sight.self(), delta = std::max(0.0, self - a.dot(sight.K()));
      if (delta > settings.Real("nu") && Apart(delta, self)) {
        terms.Add(sight.x, 0);
        const auto n = static_cast<Eigen::Index>(terms.rows.size());
        a = Eigen::VectorXd::Unit(n, n - 1);
      }
    }
    past->sides.push_back(a);
    past->targets.push_back(sight.y);
    const auto n = static_cast<Eigen::Index>(terms.rows.size());
    Eigen::MatrixXd sides = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(past->sides.size()), n);
    for (Eigen::Index i = 0; i < sides.rows(); ++i) {
      const Eigen::VectorXd& side = past->sides[static_cast<std::size_t>(i)];
      sides.row(i).head(side.size()) = side.transpose();
    }
    const Eigen::Map<const Eigen::VectorXd> targets(past->targets.data(), sides.rows());
    const Eigen::VectorXd alpha = sight.Solve(terms, sides.householderQr().solve(targets));
    terms.alpha.assign(alpha.begin(), alpha.end());
  };
}

// h by golden section search: the middle of the last of 21 intervals.
double BestShare(double p, double q, double kappa) {
  const auto value = [&](double h) {
    return (p * std::pow(kappa, (1 - h) * (1 - h)) + q * std::pow(kappa, h * h)) / (p + q);
  };
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = 0, high = 1;
  for (int step = 0; step < 20; ++step) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    value(right) > value(left) + 1e-12 ? low = left : high = right;
  }
  return (low + high) / 2;
}

struct Merged {
  double share, coefficient, loss;
};

Merged MergeOf(double a, double b, double kappa) {
  const double h = BestShare(a, b, kappa);
  const double c = a * std::pow(kappa, (1 - h) * (1 - h)) + b * std::pow(kappa, h * h);
  return {h, c, a * a + b * b + 2 * a * b * kappa - c * c};
}

// Replaces two terms by their merge, which becomes the newest.
void Combine(Terms& terms, std::size_t p, std::size_t q, const Merged& merged) {
  Row z = terms.rows[p];
  for (std::size_t j = 0; j < z.size(); ++j)
    z[j] = merged.share * z[j] + (1 - merged.share) * terms.rows[q][j];
  terms.Remove(std::max(p, q));
  terms.Remove(std::min(p, q));
  terms.Add(z, merged.coefficient);
}

// Merges `points` terms, p among them.
void MergeTerms(Terms& terms, Sight& sight, std::size_t p, std::size_t points) {
  std::vector<std::pair<Row, Merged>> partners;
  for (std::size_t q = 0; q < terms.rows.size(); ++q) {
    if (q == p || terms.alpha[p] * terms.alpha[q] <= 0) continue;
    // The newest member is x, whose values are cached.
    const bool is_cached = p + 1 == terms.rows.size() || q + 1 == terms.rows.size();
    if (partners.empty() && p + 1 != terms.rows.size()) sight.evaluates_row();
    const double kappa = (is_cached ? sight.lookup : sight.ask)(terms.rows[p], terms.rows[q]);
    partners.emplace_back(terms.rows[q], MergeOf(terms.alpha[p], terms.alpha[q], kappa));
  }
  if (partners.empty()) return terms.Remove(p);
  std::stable_sort(partners.begin(), partners.end(), [](const auto& partner, const auto& other) {
    return partner.second.loss < other.second.loss - 1e-12 * (1 + other.second.loss);
  });
  const auto place = [&](const Row& row) {
    return static_cast<std::size_t>(std::find(terms.rows.begin(), terms.rows.end(), row) -
                                    terms.rows.begin());
  };
  for (std::size_t i = 0; i < std::min(partners.size(), points - 1); ++i) {
    const std::size_t q = place(partners[i].first);
    if (i == 0) {
      Combine(terms, p, q, partners[i].second);
      continue;
    }
    const std::size_t z = terms.rows.size() - 1;
    for (std::size_t j = 0; j < terms.rows.size(); ++j) sight.computes_one();
    Combine(terms, z, q, MergeOf(terms.alpha[z], terms.alpha[q], sight.ask(terms.rows[z], terms.rows[q])));
  }
}

Step BsgdStep(const Settings& settings) {
  return [=, steps = std::make_shared<std::uint64_t>(0)](Terms& terms, Sight& sight) {
    const std::uint64_t t = ++*steps;
    const double lambda = settings.Real("lambda"), unit = 1 / (lambda * static_cast<double>(t));
    const std::string& maintenance = settings.Text("maintenance");
    const std::size_t budget = settings.Count("budget");
    // c, kept as integers where possible, so that ties stay exact.
    for (double& alpha : terms.alpha) {
      alpha *= lambda * static_cast<double>(t - 1);
      if (std::fabs(alpha - std::round(alpha)) < 1e-9) alpha = std::round(alpha);
    }
    const auto finish = [&] {
      for (double& alpha : terms.alpha) alpha *= unit;
    };
    if (sight.y * sight.score >= 1) return finish();
    const auto smallest = [&] {
      std::size_t p = 0;
      for (std::size_t j = 1; j < terms.alpha.size(); ++j)
        if (std::fabs(terms.alpha[j]) < std::fabs(terms.alpha[p])) p = j;
      return p;
    };
    const bool full = terms.rows.size() >= budget;
    if (maintenance == "projection") {
      const Eigen::VectorXd d = sight.Solve(terms);
      bool add = !(full && std::fabs(terms.alpha[smallest()]) > 1);
      if (add) {
        const double self = sight.self();
        add = Apart(self - d.dot(sight.K()), self);
      }
      if (!add) {
        terms.Move(d, sight.y);
        return finish();
      }
    }
    terms.Add(sight.x, sight.y);
    if (full && maintenance != "none") {
      const std::size_t p = smallest();
      if (maintenance == "merging") {
        MergeTerms(terms, sight, p, settings.Count("merge_points"));
      } else {
        const Row row = terms.rows[p];
        const double c = terms.alpha[p];
        terms.Remove(p);
        if (maintenance == "projection") {
          Eigen::VectorXd k(static_cast<Eigen::Index>(terms.rows.size()));
          for (Eigen::Index j = 0; j < k.size(); ++j)
            k[j] = sight.lookup(row, terms.rows[static_cast<std::size_t>(j)]);
          terms.Move(sight.Solve(terms, k), c);
        }
      }
    }
    finish();
  };
}

const Kernel kRbf = Kernel::RbfFromGamma(0.4);

const testing::RegisterReplay kProjectron("projectron", [] {
  const std::vector<Given> cases = {{},
                                    {{"eta", 0.0}},
                                    {{"eta", 0.5}, {"compare", std::string("squared")}},
                                    {{"variant", std::string("plain")}, {"budget", std::int64_t{7}}},
                                    {{"budget", std::int64_t{9}}}};
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    for (const Given& given : cases) {
      RequireReplay<projectron::Method>("projectron", given, kRbf, LabelKind::kBinary, 2, seed,
                                        ProjectronStep);
      RequireReplay<projectron::Method>("projectron", given, kRbf, LabelKind::kMulticlass, 4, seed,
                                        ProjectronStep);
      RequireReplay<projectron::Method>("projectron", given, Kernel::Linear(), LabelKind::kBinary, 2, seed,
                                        ProjectronStep);
    }
});

const testing::RegisterReplay kKrls("krls", [] {
  const std::vector<Given> cases = {
      {{"nu", 0.1}}, {{"nu", 0.3}}, {{"nu", 0.05}, {"budget", std::int64_t{8}}}};
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const Given& given : cases)
      RequireReplay<krls::Method>("krls", given, kRbf, LabelKind::kReal, 2, seed, KrlsStep);
});

const testing::RegisterReplay kBsgd("bsgd", [] {
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    for (const char* maintenance : {"none", "removal", "projection", "merging"}) {
      Given given = {
          {"lambda", 0.02}, {"maintenance", std::string(maintenance)}, {"budget", std::int64_t{8}}};
      RequireReplay<bsgd::Method>("bsgd", given, kRbf, LabelKind::kBinary, 2, seed, BsgdStep);
      if (std::string(maintenance) != "merging")
        RequireReplay<bsgd::Method>("bsgd", given, kRbf, LabelKind::kMulticlass, 3, seed, BsgdStep);
      else
        for (const std::int64_t points : {3, 5}) {
          given["merge_points"] = points;
          RequireReplay<bsgd::Method>("bsgd", given, kRbf, LabelKind::kBinary, 2, seed, BsgdStep);
        }
    }
});

}  // namespace
}  // namespace okbench::projections_replay
