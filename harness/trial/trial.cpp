#include "harness/trial/trial.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.h"
#include "harness/plan/canonical.h"
#include "harness/system/provenance.h"
#include "harness/trial/kernel_share.h"
#include "harness/trial/trial_runner.h"
#include "learners/core/float_mode.h"
#include "learners/kernels/engine.h"

namespace okbench {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// State of one running trial.
template <class T>
class TrialRun {
 public:
  TrialRun(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t lookahead)
      : trial_(trial),
        data_(data),
        chunks_(data.ComesInChunks(trial)),
        train_(chunks_ ? nullptr : Weighted(data.Get<T>(trial.data->train))),
        chunk_(chunks_ ? Chunk(0) : nullptr),
        test_(trial.data->test_part.empty() ? nullptr : data.Get<T>(TestRequest(trial))),
        load_seconds_(SecondsSince(start_)),
        lookahead_(lookahead),
        learning_(trial, chunks_ ? *chunk_ : *train_, test_.get(), stop, lookahead, chunks_, &kernel_share_) {
  }

  Trace Run() {
    if (chunks_) {
      RunChunks();
    } else {
      CheckDistances();
      learning_.SetDelays(data_.Delays(trial_));
      learning_.Run();
    }
    return Finish();
  }

 private:
  // Weights of the losses of these examples, by class.
  std::vector<double> Weights(const Examples<T>& examples) const {
    const std::vector<double>& by_class = trial_.data->stream.class_weights;
    std::vector<double> weights;
    for (const std::int32_t label : examples.labels())
      weights.push_back(by_class[examples.label_kind() == LabelKind::kBinary ? label > 0 : label]);
    return weights;
  }

  std::shared_ptr<const Examples<T>> Weighted(std::shared_ptr<const Examples<T>> examples) const {
    if (trial_.data->stream.class_weights.empty()) return examples;
    return std::make_shared<const Examples<T>>(examples->WithWeights(Weights(*examples)));
  }

  // The chunk of the stream that starts at row `first`; the last chunk may be shorter.
  std::unique_ptr<Examples<T>> Chunk(std::uint64_t first) const {
    const std::uint64_t count = std::min(DataCache::kChunkRows, trial_.examples - first);
    auto chunk = std::make_unique<Examples<T>>(data_.GetChunk<T>(trial_.data->train, first, count));
    if (!trial_.data->stream.class_weights.empty()) *chunk = chunk->WithWeights(Weights(*chunk));
    return chunk;
  }

  // Each chunk replaces the previous one in place. Generating it does not count as learning time.
  void RunChunks() {
    for (std::uint64_t first = 0; first < trial_.examples && !learning_.ended();
         first += DataCache::kChunkRows) {
      if (first > 0) {
        learning_.clock().Pause();
        kernel_share_.Pause();
        const Clock::time_point before = Clock::now();
        *chunk_ = std::move(*Chunk(first));
        load_seconds_ += SecondsSince(before);
        kernel_share_.Resume();
        learning_.clock().Resume();
      }
      CheckDistances();
      learning_.RunChunk(0);
    }
  }

  void CheckDistances() { differences_ = differences_ || NeedsDifferences(trial_.kernel, Progress()); }
  const Examples<T>& Progress() const { return chunks_ ? *chunk_ : *train_; }

  // Test error of always predicting the most frequent class of the training part, the first on ties. Empty
  // without a test part or classes.
  std::optional<double> MajorityTestError() const {
    const bool classes = train_ && (train_->label_kind() == LabelKind::kBinary ||
                                    train_->label_kind() == LabelKind::kMulticlass);
    if (!classes || !test_) return std::nullopt;
    std::map<std::int32_t, std::size_t> counts;
    for (std::size_t i = 0; i < train_->size(); ++i) ++counts[train_->label(i)];
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const std::int32_t majority = std::ranges::max_element(counts, fewer)->first;
    std::size_t others = 0;
    for (std::size_t i = 0; i < test_->size(); ++i) others += test_->label(i) != majority ? 1 : 0;
    return static_cast<double>(others) / static_cast<double>(test_->size());
  }

