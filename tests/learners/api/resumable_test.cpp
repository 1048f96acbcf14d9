// For every Resumable method, learning in chunks or from saved state gives the same bits as learning at once.
// Models predict the same values as a direct sum over the support vectors.

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "learners/api/registry.h"
#include "learners/core/archive.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Given = std::map<std::string, ParameterValue>;

// Compared between runs: every outcome, and the final state.
struct Course {
  std::vector<double> losses, coefficients, reported;
  std::uint64_t requested = 0;
  std::size_t vectors = 0;
  bool operator==(const Course&) const = default;
};

constexpr std::size_t kBatch = 5;

template <class T>
void Show(Learner& learner, std::size_t first, std::size_t last, Course& course) {
  std::vector<std::uint32_t> rows(last - first);
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
  if (auto* stream = dynamic_cast<StreamLearner*>(&learner)) {
    stream->Announce(rows);
    for (const std::uint32_t i : rows) course.losses.push_back(stream->Step(i).loss);
    return;
  }
  auto& rounds = dynamic_cast<RoundLearner&>(learner);
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatch)
    course.losses.push_back(
        rounds.Round(std::span(rows).subspan(begin, std::min(kBatch, rows.size() - begin))).mean_loss);
}

template <class T>
void Finish(const Learner& learner, Course& course) {
  const auto* gives = dynamic_cast<const GivesModel*>(&learner);
  if (gives == nullptr) return;  // a baseline
  const auto model = std::get<Model<T>>(gives->CurrentModel());
  course.coefficients = model.coefficients;
  course.coefficients.insert(course.coefficients.end(), model.weights.begin(), model.weights.end());
  course.reported.resize(learner.Columns().size());
  learner.Report(course.reported);
  course.requested = learner.counts().requested;
  course.vectors = learner.support_vectors();
}

template <class T>
LearnerContext<T> ContextOf(const Examples<T>& rows, const Kernel& kernel, bool streaming) {
  return {
      .train = &rows, .test = nullptr, .kernel = kernel, .batch = kBatch, .seed = 3, .streaming = streaming};
}

template <class T>
Course AtOnce(const LearnerInfo& info, const ParameterValues& values, const Kernel& kernel,
              const Examples<T>& all) {
  const auto learner = info.Make<T>(values, ContextOf(all, kernel, false));
  Course course;
  Show<T>(*learner, 0, all.size(), course);
  Finish<T>(*learner, course);
  return course;
}

// Learns in chunks. If `kept`, each chunk has a new learner, restored from the state of the previous one.
template <class T>
Course InChunks(const LearnerInfo& info, const ParameterValues& values, const Kernel& kernel,
                const Examples<T>& all, std::size_t chunk, bool kept) {
  auto rows = std::make_unique<Examples<T>>(all.Subset({}));
  auto learner = info.Make<T>(values, ContextOf(*rows, kernel, true));
  Course course;
  for (std::size_t first = 0; first < all.size(); first += chunk) {
    std::vector<std::uint32_t> places(std::min(chunk, all.size() - first));
    std::iota(places.begin(), places.end(), static_cast<std::uint32_t>(first));
    auto* resumable = dynamic_cast<Resumable*>(learner.get());
    const std::size_t needed = resumable->RetainedRows().size();
    *rows = Examples<T>::Join(rows->Subset(resumable->RetainedRows()), all.Subset(places));
    resumable->OnRowsAppended();
    Show<T>(*learner, needed, rows->size(), course);
    if (!kept) continue;
    *rows = rows->Subset(resumable->RetainedRows());
    resumable->OnRowsAppended();
    Archive written;
    resumable->Serialize(written);
    auto next_rows = std::make_unique<Examples<T>>(*rows);
    auto next = info.Make<T>(values, ContextOf(*next_rows, kernel, true));
    Archive read(written.bytes());
    dynamic_cast<Resumable&>(*next).Serialize(read);
    read.Finish();
    Archive again;
    dynamic_cast<Resumable&>(*next).Serialize(again);
    REQUIRE(again.bytes() == written.bytes());
    learner = std::move(next);
    rows = std::move(next_rows);
  }
  Finish<T>(*learner, course);
  return course;
}

template <class T>
void RequireSame(const std::string& name, const Given& given, const Examples<T>& all) {
  const LearnerInfo& info = FindLearner(name);
  const auto values = ParameterValues::Resolve(info.parameters, given);
  const Kernel kernel = info.linear ? Kernel::Linear() : Kernel::RbfFromGamma(0.2);
  const Course once = AtOnce(info, values, kernel, all);
  for (const std::size_t chunk : {kBatch, 7 * kBatch, all.size()})
    for (const bool kept : {false, true}) {
      INFO(name << ", chunks of " << chunk << (kept ? ", kept" : ""));
      const Course parts = InChunks(info, values, kernel, all, chunk, kept);
      REQUIRE(parts.losses == once.losses);
      CHECK(parts.coefficients == once.coefficients);
      CHECK(parts.reported == once.reported);
      CHECK(parts.requested == once.requested);
      CHECK(parts.vectors == once.vectors);
    }
}

