// Replays of the methods with explicit features: FOGD, NOGD, Raker and the linear passive-aggressive
// algorithm. They count features in addition to kernel values.

#include <Eigen/Eigenvalues>
#include <array>

#include "learners/methods/fogd/fogd.h"
#include "learners/methods/linear_passive_aggressive/linear_passive_aggressive.h"
#include "learners/methods/nogd/nogd.h"
#include "learners/methods/raker/raker.h"
#include "tests/learners/counts/replay.h"

namespace okbench::explicit_replay {
namespace {

using testing::Agree;
using testing::Column;
using testing::CountingKernel;
using testing::Given;
using testing::LookAheadReplay;
using testing::Measured;
using testing::RandomDense;
using testing::RequireCounts;
using testing::Settings;

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Label of a row in function r: +1 or -1.
double LabelOf(const Examples<double>& data, std::uint32_t x, std::size_t r) {
  if (data.label_kind() == LabelKind::kBinary) return data.label(x);
  return static_cast<std::size_t>(data.label(x)) == r ? 1 : -1;
}

std::size_t FunctionsOf(const Examples<double>& data) {
  return data.label_kind() == LabelKind::kBinary ? 1 : static_cast<std::size_t>(data.classes());
}

// One function of NOGD: its members as indices into the shared set, coefficients, and V D^-1 V' from the r
// largest eigenvalues.
struct Function {
  std::vector<std::size_t> members;
  std::vector<double> alpha;
  Matrix inverse;
  std::size_t rank = 0;
};

class NogdReplay {
 public:
  NogdReplay(const Settings& settings, const Examples<double>& data, const Kernel& kernel,
             const std::vector<std::uint32_t>& order, std::size_t tile)
      : data_(data),
        kernel_(kernel, data, data),
        ahead_(tile, order),
        budget_(settings.Count("budget")),
        eta_(settings.Real("eta")),
        rank_(settings.Real("rank")),
        zero_(settings.Text("start") == "zero"),
        functions_(FunctionsOf(data)) {}

  double Step(std::uint32_t x) {
    ahead_.Row(x, shared_.size());
    std::vector<double> row;
    for (const std::uint32_t s : shared_) row.push_back(kernel_(s, x));
    std::vector<double> f;
    for (const Function& function : functions_) {
      f.push_back(0);
      for (std::size_t j = 0; j < function.members.size(); ++j)
        f.back() += function.alpha[j] * row[function.members[j]];
    }
    double loss = 0;
    bool added = false;
    for (std::size_t r = 0; r < f.size(); ++r) {
      const double y = LabelOf(data_, x, r);
      loss += std::max(0.0, 1 - y * f[r]);
      if (y * f[r] >= 1) continue;
      Function& function = functions_[r];
      if (function.members.size() == budget_) {
        Vector k(static_cast<Eigen::Index>(budget_));
        for (std::size_t j = 0; j < budget_; ++j) k[static_cast<Eigen::Index>(j)] = row[function.members[j]];
        const Vector change = eta_ * y * function.inverse * k;
        for (std::size_t j = 0; j < budget_; ++j) function.alpha[j] += change[static_cast<Eigen::Index>(j)];
        features_ += function.rank;
        continue;
      }
      if (!added) Share(x, row);
      added = true;
      function.members.push_back(shared_.size() - 1);
      function.alpha.push_back(eta_ * y);
      if (function.members.size() == budget_) Switch(function);
    }
    return loss;
  }

  void Compare(const nogd::Nogd<double>& learner) const {
    RequireCounts(learner, kernel_.asked(), ahead_.computed());
    REQUIRE(learner.counts().features == features_);
    REQUIRE(learner.feature_evaluations() == features_);
    REQUIRE(Column(learner, "feature_evaluations") == static_cast<double>(features_));
    REQUIRE(learner.support_vectors() == shared_.size());
    for (std::size_t r = 0; r < functions_.size(); ++r) {
      std::vector<double> alpha;
      for (const std::uint32_t slot : learner.set().members(r)) alpha.push_back(learner.set().alpha(r, slot));
      REQUIRE(Agree(alpha, functions_[r].alpha));
    }
  }
  std::size_t shared() const { return shared_.size(); }
  std::uint64_t features() const { return features_; }