  Trace Finish() {
    const double wall_seconds = learning_.seconds(), cpu_seconds = learning_.cpu_seconds();
    const std::optional<double> kernel_share = kernel_share_.Finish();
    Trace trace = learning_.Result();
    trace.trial_id = trial_.id;
    trace.spec = TrialIdentity(trial_);
    const Examples<T>& shape = Progress();
    trace.provenance = BuildProvenance();
    trace.provenance["label"] = trial_.label;
    trace.provenance["learner_key"] = trial_.learner_key;
    trace.provenance["grid_point"] = trial_.grid_point;
    trace.provenance["synthetic"] = trial_.synthetic;
    if (!trial_.replacement.empty()) trace.provenance["replacement"] = trial_.replacement;
    if (const LearnerCode& code = trial_.info->code; !code.kind.empty())
      trace.provenance["learner_code"] = {{"kind", code.kind}, {"name", code.name}, {"sha256", code.sha256}};
    trace.provenance["training_examples"] = trial_.training;
    trace.provenance["data_shape"] = {{"train", chunks_ ? trial_.training : train_->size()},
                                      {"test", test_ ? test_->size() : 0},
                                      {"features", shape.features()},
                                      {"classes", shape.classes()}};
    if (const auto error = MajorityTestError()) trace.provenance["majority_test_error"] = *error;
    if (!trial_.train_plan->image.empty()) trace.provenance["data_shape"]["image"] = trial_.train_plan->image;
    if (trial_.train_plan->margin > 0) trace.provenance["data_shape"]["margin"] = trial_.train_plan->margin;
    for (const DataPlan* plan : {&*trial_.train_plan, &*trial_.test_plan})
      for (const auto& [name, digest] : plan->files) trace.provenance["data_files"][name] = digest;
    trace.provenance["kernel"] = trial_.kernel.Describe();
    if (differences_)
      trace.provenance["rbf_distances"] = "from differences where the expansion may be off by 1e-5";
    if (!trial_.changes.empty()) trace.provenance["changes"] = trial_.changes;
    trace.provenance["start_time"] = started_;
    trace.provenance["wall_seconds"] = wall_seconds;
    trace.provenance["cpu_seconds"] = cpu_seconds;
    if (AllocationCounter::kCounts) trace.provenance["learner_peak_bytes"] = learning_.peak_bytes();
    trace.provenance["test_seconds"] = learning_.test_seconds();
    // The kernel engine does not score structured outputs, so their share is unknown.
    const bool shared = kernel_share && trial_.data->outputs.table == nullptr;
    trace.provenance["kernel_share"] = shared ? nlohmann::json(*kernel_share) : nlohmann::json();
    trace.provenance["load_seconds"] = load_seconds_;
    trace.provenance["lookahead"] = lookahead_;
    trace.provenance["counted"] = learning_.counts_training() ? kCountedTraining : kCountedShown;
    return trace;
  }

  const Trial& trial_;
  DataCache& data_;
  const bool chunks_;
  const std::string started_ = UtcNow();
  const Clock::time_point start_ = Clock::now();
  std::shared_ptr<const Examples<T>> train_;
  std::unique_ptr<Examples<T>> chunk_;  // the current chunk; replaces train_ for a stream in chunks
  std::shared_ptr<const Examples<T>> test_;
  double load_seconds_;
  bool differences_ = false;  // whether an RBF value may have been computed from differences
  std::size_t lookahead_;
  KernelShare kernel_share_;
  TrialRunner<T> learning_;
};

}  // namespace

Trace RunTrial(const Trial& trial, DataCache& data, const StopToken& stop, std::size_t lookahead) {
  const auto no_memory = [] { return TrialFailure("memory", "not enough memory for this trial"); };
  try {
    const FloatMode mode;
    Trace trace = trial.double_precision ? TrialRun<double>(trial, data, stop, lookahead).Run()
                                         : TrialRun<float>(trial, data, stop, lookahead).Run();
    return trace;
  } catch (const DataError& error) {
    throw TrialFailure("data", error.what());
  } catch (const InvalidArgument& error) {
    throw TrialFailure("argument", error.what());
  } catch (const LibraryError& error) {
    throw TrialFailure("learner", error.what());
  } catch (const std::bad_alloc&) {
    throw no_memory();
  } catch (const std::length_error&) {  // a container larger than the address space
    throw no_memory();
  }
}

}  // namespace okbench
