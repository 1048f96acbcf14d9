#include "harness/plan/data_requests.h"

#include <fmt/core.h>

namespace okbench {

DataRequest TestRequest(const Trial& trial) {
  DataRequest request = trial.data.train;
  request.part = trial.data.test_part;
  if (trial.fold())
    request.held_out = true;
  else
    request.first = 0;
  return request;
}

std::vector<DataRequest> RequestsOf(const Trial& trial) {
  std::vector<DataRequest> requests = {trial.data.train};
  if (!trial.data.test_part.empty()) requests.push_back(TestRequest(trial));
  return requests;
}

DataRequest Whole(DataRequest request) {
  request.first = 0;
  request.folds = request.fold = 0;
  request.held_out = false;
  return request;
}

std::string Key(const DataRequest& r) {
  std::string key = r.name + "|" + r.part + "|" + (r.unit_norm ? "u" : "") + (r.force_stand_in ? "s" : "") +
                    "|" + std::to_string(r.rows) + "|";
  if (r.rescale) key += fmt::format("{}:{}", r.scale_low, r.scale_high);  // exact, shortest texts
  for (const int c : r.positive) key += "," + std::to_string(c);
  if (r.first > 0) key += fmt::format("|first {}", r.first);
  if (r.folds > 0) key += fmt::format("|fold {} of {}{}", r.fold, r.folds, r.held_out ? " held out" : "");
  return key;
}

}  // namespace okbench