Given Small() { return {{"buffer", std::int64_t{13}}, {"c", 0.01}}; }

Given With(Given given, Given more) {
  given.merge(more);
  return given;
}

const std::vector<std::string>& Filters() {
  static const std::vector<std::string> names = {"qklms",   "knlms",  "kap",  "sw-krls",
                                                 "fb-krls", "krls-t", "pkawv"};
  return names;
}

TEST_CASE("every resumable method learns the same in chunks and from saved state", "[api]") {
  const std::vector<std::pair<std::string, Given>> methods = {
      {"norma", Small()},
      {"norma", With(Small(), {{"offset", true}, {"nu", 0.2}, {"dropped_terms", std::string("subtracted")}})},
      {"svmd", Small()},
      {"svmd", With(Small(), {{"offset", true}, {"nu", 0.2}, {"dropped_terms", std::string("subtracted")}})},
      {"svmd", With(Small(), {{"trace_decay", 0.0}, {"loss", std::string("logistic")}})},
      {"perceptron", {}},
      {"perceptron", {{"beta", 0.1}, {"cache", std::string("fixed")}, {"budget", std::int64_t{9}}}},
      {"perceptron", {{"beta", 0.1}, {"cache", std::string("adaptive")}}},
      {"pegasos", {}},
      {"pegasos", {{"average", std::string("polynomial-decay")}}},
      {"sfd", {}},
      {"passive-aggressive", {{"C", 0.3}}},
      {"linear-passive-aggressive", {{"C", 0.3}}},
      {"ogd", {}},
      {"rbp", {{"budget", std::int64_t{9}}}},
      {"forgetron", {{"budget", std::int64_t{9}}}},
      {"bpas", {{"budget", std::int64_t{9}}}},
      {"kt", {}},
      {"nogd", {{"budget", std::int64_t{9}}, {"rank", 0.4}}},
      {"nogd", {{"budget", std::int64_t{9}}, {"start", std::string("zero")}}},
      {"fogd", {{"features", std::int64_t{21}}}},
      {"fogd", {{"features", std::int64_t{21}}, {"average", true}}},
      {"raker", {{"features", std::int64_t{21}}}},
      {"aioli", {{"budget", std::int64_t{9}}}},
      {"pros-n-kons", {{"ridge", 4.0}}},
      {"projectron", {}},
      {"projectron", {{"eta", 0.3}, {"compare", std::string("squared")}, {"budget", std::int64_t{15}}}},
      {"bsgd", {}},
      {"bsgd", {{"maintenance", std::string("merging")}, {"budget", std::int64_t{12}}}},
      {"bsgd",
       {{"maintenance", std::string("merging")},
        {"budget", std::int64_t{12}},
        {"merge_points", std::int64_t{4}}}},
      {"bsgd", {{"maintenance", std::string("projection")}, {"budget", std::int64_t{12}}}},
      {"bsgd", {{"maintenance", std::string("removal")}, {"budget", std::int64_t{12}}}},
      {"majority", {}},
      {"last-label", {}},
      {"knn", {{"k", std::int64_t{3}}, {"window", std::int64_t{20}}}},
      {"linear", {{"average", true}}},
      {"linear", {{"average", true}, {"decay", 3.0}}},
      {"linear", {{"projection", true}, {"lambda", 1.0}}}};
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const auto& [name, given] : methods) {
      RequireSame(name, given, testing::RandomDense<float>(83, 6, LabelKind::kBinary, 2, seed));
      RequireSame(name, given, testing::RandomDense<double>(83, 6, LabelKind::kBinary, 2, seed));
      const auto [dense, sparse] = testing::DenseAndSparse<float>(83, 40, 0.2, seed == 2, seed);
      RequireSame(name, given, sparse);
    }
  // Every resumable method of the registry is tested above or below.
  for (const LearnerInfo& info : Learners()) {
    const auto& filters = Filters();
    const bool known = std::find(filters.begin(), filters.end(), info.name) != filters.end() ||
                       info.name == "mira" || info.name == "krls" || info.name == "running-mean" ||
                       info.name == "last-value" ||
                       std::any_of(methods.begin(), methods.end(),
                                   [&](const auto& method) { return method.first == info.name; });
    CHECK(info.resumable == known);
  }
}

