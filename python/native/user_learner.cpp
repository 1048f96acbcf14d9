#include "python/native/user_learner.h"

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "harness/run/interruption.h"
#include "learners/api/registry.h"
#include "learners/core/math.h"
#include "python/native/handed_kernel.h"
#include "python/native/rows.h"

namespace okbench::python {
namespace {

using Held = std::shared_ptr<const py::object>;

// Takes ownership of a Python object. The last owner acquires the GIL to release it, on any thread.
Held Hold(py::object object) {
  return {new py::object(std::move(object)), [](const py::object* pointer) {
            const py::gil_scoped_acquire lock;
            delete pointer;
          }};
}

// Calls what is the object's, with the lock. `where`: "in partial_fit at step 3".
template <class Function>
auto Call(const std::string& where, const Function& call) {
  try {
    return call();
  } catch (py::error_already_set& error) {
    if (error.matches(PyExc_KeyboardInterrupt) && StopRequested()) throw Interrupted();
    if (error.matches(PyExc_MemoryError)) throw std::bad_alloc();
    const auto type = error.type().attr("__name__").cast<std::string>();
    std::string text = py::str(error.value()).cast<std::string>();
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw TrialFailure("learner", type + " " + where + (text.empty() ? "" : ": " + text));
  }
}

// Scope in which kernel values count as evaluation instead of learning.
template <class T>
class Measuring {
 public:
  explicit Measuring(HandedKernel<T>& kernel) : kernel_(kernel) { kernel_.SetPurpose(Purpose::kMeasuring); }
  ~Measuring() { kernel_.SetPurpose(Purpose::kLearning); }
  Measuring(const Measuring&) = delete;
  Measuring& operator=(const Measuring&) = delete;

 private:
  HandedKernel<T>& kernel_;
};

struct NoOptions {};

// Adapter from a Python object to StreamLearner. Acquires the GIL in every call that reaches Python.
template <class T>
class UserLearner final : public StreamLearner {
 public:
  UserLearner(const py::object& make, const LearnerContext<T>& context)
      : train_(*context.train),
        test_(context.test),
        kernel_(std::make_shared<HandedKernel<T>>(context.kernel)) {
    outputs_ = binary() ? 1 : static_cast<std::size_t>(train_.classes());
    f_.resize(outputs_);
    const py::gil_scoped_acquire lock;
    object_ = Hold(Call("in the constructor", [&] {
      return make(std::static_pointer_cast<AnyHandedKernel>(kernel_), binary() ? 0 : train_.classes());
    }));
  }

  void Announce(std::span<const std::uint32_t> /*order*/) override {}

  StepOutcome Step(std::uint32_t example) override {
    if (StopRequested()) throw Interrupted();
    const std::string at = " at step " + std::to_string(++t_);
    const std::int32_t y = train_.label(example);
    const py::gil_scoped_acquire lock;
    const py::object row = Rows(train_, std::span(&example, 1));
    Scores(row, f_, at);
    const StepOutcome outcome = Outcome(y);
    if (AllFinite(f_)) Call("in partial_fit" + at, [&] { return object_->attr("learn")(row, y); });
    return outcome;
  }

  StepOutcome Predict(std::uint32_t example) override {
    const py::gil_scoped_acquire lock;
    const Measuring<T> measuring(*kernel_);
    Scores(Rows(train_, std::span(&example, 1)), f_, " of a row whose label is late");
    return Outcome(train_.label(example));
  }

  std::vector<std::string> Columns() const override { return {}; }
  void Report(std::span<double> /*out*/) const override {}
  const KernelCounts& counts() const override { return kernel_->counts(); }

  std::size_t support_vectors() const override {
    const py::gil_scoped_acquire lock;
    return Call("in support_vectors",
                [&] { return object_->attr("support_vectors")().template cast<std::size_t>(); });
  }

  TestOutcome Test() override {
    constexpr std::size_t kTogether = 256;
    const std::vector<std::uint32_t> all = AllRows(*test_);
    TestOutcome outcome{.examples = all.size(), .mistakes = 0};
    std::vector<double> f;
    for (std::size_t first = 0; first < all.size(); first += kTogether) {
      if (StopRequested()) throw Interrupted();
      const auto rows = std::span(all).subspan(first, std::min(kTogether, all.size() - first));
      f.resize(rows.size() * outputs_);
      const py::gil_scoped_acquire lock;
      const Measuring<T> measuring(*kernel_);
      Scores(Rows(*test_, rows), f, " of test rows");
      outcome.finite = outcome.finite && AllFinite(f);
      outcome.AddScores(f);
      for (std::size_t i = 0; i < rows.size(); ++i)
        outcome.mistakes +=
            PredictsWrong(std::span(f).subspan(i * outputs_, outputs_), test_->label(rows[i])) ? 1 : 0;
    }
    return outcome;
  }

