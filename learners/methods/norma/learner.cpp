#include "base/error.h"
#include "learners/methods/norma/norma.h"

namespace okbench::norma {
namespace {

ParameterTable<Options> Parameters() {
  auto table = OnlineSvmParameters<Options>();
  table
      .Choice(&Options::schedule, "schedule",
              {{"sqrt-decay", Schedule::kSqrtDecay},
               {"constant", Schedule::kConstant},
               {"inverse-sqrt", Schedule::kInverseSqrt}},
              "step size: eta_0 sqrt(tau/(tau+t)) (eq. 62), eta_0, or eta_0/sqrt(t)")
      .Real(&Options::tau, "tau", "tau", Positive(), "steps", "time constant of sqrt-decay")
      .Real(&Options::eta_margin0, "eta_margin0", "eta_eps,0", Positive(), "",
            "initial step size of the nu-trick, on the same schedule")
      .Real(&Options::truncation_error, "truncation_error", "", NonNegative(), "RKHS norm",
            "truncation error that determines the buffer (proposition 1); 0: use buffer")
      .Switch(&Options::average, "average",
              "measurement of the average hypothesis (theorem 3 of norma-2001)");
  return table;
}

// Replaces the buffer by that of the truncation error, if one is given.
Options WithBuffer(Options options, std::uint64_t steps) {
  if (options.truncation_error > 0)
    options.buffer = TruncationBuffer(options.schedule, options.eta0, options.tau, options.c,
                                      FindLoss(options.loss).slope, steps, options.truncation_error);
  return options;
}

template <class T>
std::unique_ptr<OnlineSvmLearner> Make(const Options& given, const LearnerContext<T>& context) {
  if (given.truncation_error > 0) {
    if (context.kernel.kind != KernelKind::kRbf)
      throw InvalidArgument("truncation_error needs k(x, x) = 1; use an rbf kernel");
    if (context.steps == 0)
      throw InvalidArgument("truncation_error needs the length of the stream (LearnerContext::steps)");
  }
  const Options options = WithBuffer(given, context.steps);
  const ScheduledStep step(options.schedule, options.eta0, options.tau, options.eta_margin0);
  if (!options.average) return MakeOnlineSvm<T>(options, step, context);
  if (context.streaming && context.steps == 0)
    throw InvalidArgument("average = true needs the length of the stream; it is unknown for chunks");
  // A term dropped from the buffer would also be lost from the average.
  if (options.buffer < context.steps)
    throw InvalidArgument("average = true needs every term; set buffer >= " + std::to_string(context.steps));
  return MakeOnlineSvm<T>(options, AveragedStep(step), context);
}

}  // namespace

void Options::Validate() const {
  OnlineSvmOptions::Validate();
  ValidateBuffer();
}

void Options::ValidateBuffer() const {
  const auto need = [](bool holds, const char* cause) {
    if (!holds) throw InvalidArgument(cause);
  };
  const bool truncated = truncation_error > 0;
  if (truncated) {
    need(c > 0, "truncation_error needs c > 0; without it old terms never decay");
    need(!tree_kernel, "truncation_error needs output_kernel = \"identity\"");
    need(eta0 * c <= 1, "truncation_error needs eta0 c <= 1");
    need(std::isfinite(FindLoss(loss).slope), "truncation_error needs a loss with a bounded derivative");
  }
  if (!average) return;
  need(!offset, "average = true needs hypotheses without an offset");
  need(!truncated, "average = true needs every term; set truncation_error = 0");
}

std::size_t TruncationBuffer(Schedule schedule, double eta0, double tau, double c, double slope,
                             std::uint64_t steps, double error) {
  double bound = slope / c;
  std::size_t kept = 0;
  while (kept < steps && bound > error) {
    bound *= 1 - eta0 * ScheduleFactor(schedule, tau, steps - kept) * c;
    ++kept;
  }
  return std::max<std::size_t>(kept, 1);
}

LearnerInfo Describe() {
  return DefineLearner<Protocol::kStream>(
      {.name = "norma",
       .title = "NORMA, the online SVM with a scheduled step size",
       .paper = "norma-2001 sec. 3; svmd-2006 sec. 4",
       .weights = true,
       .labels = kOnlineSvmLabels,
       .update = "f <- (1 - eta_t c) f - eta_t dl/df(x_t) k(x_t, .)",
       .estimator = {.name = "NORMA"}},
      Parameters(),
      [](const Options& options, const Workload& work) {
        options.ValidateBuffer();
        return OnlineSvmCost(WithBuffer(options, work.examples), work);
      },
      []<class T>(const Options& options, const LearnerContext<T>& context) {
        return Make<T>(options, context);
      });
}

}  // namespace okbench::norma
