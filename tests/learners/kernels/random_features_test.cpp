// Random Fourier features: definition, convergence to the kernel, and counts.

#include "learners/kernels/random_features.h"

#include <cmath>
#include <vector>

#include "base/error.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

template <class T>
std::vector<std::vector<double>> Mapped(RandomFeatures<T>& map, const Examples<T>& rows) {
  std::vector<std::vector<double>> out;
  map.ForEach(rows, AllRows(rows), [&](std::size_t, const double* z) {
    out.emplace_back(map.size());
    for (std::size_t c = 0; c < map.size(); ++c) out.back()[c] = z[map.place(c)];
  });
  return out;
}

template <class T>
void RequireCoordinates(const Examples<T>& rows, double tolerance) {
  const auto components = DrawComponents<T>(Kernel::RbfFromGamma(0.4), 21, {rows.features()}, 5);
  RandomFeatures<T> map(components, rows);
  REQUIRE(map.size() == 42);
  const auto z = Mapped(map, rows);
  double largest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> x = testing::DenseRow<T>(rows, i);
    for (std::size_t d = 0; d < 21; ++d) {
      const std::vector<double> u = testing::DenseRow<T>(*components, d);
      double product = 0;
      for (std::size_t f = 0; f < x.size(); ++f) product += u[f] * x[f];
      largest = std::max(largest, std::fabs(z[i][d] - std::cos(product) / std::sqrt(21.0)));
      largest = std::max(largest, std::fabs(z[i][21 + d] - std::sin(product) / std::sqrt(21.0)));
    }
  }
  CHECK(largest < tolerance);
}

TEST_CASE("random features are cosines and sines of the products with the frequencies", "[features]") {
  RequireCoordinates(testing::RandomDense<double>(70, 5, LabelKind::kBinary, 2, 1), 1e-14);
  RequireCoordinates(testing::RandomDense<float>(70, 5, LabelKind::kBinary, 2, 1), 1e-5);
  const auto [dense, sparse] = testing::DenseAndSparse<double>(30, 5000, 0.01, false, 2);
  RequireCoordinates(sparse, 1e-13);
  const auto [ones, packed] = testing::DenseAndSparse<float>(30, 40, 0.3, true, 3);
  RequireCoordinates(packed, 1e-5);
}

TEST_CASE("random features: rows of a stream and of evaluation have the same bits and separate counts",
          "[features]") {
  const auto rows = testing::RandomDense<double>(60, 4, LabelKind::kBinary, 2, 3);
  const auto components = DrawComponents<double>(Kernel::RbfFromGamma(0.4), 10, {4}, 7);
  RandomFeatures<double> map(components, rows, 7);
  const std::vector<std::uint32_t> order = AllRows(rows);
  map.Announce(order);
  std::vector<std::vector<double>> stream;
  for (const std::uint32_t i : order) {
    const double* const z = map.Row(i);
    stream.emplace_back(map.size());
    for (std::size_t c = 0; c < map.size(); ++c) stream.back()[c] = z[map.place(c)];
  }
  CHECK(map.counts().features == 60 * 20);
  CHECK(map.counts().measured_features == 0);
  CHECK(Mapped(map, rows) == stream);
  CHECK(map.counts().features == 60 * 20);
  CHECK(map.counts().measured_features == 60 * 20);
  CHECK(map.counts().requested == 0);
  CHECK(map.counts().computed == 0);
}

TEST_CASE("random features: products converge to the kernel as 1 / sqrt(D)", "[features]") {
  // z'z' is a mean of D cosines with variance at most 1. Its root mean square error is at most 1 / sqrt(D).
  const Kernel kernel = Kernel::RbfFromGamma(0.3);
  const auto rows = testing::RandomDense<double>(12, 3, LabelKind::kBinary, 2, 4);
  std::vector<double> errors;
  for (const std::size_t d : {16, 256, 4096}) {
    double squares = 0;
    std::size_t count = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      RandomFeatures<double> map(DrawComponents<double>(kernel, d, {3}, seed), rows);
      const auto z = Mapped(map, rows);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j, ++count) {
          double product = 0;
          for (std::size_t c = 0; c < z[i].size(); ++c) product += z[i][c] * z[j][c];
          const double error = product - testing::PlainKernel<double>(kernel, rows, i, rows, j);
          squares += error * error;
        }
    }
    errors.push_back(std::sqrt(squares / static_cast<double>(count)));
    CHECK(errors.back() < 1 / std::sqrt(static_cast<double>(d)));
    CHECK(errors.back() > 0.2 / std::sqrt(static_cast<double>(d)));
  }
  CHECK(errors[0] / errors[1] == Approx(4).epsilon(0.3));
  CHECK(errors[1] / errors[2] == Approx(4).epsilon(0.3));
}

TEST_CASE("random features: frequencies depend on the kernel width and the seed", "[features]") {
  const auto components = DrawComponents<double>(Kernel::RbfFromGamma(0.5), 3000, {2}, 1);
  double squares = 0;
  for (std::size_t d = 0; d < components->size(); ++d)
    for (const double u : testing::DenseRow<double>(*components, d)) squares += u * u;
  CHECK(squares / 6000 == Approx(1).epsilon(0.08));  // 2 gamma
  const auto same = DrawComponents<double>(Kernel::RbfFromGamma(0.5), 3000, {2}, 1);
  const auto other = DrawComponents<double>(Kernel::RbfFromGamma(0.5), 3000, {2}, 2);
  CHECK(testing::DenseRow<double>(*same, 2999) == testing::DenseRow<double>(*components, 2999));
  CHECK(testing::DenseRow<double>(*other, 2999) != testing::DenseRow<double>(*components, 2999));
  CHECK_THROWS_AS(DrawComponents<double>(Kernel::Linear(), 3, {2}, 1), InvalidArgument);
}

TEST_CASE("a feature that is added to the frequencies leaves the others") {
  const Kernel kernel = Kernel::RbfFromGamma(0.5);
  const auto before = DrawComponents<double>(kernel, 50, {2}, 3);
  const auto extension = DrawComponents<double>(kernel, 50, {.all = 3, .first = 2}, 3);
  const auto two = DrawComponents<double>(kernel, 50, {.all = 4, .first = 2}, 3);
  bool drawn = true;
  for (std::size_t d = 0; d < 50; ++d) {
    for (std::size_t j = 0; j < 2; ++j) CHECK(extension->row(d).values[j] == before->row(d).values[j]);
    for (std::size_t j = 0; j < 3; ++j) CHECK(two->row(d).values[j] == extension->row(d).values[j]);
    drawn = drawn && two->row(d).values[3] != two->row(d).values[2] && two->row(d).values[3] != 0;
  }
  CHECK(drawn);
}

}  // namespace
}  // namespace okbench
