// Measures of predictions over arrays: the meter that trials use.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "harness/measures/prediction_measure.h"
#include "python/native/module.h"

namespace okbench::python {
namespace {

template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

py::list Measures() {
  py::list list;
  for (const PredictionMeasureInfo& info : PredictionMeasures())
    list.append(py::dict(py::arg("name") = info.name, py::arg("title") = info.title,
                         py::arg("percent") = info.percent, py::arg("larger") = info.larger));
  return list;
}

ScoreKind ScoreKindOf(const std::string& name) {
  for (const ScoreKind kind : {ScoreKind::kMargins, ScoreKind::kLogOdds, ScoreKind::kSoftmax,
                               ScoreKind::kOneClass, ScoreKind::kReal})
    if (name == ScoreKindName(kind)) return kind;
  throw InvalidArgument("unknown kind of scores '" + name + "'");
}

PredictionShape ShapeOf(const std::string& kind, std::size_t classes, std::size_t outputs) {
  const ScoreKind known = ScoreKindOf(kind);
  return {.kind = known, .classes = known == ScoreKind::kReal ? 0 : classes, .outputs = outputs};
}

std::string Unfit(const std::string& measure, const std::string& kind, std::size_t classes) {
  return UnfitFor(FindPredictionMeasure(measure), ShapeOf(kind, classes, 1));
}

// Rounds a score to single precision, as recorded scores are. Throws InvalidArgument for one beyond it:
// clipped scores would be ties.
float RoundedScore(double score) {
  if (std::fabs(score) > static_cast<double>(std::numeric_limits<float>::max()))
    throw InvalidArgument("scores: must be between -3.4e38 and 3.4e38");
  return static_cast<float>(score);
}

py::array_t<double> Measured(const std::string& measure, std::size_t window, const std::string& kind,
                             std::size_t classes, const Array<double>& scores, const Array<double>& targets,
                             const Array<std::int64_t>& labels, const Array<std::int64_t>& predicted,
                             const Array<std::int64_t>& steps) {
  if (scores.ndim() != 2) throw InvalidArgument("scores: must have two dimensions");
  const auto rows = static_cast<std::size_t>(scores.shape(0));
  const auto outputs = static_cast<std::size_t>(scores.shape(1));
  const PredictionShape shape = ShapeOf(kind, classes, outputs);
  const bool real = shape.kind == ScoreKind::kReal;
  const auto require = [&](const char* name, py::ssize_t count) {
    if (static_cast<std::size_t>(count) != rows)
      throw InvalidArgument(std::string(name) + ": must have a value for each row of scores");
  };
  if (real) {
    require("targets", targets.size());
  } else {
    require("labels", labels.size());
    require("predicted", predicted.size());
  }
  PredictionMeter meter(shape, {{.measure = measure, .window = window}});
  std::vector<double> values;
  std::vector<float> rounded(outputs);
  std::size_t row = 0;
  for (py::ssize_t s = 0; s < steps.size(); ++s) {
    const auto last = static_cast<std::size_t>(steps.data()[s]);
    if (last > rows || last < row || last == 0) throw InvalidArgument("steps: must increase from 1 to n");
    for (; row < last; ++row) {
      const double* const of = scores.data() + row * outputs;
      std::transform(of, of + outputs, rounded.begin(), RoundedScore);
      Prediction prediction{.scores = rounded};
      if (real) {
        prediction.target = targets.data()[row];
        prediction.value = of[0];
      } else {
        const std::int64_t label = labels.data()[row];
        if (label < 0 || static_cast<std::size_t>(label) >= classes)
          throw InvalidArgument("labels: must be at least 0 and below the number of classes");
        prediction.label = static_cast<std::uint32_t>(label);
        prediction.predicted = static_cast<std::int32_t>(predicted.data()[row]);
        prediction.flagged = prediction.predicted == 0;
      }
      meter.Add(prediction);
    }
    meter.ForEach([&](const MeasureRequest&, double value) { values.push_back(value); });
  }
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace

void AddMeasures(py::module_& module) {
  module.def("prediction_measures", &Measures,
             "Return the measures of predictions: name, title, whether figures show percent, and whether "
             "larger values are better.");
  module.def("unfit", &Unfit, py::arg("measure"), py::arg("kind"), py::arg("classes"),
             "Return why a measure cannot be computed from such scores; empty if it can.");
  module.def(
      "measured", &Measured, py::arg("measure"), py::arg("window"), py::arg("kind"), py::arg("classes"),
      py::arg("scores"), py::arg("targets"), py::arg("labels"), py::arg("predicted"), py::arg("steps"),
      "Return a measure after each of the steps, over the last `window` rows or, with 0, over all.\n\n"
      "scores: shape (n, outputs). targets: shape (n,) if kind is 'real', else empty. labels, predicted:\n"
      "places of classes, shape (n,), -1 for no predicted class. steps: increasing, from 1 to n.");
}

}  // namespace okbench::python