 private:
  // x becomes a support vector: caches its row and requests k(x, x).
  void Share(std::uint32_t x, const std::vector<double>& row) {
    kernel_rows_.push_back(row);
    kernel_rows_.back().push_back(kernel_(x, x));
    ahead_.One();
    ahead_.Put(shared_.size());
    shared_.push_back(x);
  }

  void Switch(Function& function) {
    const auto size = static_cast<Eigen::Index>(budget_);
    Matrix k(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j <= i; ++j)
        k(i, j) = k(j, i) = kernel_rows_[function.members[static_cast<std::size_t>(i)]]
                                        [function.members[static_cast<std::size_t>(j)]];
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(k);
    function.rank = static_cast<std::size_t>(std::lround(rank_ * static_cast<double>(budget_)));
    const auto rank = static_cast<Eigen::Index>(function.rank);
    const Matrix v = solver.eigenvectors().rightCols(rank);
    const Vector d = solver.eigenvalues().tail(rank);
    function.inverse = v * d.cwiseInverse().asDiagonal() * v.transpose();
    const Vector alpha = Eigen::Map<const Vector>(function.alpha.data(), size);
    const Vector carried = zero_ ? Vector::Zero(size).eval() : (v * (v.transpose() * alpha)).eval();
    function.alpha.assign(carried.begin(), carried.end());
  }

  const Examples<double>& data_;
  CountingKernel kernel_;
  LookAheadReplay ahead_;
  std::size_t budget_;
  double eta_, rank_;
  bool zero_;
  std::vector<Function> functions_;
  std::vector<std::uint32_t> shared_;             // examples, in order of arrival
  std::vector<std::vector<double>> kernel_rows_;  // their rows over earlier examples, and k(x, x)
  std::uint64_t features_ = 0;
};

void ReplayNogd() {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const bool binary : {true, false})
      for (const char* start : {"carried", "zero"}) {
        const auto data = RandomDense<double>(70, 3, binary ? LabelKind::kBinary : LabelKind::kMulticlass,
                                              binary ? 2 : 3, seed);
        const auto test = RandomDense<double>(20, 3, data.label_kind(), data.classes(), seed + 10);
        const Kernel kernel = Kernel::RbfFromGamma(0.7);
        const Given given = {
            {"budget", std::int64_t{12}}, {"eta", 0.3}, {"rank", 0.5}, {"start", std::string(start)}};
        const Settings settings("nogd", given);
        constexpr std::size_t kTile = 9;
        const auto learner = settings.Make<nogd::Nogd<double>>(
            {.train = &data, .test = &test, .kernel = kernel, .lookahead = kTile, .seed = seed});
        const auto order = testing::TwoPasses(data.size(), seed);
        learner->Announce(order);
        NogdReplay replay(settings, data, kernel, order, kTile);
        for (const std::uint32_t x : order) {
          const double loss = replay.Step(x);
          REQUIRE(Agree(learner->Step(x).loss, loss));
          replay.Compare(*learner);
        }
        REQUIRE(replay.features() > 60);
        Measured(*learner, test.size() * replay.shared(), [&] { return learner->Test(); });
        REQUIRE(learner->counts().features == replay.features());
        REQUIRE(learner->counts().measured_features == 0);
      }
}

void ReplayFogd() {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const bool binary : {true, false}) {
      const auto data = RandomDense<double>(60, 3, binary ? LabelKind::kBinary : LabelKind::kMulticlass,
                                            binary ? 2 : 4, seed);
      const auto test = RandomDense<double>(20, 3, data.label_kind(), data.classes(), seed + 10);
      const Settings settings("fogd", {{"features", std::int64_t{25}}, {"eta", 0.3}});
      const auto learner = settings.Make<fogd::Fogd<double>>(
          {.train = &data, .test = &test, .kernel = Kernel::RbfFromGamma(0.7), .seed = seed});
      const auto order = testing::TwoPasses(data.size(), seed);
      learner->Announce(order);
      std::uint64_t coordinates = 0;
      std::vector<std::vector<double>> w(FunctionsOf(data), std::vector<double>(50, 0.0));
      for (const std::uint32_t x : order) {
        std::vector<double> z;
        for (const bool sine : {false, true})
          for (std::size_t d = 0; d < 25; ++d, ++coordinates) {
            const auto u = testing::DenseRow<double>(*learner->map().components(), d);
            const auto row = testing::DenseRow<double>(data, x);
            const double angle = u[0] * row[0] + u[1] * row[1] + u[2] * row[2];
            z.push_back((sine ? std::sin(angle) : std::cos(angle)) / 5);
          }
        double loss = 0;
        for (std::size_t r = 0; r < w.size(); ++r) {
          double f = 0;
          for (std::size_t c = 0; c < z.size(); ++c) f += w[r][c] * z[c];
          const double y = LabelOf(data, x, r);
          loss += std::max(0.0, 1 - y * f);
          if (y * f >= 1) continue;
          for (std::size_t c = 0; c < z.size(); ++c) w[r][c] += 0.3 * y * z[c];
        }
        REQUIRE(Agree(learner->Step(x).loss, loss));
        RequireCounts(*learner, 0, 0);
        REQUIRE(learner->counts().features == coordinates);
        REQUIRE(Column(*learner, "feature_evaluations") == static_cast<double>(coordinates));
        for (std::size_t r = 0; r < w.size(); ++r)
          for (std::size_t c = 0; c < z.size(); ++c)
            REQUIRE(Agree(learner->weights(r)[learner->map().place(c)], w[r][c]));
      }
      Measured(*learner, 0, [&] { return learner->Test(); });
      REQUIRE(learner->counts().features == coordinates);
      REQUIRE(learner->counts().measured_features == test.size() * 50);
    }
}

