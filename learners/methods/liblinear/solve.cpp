#include "learners/methods/liblinear/solve.h"

#include <dlfcn.h>
#include <linear.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "learners/core/stop.h"

namespace okbench::liblinear {
namespace {

// The functions of LIBLINEAR used here, with the signatures of linear.h.
struct Library {
  model* (*train)(const problem*, const parameter*);
  void (*free_and_destroy_model)(model**);
  void (*set_print_string_function)(void (*)(const char*));
};

std::string LinkerError() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

template <class F>
void Resolve(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (function == nullptr) throw LibraryError("cannot find a function of LIBLINEAR: " + LinkerError());
}

Library Open() {
  void* const library = dlopen(OKBENCH_LIBLINEAR, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw LibraryError("cannot load LIBLINEAR: " + LinkerError());
  Library result{};
  Resolve(library, "train", result.train);
  Resolve(library, "free_and_destroy_model", result.free_and_destroy_model);
  Resolve(library, "set_print_string_function", result.set_print_string_function);
  return result;
}

// Loads the library on the first call; it stays loaded.
const Library& Load() {
  static const Library library = Open();
  return library;
}

// LIBLINEAR prints after every ten passes. It reports an early stop only in its printed output. An exception
// leaves its memory allocated.
bool warned = false;
void Listen(const char* text) {
  warned = warned || std::strstr(text, "WARNING") != nullptr;
  CheckStop();
}

// Rows in LIBLINEAR's format: indices start at 1, and index -1 ends each row.
std::vector<feature_node> NodesOf(const Problem& problem) {
  std::vector<feature_node> nodes;
  nodes.reserve(problem.values.size() + problem.ends.size());
  std::size_t entry = 0;
  for (const std::uint64_t end : problem.ends) {
    for (; entry < end; ++entry)
      nodes.push_back({.index = problem.indices[entry] + 1, .value = problem.values[entry]});
    nodes.push_back({.index = -1, .value = 0});
  }
  return nodes;
}

Solution Train(const Library& library, Problem& given) {
  std::vector<feature_node> nodes = NodesOf(given);
  std::vector<feature_node*> rows;
  rows.reserve(given.ends.size());
  for (std::size_t i = 0; i < given.ends.size(); ++i)
    rows.push_back(nodes.data() + i + (i == 0 ? 0 : given.ends[i - 1]));

  problem prob{};
  prob.l = static_cast<int>(given.labels.size());
  prob.n = static_cast<int>(given.features);
  prob.y = given.labels.data();
  prob.x = rows.data();
  prob.bias = -1;
  parameter param{};
  param.solver_type = L2R_L1LOSS_SVC_DUAL;
  param.eps = given.tolerance;
  param.C = given.cost;

  warned = false;
  library.set_print_string_function(Listen);
  std::srand(1);  // LIBLINEAR draws from the C library's global sequence
  const auto drop = [&](model* m) { library.free_and_destroy_model(&m); };
  const Stopwatch watch;
  const std::unique_ptr<model, decltype(drop)> solved(library.train(&prob, &param), drop);
  Solution solution{
      .weights = {solved->w, solved->w + given.features}, .converged = !warned, .seconds = watch.Seconds()};
  // Positive scores predict label[0], the label that occurs first in the data.
  if (solved->label[0] <= 0)
    for (double& weight : solution.weights) weight = -weight;
  return solution;
}

}  // namespace

void Prepare() { Load(); }

Solution Solve(Problem& problem) {
  static std::mutex turn;
  const std::lock_guard lock(turn);
  return Train(Load(), problem);
}

}  // namespace okbench::liblinear
