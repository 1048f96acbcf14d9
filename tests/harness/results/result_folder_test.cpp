// A trial has a result or a failure record, never both.

#include "harness/results/result_folder.h"

#include "harness/results/result_files.h"
#include "harness/system/json_file.h"
#include "harness/system/provenance.h"
#include "harness/trace/trace_file.h"
#include "learners/api/registry.h"
#include "tests/catch.h"
#include "tests/harness/sample_trace.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

// The trial of a trace.
Trial TrialOf(const Trace& trace) {
  Trial trial;
  trial.info = &FindLearner("svmd");
  trial.id = trace.trial_id;
  return trial;
}

TEST_CASE("a result and a failure record replace each other") {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.File("a-r0-1.h5");
  const Trace trace = testing::SampleTrace();
  const Trial trial = TrialOf(trace);
  WriteResult(file, trace);
  CHECK(HasResult(file, trial));
  // A failing rerun removes the old result.
  RecordFailure(file, trial, TrialFailure("diverged", "the loss is not finite"), StampOf(file));
  CHECK(!std::filesystem::exists(file));
  CHECK(!HasResult(file, trial));
  CHECK(FolderListing(folder.path()).names() == std::vector{FailureFile(file).filename().string()});
  CHECK(ReadJson(FailureFile(file)).at("provenance") == BuildProvenance());
  WriteResult(file, trace);
  CHECK(!std::filesystem::exists(FailureFile(file)));
  CHECK(HasResult(file, trial));
  // If both exist because other programs wrote them, the failure counts.
  folder.Write("a-r0-1.failed.json", "{}");
  CHECK(!HasResult(file, trial));
  CHECK(FolderListing(folder.path()).names() == std::vector{FailureFile(file).filename().string()});
  CHECK(TracesBelow(folder.path()).empty());
}

TEST_CASE("a result that cannot be written keeps an earlier one, and other failures do not") {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.File("a-r0-1.h5");
  const Trace trace = testing::SampleTrace();
  const Trial trial = TrialOf(trace);
  WriteResult(file, trace);
  const FileStamp before = StampOf(file);
  CHECK(!RecordFailure(file, trial, TrialFailure("write", "No space left on device"), before));
  CHECK(HasResult(file, trial));
  CHECK(!ReadFailure(file));
  CHECK(RecordFailure(file, trial, TrialFailure("diverged", "diverged at example 3"), before));
  CHECK(!std::filesystem::exists(file));
  CHECK(ReadFailure(file)->kind == "diverged");
}

TEST_CASE("a failure keeps the valid result that another process has written meanwhile") {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.File("a-r0-1.h5");
  const Trace trace = testing::SampleTrace();
  Trial trial = TrialOf(trace);
  const FileStamp before = StampOf(file);
  WriteResult(file, trace);
  CHECK(!RecordFailure(file, trial, TrialFailure("timeout", "stopped after 1 s"), before));
  CHECK(HasResult(file, trial));
  // The result of another trial is not kept.
  trial.id = "0123456789abcdef";
  CHECK(RecordFailure(file, trial, TrialFailure("timeout", "stopped after 1 s"), before));
  CHECK(!std::filesystem::exists(file));
  CHECK(ReadFailure(file)->kind == "timeout");
}

}  // namespace
}  // namespace okbench