// Three kernels of 8 frequencies, with other weights for each output.
void ReplayRaker() {
  constexpr std::size_t kKernels = 3, kFrequencies = 8;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass, LabelKind::kReal}) {
      const auto data = RandomDense<double>(60, 3, kind, kind == LabelKind::kMulticlass ? 4 : 2, seed);
      const Settings settings("raker", {{"features", std::int64_t{kFrequencies}},
                                        {"kernels", std::int64_t{kKernels}},
                                        {"eta", 0.3},
                                        {"lambda", 0.05}});
      const auto learner = settings.Make<raker::Raker<double>>(
          {.train = &data, .test = &data, .kernel = Kernel::RbfFromGamma(0.7), .seed = seed});
      const auto order = testing::TwoPasses(data.size(), seed);
      learner->Announce(order);
      const std::size_t outputs = kind == LabelKind::kMulticlass ? 4 : 1;
      std::vector<std::array<Eigen::VectorXd, kKernels>> theta(outputs);
      for (auto& of_output : theta) of_output.fill(Eigen::VectorXd::Zero(2 * kFrequencies));
      std::vector<Eigen::ArrayXd> v(outputs, Eigen::ArrayXd::Ones(kKernels));
      for (const std::uint32_t x : order) {
        std::array<Eigen::VectorXd, kKernels> z;
        for (std::size_t p = 0; p < kKernels; ++p) {
          z[p].resize(2 * kFrequencies);
          for (std::size_t d = 0; d < kFrequencies; ++d) {
            const auto u = testing::DenseRow<double>(*learner->map().components(), p * kFrequencies + d);
            const auto row = testing::DenseRow<double>(data, x);
            const double angle = u[0] * row[0] + u[1] * row[1] + u[2] * row[2];
            z[p][static_cast<Eigen::Index>(d)] = std::cos(angle) / std::sqrt(kFrequencies);
            z[p][static_cast<Eigen::Index>(d + kFrequencies)] = std::sin(angle) / std::sqrt(kFrequencies);
          }
        }
        double loss = 0;
        for (std::size_t r = 0; r < outputs; ++r) {
          const double y = kind == LabelKind::kReal ? data.target(x) : LabelOf(data, x, r);
          const auto loss_of = [&](double f) {
            return kind == LabelKind::kReal ? (f - y) * (f - y) / 2 : std::max(0.0, 1 - y * f);
          };
          double f = 0;
          for (std::size_t p = 0; p < kKernels; ++p)
            f += v[r][static_cast<Eigen::Index>(p)] * theta[r][p].dot(z[p]) / v[r].sum();
          loss += loss_of(f);
          for (std::size_t p = 0; p < kKernels; ++p) {
            Eigen::VectorXd& own = theta[r][p];
            const double f_p = own.dot(z[p]);
            v[r][static_cast<Eigen::Index>(p)] *= std::exp(-0.3 * (loss_of(f_p) + 0.05 * own.squaredNorm()));
            const double slope = kind == LabelKind::kReal ? f_p - y : y * f_p < 1 ? -y : 0;
            own -= 0.3 * (slope * z[p] + 2 * 0.05 * own);
          }
          v[r] /= v[r].maxCoeff();  // against underflow
        }
        REQUIRE(Agree(learner->Step(x).loss, loss));
        for (std::size_t r = 0; r < outputs; ++r)
          for (std::size_t p = 0; p < kKernels; ++p)
            REQUIRE(Agree(learner->weight(r, p), v[r][static_cast<Eigen::Index>(p)] / v[r].sum()));
        RequireCounts(*learner, 0, 0);
      }
      REQUIRE(learner->counts().features == order.size() * 2 * kKernels * kFrequencies);
    }
}

