#include "harness/cli/topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/cli/list.h"
#include "harness/cli/printing.h"
#include "harness/plan/plan.h"
#include "learners/api/registry.h"

namespace okbench {
namespace {

using nlohmann::json;

// Kinds of topics besides papers, experiments and learners, in the order in which they are described.
constexpr const char* kKinds[] = {"losses", "kernels", "measures", "keys", "datasets"};

// Lower case, without hyphens, underscores and blanks.
std::string Folded(const std::string& word) {
  std::string folded;
  for (const char c : word)
    if (c != '-' && c != '_' && c != ' ')
      folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return folded;
}

std::string PaperOf(const std::string& experiment) { return experiment.substr(0, experiment.find('/')); }

// Whether claims are beside the spec of an experiment.
bool HasClaims(const json& row) {
  return std::filesystem::exists(
      std::filesystem::path(row["spec"].get<std::string>()).replace_filename("claims.toml"));
}

void DescribeExperiment(const json& row) {
  const std::string name = row["experiment"], spec = row["spec"];
  fmt::print("{}: {}\n  okbench run {}\n  okbench plot {} --best\n", name, row["title"].get<std::string>(),
             spec, spec);
  if (HasClaims(row)) fmt::print("  okbench claims {}\n", PaperOf(name));
}

bool DescribeExperiments(const std::string& name) {
  json of_paper = json::array();
  for (const json& row : RowsOf("experiments")) {
    if (row["experiment"] == name) {
      DescribeExperiment(row);
      return true;
    }
    if (PaperOf(row["experiment"]) == name) of_paper.push_back(row);
  }
  if (of_paper.empty()) return false;
  PrintRows(of_paper, {"experiment", "title"});
  fmt::print("\nokbench help {} describes one experiment.\n", of_paper[0]["experiment"].get<std::string>());
  if (HasClaims(of_paper[0])) fmt::print("okbench claims {} judges the claims.\n", name);
  return true;
}

// The words of a title, such as "PA-I" in "Kernel passive-aggressive (PA-I)".
std::vector<std::string> Words(const std::string& title) {
  std::vector<std::string> words(1);
  for (const char c : title)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+')
      words.back() += c;
    else
      words.emplace_back();
  return words;
}

// "pa" of "passive-aggressive".
std::string Initials(const std::string& name) {
  std::string initials;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (i == 0 || name[i - 1] == '-') initials += name[i];
  return initials.size() > 1 ? initials : "";
}

// Prints the parameter of this name of every learner that has it.
bool DescribeParameter(const std::string& name) {
  json rows = json::array();
  for (const LearnerInfo& info : Learners())
    for (const Parameter& parameter : info.parameters)
      if (parameter.name == name || (name.size() > 1 && Folded(parameter.name) == Folded(name)))
        rows.push_back({{"parameter", parameter.name},
                        {"of", info.name},
                        {"default", ToText(parameter.default_value)},
                        {"allowed", parameter.Allowed()},
                        {"meaning", parameter.description}});
  if (!rows.empty()) PrintRows(rows, {"parameter", "of", "default", "allowed", "meaning"});
  return !rows.empty();
}

}  // namespace

std::vector<std::string> LearnersNamed(const std::string& name) {
  const std::string plain = Folded(name);
  std::vector<std::string> exact, others;
  for (const LearnerInfo& info : Learners()) {
    if (Folded(info.name) == plain || Folded(info.estimator.name) == plain) exact.push_back(info.name);
    bool fits = Initials(info.name) == plain;
    for (const std::string& word : Words(info.title)) {
      const bool abbreviation =
          std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c); });
      fits = fits || (word.size() > 1 && abbreviation && Folded(word) == plain);
    }
    if (fits) others.push_back(info.name);
  }
  return exact.empty() ? others : exact;
}

std::vector<std::string> NamedTopics() {
  std::vector<std::string> names;
  for (const json& row : RowsOf("experiments")) {
    names.push_back(row["experiment"]);
    names.push_back(PaperOf(names.back()));
  }
  for (const LearnerInfo& info : Learners()) {
    names.push_back(info.name);
    for (const Parameter& parameter : info.parameters) names.push_back(parameter.name);
  }
  for (const char* kind : kKinds)
    for (const json& row : RowsOf(kind)) names.push_back(row[NameKey(kind)]);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool DescribeTopic(const std::string& name) {
  bool described = DescribeExperiments(name);
  const auto separate = [&] {
    if (described) fmt::print("\n");
    described = true;
  };
  for (const std::string& learner : LearnersNamed(name)) {
    separate();
    PrintText("learners", learner, {});
  }
  for (const std::string kind : kKinds) {
    json rows = json::array();
    for (const json& row : RowsOf(kind)) {
      const std::string known = row[NameKey(kind)];
      const bool last = kind == "keys" && known.substr(known.rfind('.') + 1) == name;
      if (last || Folded(known) == Folded(name)) rows.push_back(row);
    }
    if (rows.empty()) continue;
    separate();
    PrintText(kind, name, rows);
  }
  if (described) return DescribeParameter(name), true;
  return DescribeParameter(name);
}

}  // namespace okbench
