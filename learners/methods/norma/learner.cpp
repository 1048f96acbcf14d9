#include "learners/core/error.h"
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
              "eta_0 sqrt(tau/(tau+t)) (eq. 62), eta_0, or eta_0/sqrt(t)")
      .Real(&Options::tau, "tau", "tau", Positive(), "steps", "time constant of sqrt-decay")
      .Real(&Options::eta_margin0, "eta_margin0", "eta_eps,0", Positive(), "",
            "initial step size of the nu-trick; follows the schedule")
      .Real(&Options::truncation_error, "truncation_error", "", NonNegative(), "RKHS norm",
            "0: buffer as given; else the least buffer that loses no more (proposition 1)")
      .Switch(&Options::average, "average",
              "measurements are of the average of the hypotheses (theorem 3 of norma-2001)");
  return table;
}

// With the buffer that the truncation error asks for, where it does.
Options WithBuffer(Options options, std::uint64_t steps) {
  if (options.truncation_error > 0)
    options.buffer = TruncationBuffer(options.schedule, options.eta0, options.tau, options.c,
                                      FindLoss(options.loss).slope, steps, options.truncation_error);
  return options;
}

template <class T>
std::unique_ptr<OnlineSvmLearner> Make(const Options& asked, const LearnerContext<T>& context) {
  if (asked.truncation_error > 0) {
    if (context.kernel.kind != KernelKind::kRbf)
      throw InvalidArgument("truncation_error needs a kernel with k(x, x) = 1: rbf");
    if (context.steps == 0)
      throw InvalidArgument("truncation_error needs the length of the stream (LearnerContext::steps)");
  }
  const Options options = WithBuffer(asked, context.steps);
  const ScheduledStep step(options.schedule, options.eta0, options.tau, options.eta_margin0);
  if (!options.average) return MakeOnlineSvm<T>(options, step, context);
  if (context.open && context.steps == 0)
    throw InvalidArgument("average = true needs the length of the stream, which chunks of it do not tell");
  // A term that left the buffer would leave the average, too.
  if (options.buffer < context.steps)
    throw InvalidArgument("average = true needs a buffer for every term: buffer >= " +
                          std::to_string(context.steps));
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
    need(c > 0, "truncation_error needs c > 0: without regularisation old terms never fade");
    need(!tree_kernel, "truncation_error is for output_kernel = \"identity\"");
    need(eta0 * c <= 1, "truncation_error needs eta0 c <= 1");
    need(std::isfinite(FindLoss(loss).slope), "truncation_error needs a loss with a bounded derivative");
  }
  if (!average) return;
  need(!offset, "average = true is for hypotheses without an offset");
  need(!truncated, "average = true needs every term: truncation_error must be 0");
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