 private:
  bool binary() const { return train_.label_kind() == LabelKind::kBinary; }

  static py::object Rows(const Examples<T>& of, std::span<const std::uint32_t> rows) {
    return RowsObject(of.Subset(rows));
  }

  // The outcome of the scores f_.
  StepOutcome Outcome(std::int32_t y) const {
    if (!AllFinite(f_)) return {.loss = std::numeric_limits<double>::quiet_NaN(), .mistake = true};
    const double violation = 1 - Margin(f_, y);
    return {.loss = std::max(0.0, violation),
            .mistake = Mistake(f_, y),
            .margin_error = violation > 0,
            .prediction = f_[0],
            .scores = f_};
  }

  // Writes the scores to out[row * outputs + r]. The Python facade has validated their shape.
  void Scores(const py::object& rows, std::span<double> out, const std::string& at) {
    Call("in decision_function" + at, [&] {
      const auto scores =
          object_->attr("scores")(rows).template cast<py::array_t<double, py::array::c_style>>();
      if (static_cast<std::size_t>(scores.size()) != out.size())
        throw TrialFailure("learner", "decision_function gives " + std::to_string(scores.size()) + " scores" +
                                          at + ", expected " + std::to_string(out.size()));
      std::copy_n(scores.data(), out.size(), out.begin());
    });
  }

  // Binary: y f(x). Multiclass: f_y(x) - max over r != y of f_r(x).
  double Margin(std::span<const double> f, std::int32_t y) const {
    if (binary()) return y * f[0];
    const auto label = static_cast<std::size_t>(y);
    double other = -std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < f.size(); ++r)
      if (r != label) other = std::max(other, f[r]);
    return f[label] - other;
  }

  bool Mistake(std::span<const double> f, std::int32_t y) const {
    return binary() ? y * f[0] <= 0 : ArgMax(f) != static_cast<std::size_t>(y);
  }

  const Examples<T>& train_;
  const Examples<T>* test_;
  std::shared_ptr<HandedKernel<T>> kernel_;  // shared with the Python object, which may outlive the learner
  Held object_;
  std::size_t outputs_ = 1;
  std::vector<double> f_;
  std::uint64_t t_ = 0;
};

LearnerInfo InfoOf(const py::object& learner) {
  const auto text = [&](const char* name) { return learner.attr(name).cast<std::string>(); };
  const auto make = [factory = Hold(learner.attr("make"))]<class T>(const NoOptions& /*options*/,
                                                                    const LearnerContext<T>& context) {
    return std::make_unique<UserLearner<T>>(*factory, context);
  };
  LearnerInfo info = DefineLearner<Protocol::kStream>({.name = text("name"),
                                                       .title = text("title"),
                                                       .paper = "",
                                                       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
                                                       .update = "partial_fit"},
                                                      ParameterTable<NoOptions>(), make);
  info.random = true;  // it may be
  info.code = {.kind = "python", .name = text("code"), .sha256 = text("sha256"), .handed_kernel = true};
  return info;
}

}  // namespace

UserLearners::UserLearners(const std::vector<py::object>& learners) {
  try {
    for (const py::object& learner : learners) {
      LearnerInfo info = InfoOf(learner);
      const std::string name = info.name;
      AddLearner(std::move(info));
      added_.push_back(name);
    }
  } catch (...) {
    for (const std::string& name : added_) RemoveLearner(name);
    throw;
  }
}

UserLearners::~UserLearners() {
  for (const std::string& name : added_) RemoveLearner(name);
}

void AddUserLearners(py::module_& module) {
  py::class_<AnyHandedKernel, std::shared_ptr<AnyHandedKernel>>(
      module, "HandedKernel", "Evaluates the kernel of a trial and counts the evaluations.")
      .def("values", &AnyHandedKernel::Values, "Return the matrix k(a_i, b_j).", py::arg("a"), py::arg("b"))
      .def_property_readonly("precision", &AnyHandedKernel::precision)
      .def("__repr__", &AnyHandedKernel::Describe);
}

}  // namespace okbench::python