// Each inner product counts as one feature: of the row with every w, and with itself after a loss.
void ReplayLinearPassiveAggressive() {
  using Method = linear_passive_aggressive::LinearPassiveAggressive<double>;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass}) {
      const auto data = RandomDense<double>(60, 3, kind, kind == LabelKind::kBinary ? 2 : 4, seed);
      const Settings settings("linear-passive-aggressive", {{"C", 0.1}});
      const auto learner =
          settings.Make<Method>({.train = &data, .test = &data, .kernel = Kernel::Polynomial(1, 1, 1)});
      const auto order = testing::TwoPasses(data.size(), seed);
      learner->Announce(order);
      std::uint64_t products = 0;
      std::vector<Vector> w(FunctionsOf(data), Vector::Zero(4));
      for (const std::uint32_t x : order) {
        const auto row = testing::DenseRow<double>(data, x);
        const Vector z = Eigen::Vector4d(row[0], row[1], row[2], 1);
        double loss = 0;
        for (std::size_t r = 0; r < w.size(); ++r, ++products) {
          const double y = LabelOf(data, x, r), own = std::max(0.0, 1 - y * w[r].dot(z));
          loss += own;
          w[r] += std::min(0.1, own / z.squaredNorm()) * y * z;
        }
        products += loss > 0 ? 1 : 0;
        REQUIRE(Agree(learner->Step(x).loss, loss));
        RequireCounts(*learner, 0, 0);
        REQUIRE(learner->counts().features == products);
        REQUIRE(Column(*learner, "feature_evaluations") == static_cast<double>(products));
      }
      Measured(*learner, 0, [&] { return learner->Test(); });
      REQUIRE(learner->counts().measured_features == data.size() * w.size());
    }
}

const testing::RegisterReplay kNogd("nogd", ReplayNogd), kFogd("fogd", ReplayFogd),
    kRaker("raker", ReplayRaker), kLinear("linear-passive-aggressive", ReplayLinearPassiveAggressive);

}  // namespace
}  // namespace okbench::explicit_replay
