#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/sha256.h"
#include "harness/plan/revisions.h"
#include "harness/system/json_file.h"
#include "learners/api/registry.h"
#include "python/native/request.h"
#include "python/native/session.h"
#include "tests/fuzz/harness.h"
#include "tests/helpers.h"

namespace okbench::fuzz {
namespace {

using nlohmann::json;

constexpr std::string_view kMagic = "okbench learner 4\n";
constexpr std::size_t kFeatures = 3;

bool Never() { return false; }

template <class T>
struct LabelledRows {
  Examples<T> rows;
  python::Labels labels;
};

// Random rows for a learner with this request.
template <class T>
LabelledRows<T> SomeRows(const json& request, std::size_t count, std::uint64_t seed) {
  const LabelKind kind = python::KindOf(request);
  const int classes = kind == LabelKind::kReal ? 2 : std::clamp(python::ClassesOf(request), 2, 3);
  LabelledRows<T> some{.rows = testing::RandomDense<T>(count, kFeatures, kind, classes, seed), .labels = {}};
  if (kind == LabelKind::kReal)
    some.labels.targets = some.rows.real_targets().targets;
  else
    some.labels.classes.assign(some.rows.labels().begin(), some.rows.labels().end());
  return some;
}

// Uses a restored learner: scores rows, saves it again, and continues with more rows, twice.
template <class T>
void Use(python::AnySession& any, const json& request) {
  auto& session = dynamic_cast<python::Session<T>&>(any);
  std::vector<double> scores;
  Documented(
      [&] { session.Predict(testing::RandomDense<T>(2, kFeatures, LabelKind::kBinary, 2, 5), scores); });
  Documented([&] { session.Save("again"); });
  for (const std::uint64_t seed : {3, 4})
    Documented([&] {
      const LabelledRows<T> more = SomeRows<T>(request, 4, seed);
      try {
        session.PartialFit(more.rows, more.labels);
      } catch (const TrialFailure&) {  // a forged state may diverge
      }
      session.Predict(more.rows, scores);
    });
}

void ReadSealed(const std::string& header) {
  const std::string content = std::string(kMagic) + header;
  Documented([&] {
    const auto session = python::LoadSession(content + Sha256Hex(content), Never);
    if (session->features() != kFeatures) return;
    const json request = ParseCbor(header).at("request");
    if (session->double_precision())
      Use<double>(*session, request);
    else
      Use<float>(*session, request);
  });
}

// Input: a JSON header on one line, then the learner's state. If the line is not JSON, the input is CBOR.
// Adds the current revisions to the header.
void ReadAnyLearner(std::string_view bytes) {
  const auto [line, state] = FirstLine(bytes);
  json header = ParseJson(line);
  if (header.is_discarded() || !header.is_object()) {
    ReadSealed(std::string(bytes));
    return;
  }
  header["state"] = json::binary({state.begin(), state.end()});
  if (header.contains("request") && !header.contains("revisions")) {
    try {
      header["revisions"] = RevisionsOf(python::TrialOf(header["request"]));
    } catch (const std::exception&) {  // reported by ReadSealed()
      header["revisions"] = nullptr;
    }
  }
  const std::vector<std::uint8_t> cbor = json::to_cbor(header);
  ReadSealed({cbor.begin(), cbor.end()});
}

template <class T>
std::string Saved(const json& request) {
  python::Session<T> session(request, Never);
  const LabelledRows<T> some = SomeRows<T>(request, 6, 3);
  session.Fit(some.rows, some.labels);
  const std::string file = session.Save("{}");
  return file.substr(kMagic.size(), file.size() - kMagic.size() - 64);
}

// Converts a saved file to the input of ReadAnyLearner().
std::string Opened(const std::string& cbor) {
  json header = json::from_cbor(cbor);
  const auto& state = header["state"].get_binary();
  const std::string bytes(state.begin(), state.end());
  for (const char* key : {"state", "revisions", "made_by"}) header.erase(key);
  return header.dump() + "\n" + bytes;
}

// Every learner with a model, saved after six rows.
std::vector<std::string> SavedLearners() {
  std::vector<std::string> files = {std::string(100000, '\x81')};  // nested lists
  for (const LearnerInfo& learner : okbench::Learners())
    for (const LabelKind kind : learner.labels)
      for (const char* kernel : {"rbf", "linear"}) {
        json request = {{"learner", learner.name},
                        {"parameters", json::object()},
                        {"kernel", {{"name", kernel}}},
                        {"labels", LabelKindName(kind)},
                        {"standardize", kind == LabelKind::kReal},
                        {"classes", kind == LabelKind::kMulticlass ? 3
                                    : kind == LabelKind::kBinary   ? 2
                                                                   : 0}};
        if (request["kernel"]["name"] == "rbf") request["kernel"]["gamma"] = 0.5;
        try {
          files.push_back(Opened(Saved<float>(request)));
          if (files.size() % 4 == 0) files.push_back(Saved<double>(request));
        } catch (const InvalidArgument&) {  // needs another kernel, or has no defaults
        } catch (const TrialFailure&) {
        }
      }
  return files;
}

}  // namespace

Harness Learners() {
  return {"learners",
          ReadAnyLearner,
          SavedLearners,
          {"\"learning\":true", "\"learning\":false", "float64", "float32",
           "\"features\":", "\"classes\":", "\"epochs\":", "\"batch\":", "-1", "18446744073709551615"}};
}

}  // namespace okbench::fuzz
