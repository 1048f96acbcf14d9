// Generator "digits": images that resemble handwritten digits, drawn as strokes.

#include <algorithm>
#include <array>
#include <cmath>

#include "datasets/generators/generators.h"

namespace okbench {
namespace {

struct Point {
  double x, y;
};
using Stroke = std::vector<Point>;

// Strokes of the ten digits in the unit square; y points down.
const std::array<std::vector<Stroke>, 10>& Skeletons() {
  static const std::array<std::vector<Stroke>, 10> list = {{
      {{{0.50, 0.05},
        {0.30, 0.12},
        {0.20, 0.32},
        {0.18, 0.55},
        {0.24, 0.80},
        {0.42, 0.95},
        {0.62, 0.94},
        {0.78, 0.78},
        {0.82, 0.52},
        {0.79, 0.28},
        {0.68, 0.10},
        {0.50, 0.05}}},
      {{{0.36, 0.24}, {0.54, 0.06}, {0.53, 0.50}, {0.52, 0.95}}},
      {{{0.22, 0.26},
        {0.32, 0.10},
        {0.54, 0.06},
        {0.74, 0.17},
        {0.74, 0.36},
        {0.56, 0.58},
        {0.34, 0.78},
        {0.20, 0.94},
        {0.50, 0.92},
        {0.82, 0.93}}},
      {{{0.24, 0.14},
        {0.46, 0.05},
        {0.72, 0.14},
        {0.73, 0.33},
        {0.48, 0.46},
        {0.76, 0.58},
        {0.78, 0.80},
        {0.52, 0.95},
        {0.22, 0.86}}},
      {{{0.60, 0.05}, {0.42, 0.32}, {0.20, 0.62}, {0.50, 0.63}, {0.84, 0.61}},
       {{0.66, 0.34}, {0.64, 0.65}, {0.62, 0.96}}},
      {{{0.76, 0.07},
        {0.32, 0.08},
        {0.27, 0.44},
        {0.54, 0.39},
        {0.76, 0.53},
        {0.75, 0.80},
        {0.50, 0.95},
        {0.22, 0.87}}},
      {{{0.68, 0.06},
        {0.44, 0.20},
        {0.26, 0.48},
        {0.22, 0.74},
        {0.38, 0.94},
        {0.62, 0.94},
        {0.76, 0.76},
        {0.66, 0.57},
        {0.44, 0.55},
        {0.25, 0.70}}},
      {{{0.18, 0.09}, {0.50, 0.08}, {0.80, 0.07}, {0.62, 0.40}, {0.48, 0.68}, {0.40, 0.95}}},
      {{{0.50, 0.48},
        {0.28, 0.34},
        {0.28, 0.15},
        {0.50, 0.05},
        {0.72, 0.15},
        {0.72, 0.33},
        {0.50, 0.48},
        {0.25, 0.66},
        {0.26, 0.86},
        {0.50, 0.96},
        {0.75, 0.86},
        {0.74, 0.65},
        {0.50, 0.48}}},
      {{{0.74, 0.30},
        {0.60, 0.45},
        {0.36, 0.44},
        {0.25, 0.26},
        {0.38, 0.08},
        {0.62, 0.06},
        {0.75, 0.24},
        {0.72, 0.56},
        {0.64, 0.95}}},
  }};
  return list;
}

double SquaredDistance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  const double along = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0;
  const double ex = p.x - (a.x + along * dx), ey = p.y - (a.y + along * dy);
  return ex * ex + ey * ey;
}

}  // namespace

std::vector<double> DrawDigit(int digit, int side, Random& random) {
  const auto spread = [&random](double width) { return width * (2 * random.Uniform() - 1); };
  const double slant = spread(0.40);
  const double width = 0.72 + spread(0.26), height = 0.80 + spread(0.16);
  const double shift_x = spread(0.08), shift_y = spread(0.06);
  const double wobble = 0.03 + 0.05 * random.Uniform();  // maximum shift of a skeleton point per axis
  const double thickness = (0.035 + 0.055 * random.Uniform()) * side;
  const double soft = 0.9;  // half width of a stroke's blurred edge in pixels
  std::vector<double> image(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0.0);
  for (const Stroke& skeleton : Skeletons()[static_cast<std::size_t>(digit)]) {
    Stroke stroke;
    for (const Point& p : skeleton) {
      const double u = p.x - 0.5 + spread(wobble), v = p.y - 0.5 + spread(wobble);
      stroke.push_back({side * (0.5 + shift_x + width * u - slant * v), side * (0.5 + shift_y + height * v)});
    }
    for (std::size_t s = 0; s + 1 < stroke.size(); ++s) {
      const Point a = stroke[s], b = stroke[s + 1];
      const double reach = thickness + soft + 1;
      const auto first = [side](double at) { return std::clamp(static_cast<int>(at), 0, side); };
      for (int row = first(std::min(a.y, b.y) - reach); row < first(std::max(a.y, b.y) + reach); ++row)
        for (int column = first(std::min(a.x, b.x) - reach); column < first(std::max(a.x, b.x) + reach);
             ++column) {
          const double distance = std::sqrt(SquaredDistance({column + 0.5, row + 0.5}, a, b));
          const double ink = std::clamp((thickness + soft - distance) / (2 * soft), 0.0, 1.0);
          double& pixel = image[static_cast<std::size_t>(row) * static_cast<std::size_t>(side) +
                                static_cast<std::size_t>(column)];
          pixel = std::max(pixel, ink);
        }
    }
  }
  for (double& pixel : image)
    if (pixel > 0) pixel = std::clamp(pixel + 0.10 * random.Normal(), 0.0, 1.0);
  return image;
}

}  // namespace okbench