TEST_CASE("kernel adaptive filters learn the same in chunks and from saved state", "[api]") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const std::string& name : Filters()) {
      RequireSame(name, {{"budget", std::int64_t{9}}},
                  testing::RandomDense<double>(83, 3, LabelKind::kReal, 2, seed));
      RequireSame(name, {{"budget", std::int64_t{20}}},
                  testing::RandomDense<float>(83, 3, LabelKind::kReal, 2, seed));
    }
}

TEST_CASE("baselines of real targets learn the same in chunks and from saved state", "[api]") {
  for (const char* name : {"running-mean", "last-value", "knn"})
    RequireSame(name, {}, testing::RandomDense<float>(83, 6, LabelKind::kReal, 2, 1));
}

TEST_CASE("multiclass methods and wide sparse rows learn the same in chunks and from saved state", "[api]") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto ten = testing::RandomDense<float>(83, 6, LabelKind::kMulticlass, 10, seed);
    const auto many = testing::RandomDense<float>(120, 6, LabelKind::kMulticlass, 40, seed);
    const Given loss = {{"loss", std::string("multiclass-hinge")}};
    RequireSame("svmd", With(Small(), loss), ten);
    RequireSame("svmd", With(Small(), loss), many);  // an expansion of pairs
    RequireSame("norma", With(Small(), {{"loss", std::string("multiclass-logistic")}}), ten);
    RequireSame("mira", {}, ten);
    for (const char* name : {"passive-aggressive", "linear-passive-aggressive", "ogd", "kt"})
      RequireSame(name, {}, ten);
    for (const char* name : {"rbp", "forgetron", "bpas"})
      RequireSame(name, {{"budget", std::int64_t{7}}}, ten);
    RequireSame("nogd", {{"budget", std::int64_t{9}}, {"rank", 0.4}}, ten);
    for (const char* name : {"bpas", "nogd"})
      RequireSame(name, {{"budget", std::int64_t{9}}, {"multiclass", std::string("joint")}}, ten);
    for (const char* name : {"fogd", "raker"}) RequireSame(name, {{"features", std::int64_t{21}}}, ten);
    for (const char* name : {"aioli", "pros-n-kons"}) RequireSame(name, {{"budget", std::int64_t{9}}}, ten);
    RequireSame("fogd", {{"features", std::int64_t{21}}, {"average", true}}, ten);
    RequireSame("fogd", {{"features", std::int64_t{21}}, {"eta", 0.1}},
                testing::RandomDense<double>(83, 6, LabelKind::kReal, 2, seed));
    for (const char* row : {"recompute", "cached"})
      RequireSame(
          "mira",
          {{"cache", std::string("fixed")}, {"budget", std::int64_t{9}}, {"removal_rows", std::string(row)}},
          ten);
    RequireSame("svmd", With(Small(), {{"loss", std::string("huber")}}),
                testing::RandomDense<double>(83, 6, LabelKind::kReal, 2, seed));
    const auto [dense, wide] = testing::DenseAndSparse<float>(60, 5000, 0.01, false, seed);
    RequireSame("norma", Small(), wide);
    RequireSame("knn", {{"window", std::int64_t{20}}}, wide);
    RequireSame("perceptron", {{"beta", 0.1}, {"cache", std::string("fixed")}, {"budget", std::int64_t{9}}},
                wide);
    RequireSame("pegasos", {}, wide);
    RequireSame("forgetron", {{"budget", std::int64_t{7}}}, wide);
    RequireSame("projectron", {{"budget", std::int64_t{9}}}, ten);
    for (const char* maintenance : {"merging", "projection", "removal"})
      for (const auto& rows : {ten, wide})
        RequireSame("bsgd", {{"maintenance", std::string(maintenance)}, {"budget", std::int64_t{9}}}, rows);
    RequireSame("krls", {{"nu", 0.2}}, testing::RandomDense<double>(83, 3, LabelKind::kReal, 2, seed));
    RequireSame("krls", {{"budget", std::int64_t{9}}},
                testing::RandomDense<float>(83, 3, LabelKind::kReal, 2, seed));
  }
}

