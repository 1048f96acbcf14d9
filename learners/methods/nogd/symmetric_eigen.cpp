#include "learners/methods/nogd/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "learners/core/math.h"
#include "learners/core/sums.h"
#include "learners/core/vectorised.h"

namespace okbench {
namespace {

// A = Q T Q', Q = H_0 H_1 ..., H_k = I - tau_k v_k v_k'. Rows 0 .. k of v_k are 0.
struct Tridiagonal {
  std::vector<double> diagonal, below;       // below[k] = T_{k+1,k}; its last entry is 0
  std::vector<std::vector<double>> reflect;  // v_k from row k + 1 on
  std::vector<double> tau;
};

// y += a x.
OKBENCH_VECTORISED void AddTo(double* y, double a, const double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

// y -= a u + b v.
OKBENCH_VECTORISED void SubtractBoth(double* y, double a, const double* u, double b, const double* v,
                                     std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] -= a * u[i] + b * v[i];
}

// Computes the reflection that maps x to a multiple of the first unit vector. Returns that multiple; x
// becomes v. Entries below 2^-150 are neglected, because their squares would underflow in the QL method. The
// matrix has been scaled to about 1. Matrices of low rank have such entries.
double Reflect(std::vector<double>& x, double& tau) {
  const double rest = SquaredNorm(std::span(x).subspan(1));
  tau = 0;
  constexpr double kNegligible = 0x1p-150;
  if (rest < kNegligible * kNegligible) {
    std::fill(x.begin() + 1, x.end(), 0.0);
    return std::fabs(x[0]) < kNegligible ? 0 : x[0];
  }
  const double norm = std::sqrt(x[0] * x[0] + rest);
  const double target = x[0] > 0 ? -norm : norm;
  x[0] -= target;
  tau = 2 / (x[0] * x[0] + rest);
  return target;
}

// Overwrites the matrix. Each pass applies the previous step and computes the product that the next step
// needs.
Tridiagonal Reduce(std::vector<double>& a, std::size_t n) {
  Tridiagonal t;
  t.diagonal.resize(n);
  t.below.assign(n, 0.0);
  t.tau.assign(n, 0.0);
  t.reflect.resize(n);
  std::vector<double> v, w;  // previous step: A <- A - v w' - w v', from row k on
  for (std::size_t k = 0; k < n; ++k) {
    const bool pending = !w.empty();
    const auto update = [&](std::size_t row) {  // columns k .. n-1
      if (pending) SubtractBoth(a.data() + row * n + k, v[row - k], w.data(), w[row - k], v.data(), n - k);
    };
    update(k);
    t.diagonal[k] = a[k * n + k];
    if (k + 1 == n) break;
    const auto from = a.begin() + static_cast<std::ptrdiff_t>(k * n);
    std::vector<double> x(from + static_cast<std::ptrdiff_t>(k + 1), from + static_cast<std::ptrdiff_t>(n));
    const std::size_t size = x.size();
    t.below[k] = Reflect(x, t.tau[k]);
    std::vector<double> product(size, 0.0);  // A v over the remaining rows
    for (std::size_t i = 0; i < size; ++i) {
      update(k + 1 + i);
      AddTo(product.data(), x[i], a.data() + (k + 1 + i) * n + k + 1, size);
    }
    // With p = tau A v: w = p - tau/2 (p'v) v.
    for (double& p : product) p *= t.tau[k];
    AddTo(product.data(), -t.tau[k] / 2 * Dot(product, x), x.data(), size);
    w = std::move(product);
    v = x;
    t.reflect[k] = std::move(x);
  }
  return t;
}

// The plane rotation of rows `row` and `row` + 1.
struct Rotation {
  std::size_t row;
  double c, s;
};

// Applies the inverse rotations, the last one first, to columns [row][column]. Some columns stay in cache for
// all rotations.
OKBENCH_VECTORISED void RotateBack(const std::vector<Rotation>& list, std::size_t count, double* columns) {
  constexpr std::size_t kAtOnce = 32;
  for (std::size_t first = 0; first < count; first += kAtOnce) {
    const std::size_t width = std::min(kAtOnce, count - first);
    for (std::size_t r = list.size(); r-- > 0;) {
      double* const upper = columns + list[r].row * count + first;
      double* const lower = upper + count;
      const double c = list[r].c, s = list[r].s;
      for (std::size_t j = 0; j < width; ++j) {
        const double u = upper[j], l = lower[j];
        upper[j] = c * u + s * l;
        lower[j] = c * l - s * u;
      }
    }
  }
}

// Returns the first row m >= first whose off-diagonal entry is negligible, or below `least`, so that T splits
// there.
std::size_t End(const std::vector<double>& d, const std::vector<double>& e, std::size_t first, double least) {
  std::size_t m = first;
  for (; m + 1 < d.size(); ++m) {
    const double size = std::fabs(d[m]) + std::fabs(d[m + 1]);
    if (std::fabs(e[m]) <= std::numeric_limits<double>::epsilon() * size || std::fabs(e[m]) < least) break;
  }
  return m;
}

// One implicit QL sweep with Wilkinson's shift over rows first .. last.
void Sweep(std::vector<double>& d, std::vector<double>& e, std::size_t first, std::size_t last,
           std::vector<Rotation>& rotations) {
  const auto length = [](double a, double b) { return std::sqrt(a * a + b * b); };
  double g = (d[first + 1] - d[first]) / (2 * e[first]);
  g = d[last] - d[first] + e[first] / (g + std::copysign(length(g, 1), g));
  double s = 1, c = 1, p = 0;
  for (std::size_t i = last; i-- > first;) {
    const double f = s * e[i], b = c * e[i];
    double r = length(f, g);
    e[i + 1] = r;
    if (r == 0) {  // T splits here
      d[i + 1] -= p;
      e[last] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    rotations.push_back({i, c, s});
  }
  d[first] -= p;
  e[first] = g;
  e[last] = 0;
}

// columns <- Q columns, [row][eigenvector].
void TransformBack(const Tridiagonal& t, std::vector<double>& columns, std::size_t count) {
  const std::size_t n = t.diagonal.size();
  std::vector<double> products(count);
  for (std::size_t k = n; k-- > 0;) {
    const std::vector<double>& v = t.reflect[k];
    if (t.tau[k] == 0) continue;
    std::fill(products.begin(), products.end(), 0.0);
    double* const rows = columns.data() + (k + 1) * count;
    for (std::size_t i = 0; i < v.size(); ++i) AddTo(products.data(), v[i], rows + i * count, count);
    for (std::size_t i = 0; i < v.size(); ++i)
      AddTo(rows + i * count, -t.tau[k] * v[i], products.data(), count);
  }
}

}  // namespace

EigenSystem SymmetricEigen(std::span<const double> matrix, std::size_t n, std::size_t count) {
  if (matrix.size() != n * n || count > n)
    throw InvalidArgument("eigenvectors: the matrix needs n * n values, and count <= n");
  if (!AllFinite(matrix)) throw InvalidArgument("eigenvectors: a value of the matrix is not finite");
  // Scales by a power of two, which is exact, so that no square overflows.
  double largest = 0;
  for (const double value : matrix) largest = std::max(largest, std::fabs(value));
  int exponent = 0;
  std::frexp(largest, &exponent);
  std::vector<double> a(matrix.begin(), matrix.end());
  for (double& value : a) value = std::ldexp(value, -exponent);

  Tridiagonal t = Reduce(a, n);
  std::vector<Rotation> rotations;
  rotations.reserve(n * n);  // about their number
  std::vector<double>& d = t.diagonal;
  std::vector<double> e = t.below;
  constexpr int kUsualSweeps = 30, kMaxSweeps = 100;  // per eigenvalue; two or three are usual
  constexpr double kNothing = 0x1p-500;               // T has been scaled to about 1
  // Eigenvalues of a matrix of low rank, at the rounding error of its norm, need not become exact.
  double norm = 0;
  for (std::size_t i = 0; i < n; ++i) norm = std::max(norm, std::fabs(d[i]) + std::fabs(e[i]));
  const double rounding = std::numeric_limits<double>::epsilon() * norm;
  for (std::size_t l = 0; l < n; ++l)
    for (int sweep = 0;; ++sweep) {
      const std::size_t m = End(d, e, l, sweep < kUsualSweeps ? kNothing : rounding);
      if (m == l) break;
      if (sweep == kMaxSweeps) throw InvalidArgument("eigenvectors: the QL method does not converge");
      Sweep(d, e, l, m, rotations);
    }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return d[i] > d[j]; });
  EigenSystem system;
  for (const std::size_t i : order) system.values.push_back(std::ldexp(d[i], exponent));
  // The eigenvectors of T are the products of the rotations with unit vectors. Only the first `count` are
  // computed.
  std::vector<double> columns(n * count, 0.0);
  for (std::size_t c = 0; c < count; ++c) columns[order[c] * count + c] = 1;
  RotateBack(rotations, count, columns.data());
  TransformBack(t, columns, count);
  system.vectors.resize(count * n);
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t j = 0; j < n; ++j) system.vectors[c * n + j] = columns[j * count + c];
  return system;
}

}  // namespace okbench
