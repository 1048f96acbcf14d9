#include "harness/plan/data_requests.h"

namespace okbench {

DataRequest TestRequest(const Trial& trial) {
  DataRequest request = trial.data->train;
  request.part = trial.data->test_part;
  if (trial.fold()) {
    request.fold->held_out = true;
  } else {
    request.sample.reset();
    request.first = 0;
  }
  return request;
}

std::vector<DataRequest> RequestsOf(const Trial& trial) {
  std::vector<DataRequest> requests = {trial.data->train};
  if (!trial.data->test_part.empty()) requests.push_back(TestRequest(trial));
  return requests;
}

}  // namespace okbench
