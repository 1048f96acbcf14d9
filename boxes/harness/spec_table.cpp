// The spec table [data.boxes]: the boxes of an image that are outputs.

#include <string>
#include <utility>

#include "boxes/images/descriptors.h"
#include "boxes/learners/box_engine.h"
#include "boxes/learners/box_space.h"
#include "harness/spec/key_builders.h"
#include "harness/spec/output_table.h"

namespace okbench {

namespace {

using Normalisation = BoxSettings::Normalisation;

constexpr std::pair<const char*, Normalisation> kNormalisations[] = {
    {"l2", Normalisation::kL2}, {"l1", Normalisation::kL1}, {"none", Normalisation::kNone}};

const BoxOptions& Boxes(const OutputOptions& options) { return dynamic_cast<const BoxOptions&>(options); }

std::shared_ptr<const OutputOptions> Read(TomlReader& table) {
  auto options = std::make_shared<BoxOptions>();
  if (table.Choice("candidates") == "sizes") options->candidates = BoxOptions::Candidates::kSizes;
  options->stride = static_cast<int>(table.Integer("stride"));
  options->sizes = static_cast<int>(table.Integer("sizes"));
  options->levels = static_cast<int>(table.Integer("levels"));
  const std::string normalisation = table.Choice("normalisation");
  for (const auto& [name, value] : kNormalisations)
    if (name == normalisation) options->normalisation = value;
  options->recall = table.Switch("recall");
  if (!options->recall && table.Has("suppression")) table.Fail("suppression", "needs recall = true");
  options->suppression = table.Real("suppression");
  options->bounds = table.Switch("bounds");
  return options;
}

nlohmann::json ToJson(const OutputOptions& options) {
  // Binds all members: a new member does not compile until it is listed here.
  const BoxSettings& settings = Boxes(options);
  const auto& [candidates, stride, sizes, levels, normalisation, recall, suppression, bounds] = settings;
  nlohmann::json json = {{"candidates", candidates == BoxOptions::Candidates::kSizes ? "sizes" : "grid"},
                         {"stride", stride},
                         {"sizes", sizes},
                         {"levels", levels},
                         {"recall", recall},
                         {"bounds", bounds}};
  // Keys that are newer than stored results: the id of a trial with the default does not change.
  const BoxSettings defaults;
  if (normalisation != defaults.normalisation)
    for (const auto& [name, value] : kNormalisations)
      if (value == normalisation) json["normalisation"] = name;
  if (suppression != defaults.suppression) json["suppression"] = suppression;
  return json;
}

std::uint64_t Candidates(const OutputOptions& options) { return EstimatedBoxes(Boxes(options)); }

std::uint64_t CandidateBytes(std::uint64_t candidates, const Kernel& kernel) {
  return EstimatedBoxBytes(candidates, kernel.kind == KernelKind::kHistogramIntersection);
}

}  // namespace

OutputTable BoxesTable() {
  using namespace keys;  // NOLINT(google-build-using-namespace): builders of this table
  const BoxOptions defaults;
  return {.name = "boxes",
          .description = "boxes of an image that are outputs; required for image data sets",
          .keys = {"data.boxes",
                   "",
                   {Choice("candidates", {"grid", "sizes"},
                           "grid: all boxes between grid lines; sizes: a few sizes at grid points"),
                    Integer("stride", defaults.stride, "pixels between grid lines or points").From(1, 1000),
                    Integer("sizes", defaults.sizes,
                            "number of box sizes, clustered from training boxes, for candidates = \"sizes\"")
                        .From(1, 100),
                    Integer("levels", defaults.levels, "levels of the spatial pyramid: 1, 5 or 21 cells")
                        .From(1, 3),
                    Choice("normalisation", {"l2", "l1", "none"},
                           "of histograms h, for the linear kernel; l1: 8 h / (sum of h), none: h / 256"),
                    Switch("recall", defaults.recall,
                           "measure how many objects the best 1, 10, 100 and 500 boxes cover"),
                    Real("suppression", "recall: a box that overlaps a better one by this share is left out")
                        .Default(defaults.suppression)
                        .From(0, 1)
                        .Above(0),
                    Switch("bounds", defaults.bounds, "also test branch and bound on the grid")}},
          .revisions = {{"boxes", kBoxesRevision}, {"words", kWordsRevision}},
          .read = Read,
          .to_json = ToJson,
          .candidates = Candidates,
          .candidate_bytes = CandidateBytes,
          .candidate_seconds = 20e-9};
}

}  // namespace okbench
