#include "boxes/learners/box_sfd.h"

#include <algorithm>
#include <limits>
#include <map>

#include "learners/core/math.h"
#include "learners/solvers/plane_update.h"

namespace okbench::structural_sfd {

BoxPlane& BoxPlane::operator+=(const BoxPlane& other) {
  const auto before = [](const Term& a, const Term& b) {
    return a.example != b.example ? a.example < b.example : a.output < b.output;
  };
  std::vector<Term> merged;
  auto mine = terms.begin();
  for (const Term& term : other.terms) {
    for (; mine != terms.end() && before(*mine, term); ++mine) merged.push_back(*mine);
    merged.push_back(term);
    if (mine != terms.end() && !before(term, *mine)) merged.back().value += (mine++)->value;
  }
  merged.insert(merged.end(), mine, terms.end());
  terms = std::move(merged);
  return *this;
}

BoxPlane operator*(double factor, BoxPlane plane) {
  for (auto& term : plane.terms) term.value *= factor;
  return plane;
}

BoxPlane operator/(BoxPlane plane, double divisor) {
  for (auto& term : plane.terms) term.value /= divisor;
  return plane;
}

// `Problem` of SolveByPlanes: the loss of an update u on the batch.
class BoxSfd::Planes {
 public:
  using Plane = BoxPlane;
  using Scores = Eigen::VectorXd;
  explicit Planes(BoxSfd& sfd) : sfd_(sfd), f_(sfd.NewFunction()) {}

  static Plane NoPlane() { return {}; }
  Scores NoScores() const { return Scores::Zero(static_cast<Eigen::Index>(sfd_.scored_.f.size())); }
  PlaneSums Find(const Scores& u, Plane& plane) const {
    const std::size_t k = sfd_.batch_.size();
    const double share = 1 / static_cast<double>(k);
    PlaneSums sums;
    for (std::size_t i = 0; i < k; ++i) {
      const std::span<const double> rho = sfd_.scored_.Of(sfd_.scored_.deltas, i);
      const std::span<const double> scores(u.data() + sfd_.scored_.starts[i], rho.size());
      const std::size_t truth = rho.size() - 1;
      const auto violator = sfd_.oracle_.MostViolating(truth, rho, scores);
      if (violator.output == truth) continue;
      sums.offset += share * rho[violator.output];
      sums.reached += share * (scores[truth] - scores[violator.output]);
      plane.terms.push_back({i, violator.output, -share});
      plane.terms.push_back({i, truth, share});
    }
    return sums;
  }
  // Evaluates the new plane on the support boxes of all planes. Only u is evaluated on all boxes (Combine).
  Eigen::VectorXd Products(const std::vector<Plane>& planes) {
    const std::size_t terms = planes.back().terms.size();
    Fill(planes.back());
    // Planes share support boxes: each is scored once.
    std::map<std::uint32_t, double> scores;
    Eigen::VectorXd products(static_cast<Eigen::Index>(planes.size()));
    for (std::size_t p = 0; p < planes.size(); ++p) {
      double product = 0;
      for (const BoxPlane::Term& term : planes[p].terms) {
        const std::uint32_t row = sfd_.support_.Row(sfd_.batch_[term.example], term.output);
        const auto [score, added] = scores.try_emplace(row);
        if (added) score->second = sfd_.engine_.Score(f_, sfd_.support_.histogram(row), Purpose::kLearning);
        product += term.value * score->second;
      }
      products[static_cast<Eigen::Index>(p)] = product;
    }
    // Requests the values of the new support boxes on all boxes of the batch, which include those above.
    sfd_.engine_.CountRequested(std::uint64_t{sfd_.scored_.f.size()} * terms);
    return products;
  }
  void Combine(const std::vector<Plane>& planes, const std::vector<double>& shares, Scores& scores) {
    Plane u;
    for (std::size_t p = 0; p < planes.size(); ++p)
      if (shares[p] != 0) u += shares[p] * planes[p];
    Fill(u);
    sfd_.ScoreBy(f_, sfd_.batch_, Purpose::kLearning, {scores.data(), sfd_.scored_.f.size()});
  }

 private:
  const BoxHistogram& Histogram(const BoxPlane::Term& term) {
    return sfd_.support_.histogram(sfd_.support_.Row(sfd_.batch_[term.example], term.output));
  }
  void Fill(const Plane& plane) {
    f_.Clear();
    for (const BoxPlane::Term& term : plane.terms) f_.Move(Histogram(term), 0, term.value);
  }

  BoxSfd& sfd_;
  BoxFunction f_;
};

bool BoxSfd::ScoreBatch(std::span<const std::uint32_t> batch, RoundOutcome& outcome) {
  batch_.assign(batch.begin(), batch.end());
  ScoreByModel(batch, Purpose::kLearning, scored_);
  for (std::size_t i = 0; i < batch_.size(); ++i)
    CountScores(scored_.Of(scored_.deltas, i), scored_.Of(scored_.f, i), outcome);
  return AllFinite(scored_.f);
}

// Writes the residual margins in place of the losses in scored_.deltas.
double BoxSfd::Residuals() {
  const double lowest = options_.bounded_below ? 0 : -std::numeric_limits<double>::infinity();
  double positive = 0;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    const std::span<double> f = scored_.Of(scored_.f, i), rho = scored_.Of(scored_.deltas, i);
    const std::size_t truth = f.size() - 1;
    double most = 0;
    for (std::size_t y = 0; y < truth; ++y) {
      rho[y] = std::clamp(rho[y] - f[truth] + f[y], lowest, 1.0);
      most = std::max(most, rho[y]);
    }
    positive += most;
  }
  return positive;
}

QpResult BoxSfd::Solve(double lambda, double /*cap*/) {
  Planes problem(*this);
  return SolveByPlanes(problem, lambda, options_.epsilon, update_, u_);
}

DescentRounds<BoxLearner>::Products BoxSfd::AddUpdate() {
  Products products;
  for (const BoxPlane::Term& term : update_.terms) {
    if (term.value == 0) continue;
    const std::size_t place = scored_.starts[term.example] + term.output;
    products.along += term.value * scored_.f[place];
    products.norm += term.value * u_[static_cast<Eigen::Index>(place)];
    model_.Add(support_.Row(batch_[term.example], term.output), term.value);
  }
  return products;
}

std::vector<std::string> BoxSfd::Columns() const {
  std::vector<std::string> columns = DescentRounds::Columns();
  columns.insert(columns.end(), {"oracle_calls", "boxes_scored"});
  return columns;
}

void BoxSfd::Report(std::span<double> out) const {
  DescentRounds::Report(out);
  out[out.size() - 2] = static_cast<double>(oracle_calls());
  out.back() = static_cast<double>(engine_.boxes_scored());
}

}  // namespace okbench::structural_sfd
