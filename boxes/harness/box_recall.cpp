// Localisation of objects: recall of the best boxes, the predicted box of every test image, and how branch
// and bound compares with the search of all boxes.

#include <map>

#include "boxes/learners/box_outcome.h"
#include "harness/recording/measure.h"

namespace okbench::measures::box_recall {
namespace {

class BoxRecall final : public Measure {
 public:
  void OnTest(const TestOutcome& outcome, std::uint64_t t, std::uint64_t examples) override {
    const auto* details = dynamic_cast<const BoxTestDetails*>(outcome.details.get());
    if (details == nullptr) return;
    last_ = *details;
    for (const RecallCurve& curve : details->recall)
      for (std::size_t j = 0; j < curve.recall.size(); ++j) {
        recall_.Add("step", t);
        recall_.Add("examples", examples);
        recall_.Add("boxes", curve.boxes);
        recall_.Add("overlap", static_cast<double>(j) / static_cast<double>(curve.recall.size() - 1));
        recall_.Add("recall", curve.recall[j]);
        recall_.EndRow();
      }
  }
  void Write(TableWriter& row, ColumnGroup group) const override {
    if (group != ColumnGroup::kTest) return;
    for (const auto& [boxes, area] : Areas()) row.Add("area_" + std::to_string(boxes), area);
  }
  void AddTables(std::vector<Table>& tables) const override {
    if (recall_.rows() > 0) tables.push_back(recall_.ToTable());
    if (last_.localised.empty()) return;
    TableWriter table("localised");
    for (const LocalisedBox& localisation : last_.localised) {
      table.Add("image", localisation.number);
      AddBox(table, "", localisation.prediction);
      AddBox(table, "true_", localisation.truth);
      table.Add("overlap", Overlap(localisation.prediction, localisation.truth));
      table.EndRow();
    }
    tables.push_back(table.ToTable());
  }
  void Summarize(nlohmann::json& summary, const Progress& /*progress*/,
                 const Learner& learner) const override {
    if (const auto* scores = dynamic_cast<const ScoresBoxes*>(&learner))
      summary["boxes_scored"] = scores->boxes_scored();
    if (const auto& bounds = last_.bounds)
      summary["bounds"] = {
          {"bounded", bounds->bounded}, {"boxes", bounds->boxes}, {"missed", bounds->missed}};
    for (const auto& [boxes, area] : Areas()) summary["recall_area"][std::to_string(boxes)] = area;
  }

 private:
  static void AddBox(TableWriter& table, const std::string& prefix, const Box& box) {
    table.Add(prefix + "left", std::int64_t{box.left});
    table.Add(prefix + "top", std::int64_t{box.top});
    table.Add(prefix + "right", std::int64_t{box.right});
    table.Add(prefix + "bottom", std::int64_t{box.bottom});
  }
  // By number of boxes.
  std::map<std::uint64_t, double> Areas() const {
    std::map<std::uint64_t, double> areas;
    for (const RecallCurve& curve : last_.recall) areas[curve.boxes] = curve.area;
    return areas;
  }

  BoxTestDetails last_;
  TableWriter recall_{"recall"};
};

}  // namespace

MeasureInfo Describe() {
  return {
      .name = "box-recall",
      .title = "share of objects that the best boxes cover",
      .fields = {{"checkpoints", "area_N", "area under recall against overlap, for the best N boxes"},
                 {"recall", "recall", "share of objects that the best boxes cover"},
                 {"localised", "overlap", "overlap of the best box and its object"},
                 {"summary", "boxes_scored", "boxes of training images that some function has scored"},
                 {"summary", "recall_area", "{N: area_N} of the last test"},
                 {"summary", "bounds", "{bounded, boxes, missed} of branch and bound"}},
      .order = 5,
      .applies = [](const MeasureContext& context) { return context.trial.data->outputs.table != nullptr; },
      .make = [](const MeasureContext&) { return std::make_unique<BoxRecall>(); }};
}

}  // namespace okbench::measures::box_recall
