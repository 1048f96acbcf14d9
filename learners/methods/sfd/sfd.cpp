#include "learners/methods/sfd/sfd.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "learners/core/sums.h"
#include "learners/solvers/plane_update.h"

namespace okbench::sfd {
namespace {

using Eigen::Index;

// The problem for SolveByPlanes. A plane is (1/k) sum of y_i k(x_i,.) over the examples with rho_i > y_i
// u(x_i), stored as coefficients 1/k or 0. Scores are y_i u(x_i).
template <class T>
class Planes : public KeptImages<Planes<T>, Eigen::ArrayXd> {
 public:
  using Vector = Eigen::ArrayXd;
  Planes(const RowMatrixView<T>& gram, const Vector& rho)
      : gram_(gram), rho_(rho), share_(1 / static_cast<double>(rho.size())) {}

  Vector NoPlane() const { return NoScores(); }
  Vector NoScores() const { return Vector::Zero(rho_.size()); }
  PlaneSums Find(const Vector& margins, Vector& plane) const {
    plane = (rho_ > margins).select(Vector::Constant(rho_.size(), share_), 0.0);
    return {.offset = Dot(plane, rho_), .reached = Dot(plane, margins)};
  }
  Vector Image(const Vector& plane) const {
    Vector image = NoScores();
    for (Index j = 0; j < plane.size(); ++j)
      if (plane[j] != 0) image += share_ * gram_.row(j).transpose().array().template cast<double>();
    return image;
  }
  double Product(const Vector& plane, const Vector& image) const { return Dot(plane, image); }

 private:
  const RowMatrixView<T>& gram_;
  const Vector& rho_;
  double share_;
};

}  // namespace

void Options::Validate() const {
  DescentOptions::Validate();
  if (bounded_below && rho_min >= rho_max) throw InvalidArgument("rho_min must be below rho_max");
}

template <class T>
Sfd<T>::Sfd(const Options& options, const LearnerContext<T>& context)
    : FunctionalDescent<T, BinaryLearner<T>>(options, context.train->size(), "sfd", context, 1),
      options_(options),
      rho_min_(options.bounded_below ? options.rho_min : -std::numeric_limits<double>::infinity()),
      random_(context.seed) {
  using Kind = UpdateSchedule::Kind;
  if (context.streaming && (options.schedule == Kind::kSfd2 || options.schedule == Kind::kOverSet))
    throw InvalidArgument("schedule = 'sfd2' and 'c*t/N' need the whole training set, not chunks");
  if (context.streaming && options.importance)
    throw InvalidArgument("draw = 'importance' needs the whole training set, not chunks");
  if (options.importance) sampler_.emplace(this->engine_, this->train_, 1);
}

template <class T>
double Sfd<T>::Residual(double margin) const {
  return std::clamp(1 - margin, rho_min_, options_.rho_max);
}

template <class T>
bool Sfd<T>::ScoreBatch(std::span<const std::uint32_t> batch, RoundOutcome& outcome) {
  if (!options_.importance) return FunctionalDescent<T, BinaryLearner<T>>::ScoreBatch(batch, outcome);
  const auto drawn = sampler_->Draw(batch.size(), this->size(), random_, [&](std::uint32_t i) {
    return Residual(this->label(i) * sampler_->score(0, i));
  });
  this->batch_.Load(drawn);
  this->scores_.clear();
  for (const std::uint32_t i : drawn) this->scores_.push_back(sampler_->score(0, i));
  CountBatch(outcome);
  return AllFinite(this->scores_);
}

template <class T>
void Sfd<T>::CountBatch(RoundOutcome& outcome) {
  for (std::size_t i = 0; i < this->scores_.size(); ++i)
    CountScore(this->scores_[i], this->batch_.label(i), outcome);
}

template <class T>
double Sfd<T>::Residuals() {
  rho_.resize(static_cast<Index>(this->scores_.size()));
  double positive = 0;
  for (std::size_t i = 0; i < this->scores_.size(); ++i) {
    double& rho = rho_[static_cast<Index>(i)];
    rho = this->batch_.weight(i) * Residual(this->batch_.label(i) * this->scores_[i]);
    positive += std::max(0.0, rho);
  }
  return positive;
}

template <class T>
QpResult Sfd<T>::Solve(double lambda, double cap) {
  const auto gram = this->batch_.gram();
  a_ = Eigen::ArrayXd::Zero(rho_.size());
  if (!options_.planes) return solver_.Solve(gram, rho_, cap, options_.gap, a_);
  Planes<T> problem(gram, rho_);
  Eigen::ArrayXd margins;
  return SolveByPlanes(problem, lambda, options_.epsilon, a_, margins);
}

template <class T>
typename Sfd<T>::Products Sfd<T>::AddUpdate() {
  const auto gram = this->batch_.gram();
  Products products;
  added_.clear();
  coefficients_.clear();
  for (std::size_t i = 0; i < this->scores_.size(); ++i) {
    const double a = a_[static_cast<Index>(i)];
    if (a == 0) continue;
    ++terms_;
    products.norm += a * Dot(a_, gram.row(static_cast<Index>(i)).template cast<double>());
    products.along += a * this->batch_.signed_weight(i) * this->scores_[i];
    added_.push_back(this->batch_.example(i));
    coefficients_.push_back(a * this->batch_.signed_weight(i));
    this->expansion_.Add(0, added_.back(), coefficients_.back());
  }
  if (options_.importance) sampler_->Add(added_, coefficients_);
  return products;
}

template <class T>
std::vector<std::string> Sfd<T>::Columns() const {
  auto columns = FunctionalDescent<T, BinaryLearner<T>>::Columns();
  columns.emplace_back("terms");
  return columns;
}

template <class T>
void Sfd<T>::Report(std::span<double> out) const {
  FunctionalDescent<T, BinaryLearner<T>>::Report(out);
  out.back() = static_cast<double>(terms_);
}

template <class T>
void Sfd<T>::OnRowsAppended() {
  this->PrepareRows();
  this->expansion_.Restart(this->size());
}

template <class T>
void Sfd<T>::Serialize(Archive& archive) {
  this->engine_.Serialize(archive);
  this->expansion_.Serialize(archive);
  this->SerializeRounds(archive);
  random_.Serialize(archive);
  archive.Field("terms", terms_);
}

template class Sfd<float>;
template class Sfd<double>;

}  // namespace okbench::sfd