TEST_CASE("a model scores rows as a direct sum over its support vectors does", "[api]") {
  const auto train = testing::RandomDense<double>(60, 5, LabelKind::kMulticlass, 3, 1);
  const auto rows = testing::RandomDense<double>(700, 5, LabelKind::kMulticlass, 3, 2);
  const LearnerInfo& info = FindLearner("mira");
  const Kernel kernel = Kernel::Polynomial(2, 0.5, 1);
  const auto learner =
      info.Make<double>(ParameterValues::Resolve(info.parameters, {}), ContextOf(train, kernel, false));
  Course course;
  Show<double>(*learner, 0, train.size(), course);
  auto model = std::get<Model<double>>(dynamic_cast<const GivesModel&>(*learner).CurrentModel());
  model.offsets = {0.5, 0, -1};
  Predictor<double> predictor(model);
  std::vector<double> scores(rows.size() * 3);
  predictor.Predict(rows, scores);
  const std::size_t vectors = predictor.support_vectors();
  REQUIRE(vectors > 3);
  CHECK(predictor.counts().evaluation == rows.size() * vectors);
  CHECK(predictor.counts().requested == 0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t r = 0; r < 3; ++r) {
      double sum = model.offsets[r];
      for (std::size_t s = 0; s < vectors; ++s)
        sum += model.coefficients[r * vectors + s] *
               testing::PlainKernel<double>(kernel, *model.vectors, s, rows, i);
      CHECK(scores[i * 3 + r] == Approx(sum).epsilon(1e-10).margin(1e-10));
    }
  const auto narrow = testing::RandomDense<double>(2, 4, LabelKind::kMulticlass, 3, 2);
  CHECK_THROWS_WITH(predictor.Predict(narrow, scores), "the rows have 4 features, but the model has 5");
}

TEST_CASE("methods that need the whole training set reject partial learning", "[api]") {
  const auto rows = testing::RandomDense<float>(20, 3, LabelKind::kBinary, 2, 1);
  const auto refused = [&](const char* name, const Given& given) {
    const LearnerInfo& info = FindLearner(name);
    const auto values = ParameterValues::Resolve(info.parameters, given);
    CHECK_THROWS_AS(info.Make<float>(values, ContextOf(rows, Kernel::RbfFromGamma(1), true)),
                    InvalidArgument);
  };
  refused("sfd", {{"schedule", std::string("sfd2")}});
  refused("sfd", {{"draw", std::string("importance")}});
  refused("norma", {{"average", true}});
  refused("norma", {{"truncation_error", 0.1}, {"c", 0.1}});
}

TEST_CASE("a state that is truncated, modified, or from another learner is rejected", "[api]") {
  const auto rows = testing::RandomDense<float>(30, 3, LabelKind::kBinary, 2, 1);
  const auto make = [&](const char* name) {
    const LearnerInfo& info = FindLearner(name);
    return info.Make<float>(ParameterValues::Resolve(info.parameters, {}),
                            ContextOf(rows, Kernel::RbfFromGamma(1), true));
  };
  const auto learner = make("svmd");
  Course course;
  Show<float>(*learner, 0, rows.size(), course);
  Archive written;
  dynamic_cast<Resumable&>(*learner).Serialize(written);
  const auto read = [&](const char* name, const std::string& bytes) {
    Archive archive(bytes);
    const auto next = make(name);
    dynamic_cast<Resumable&>(*next).Serialize(archive);
    archive.Finish();
  };
  CHECK_NOTHROW(read("svmd", written.bytes()));
  CHECK_THROWS_AS(read("norma", written.bytes()), InvalidArgument);
  CHECK_THROWS_AS(read("svmd", written.bytes() + "x"), InvalidArgument);
  for (std::size_t length = 0; length < written.bytes().size(); length += 97)
    CHECK_THROWS_AS(read("svmd", written.bytes().substr(0, length)), InvalidArgument);
}

TEST_CASE("a saved inverse of another support set is rejected", "[api]") {
  for (const std::string name : {"krls", "projectron", "bsgd"}) {
    CAPTURE(name);
    const LearnerInfo& info = FindLearner(name);
    const auto rows =
        testing::RandomDense<double>(30, 3, name == "krls" ? LabelKind::kReal : LabelKind::kBinary, 2, 1);
    const auto make = [&] {
      return info.Make<double>(ParameterValues::Resolve(info.parameters, {}),
                               ContextOf(rows, Kernel::RbfFromGamma(1), true));
    };
    // State after `count` rows.
    const auto after = [&](std::size_t count) {
      const auto learner = make();
      Course course;
      Show<double>(*learner, 0, count, course);
      REQUIRE(learner->support_vectors() > count / 4);
      Archive archive;
      dynamic_cast<Resumable&>(*learner).Serialize(archive);
      return archive.bytes();
    };
    const auto read = [&](const std::string& bytes) {
      Archive archive(bytes);
      dynamic_cast<Resumable&>(*make()).Serialize(archive);
      archive.Finish();
    };
    // Offset of the matrix: the length of its header, and the header.
    const auto matrix = [](const std::string& bytes) {
      return bytes.find("diagonal:f8") - sizeof(std::uint64_t);
    };
    const std::string few = after(3), many = after(30);
    CHECK_NOTHROW(read(few));
    CHECK_NOTHROW(read(many));
    for (const auto& [set, inverse] : {std::pair(few, many), std::pair(many, few)})
      CHECK_THROWS_AS(read(set.substr(0, matrix(set)) + inverse.substr(matrix(inverse))), InvalidArgument);
  }
}

}  // namespace
}  // namespace okbench
