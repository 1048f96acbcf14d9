// Data sets of documents and hierarchical data sets: catalog entries, alternative files, and synthetic
// fallbacks.

#include <cmath>
#include <cstdlib>
#include <map>

#include "base/error.h"
#include "base/sha256.h"
#include "datasets/rows/load.h"
#include "harness/spec/catalogs.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;
using testing::kNoFolder;
using testing::Known;

// The text with one part replaced.
std::string With(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), now);
}

const char* const kDocuments = R"([toy]
title = "t"
format = "documents"
labels = ["a.x", "a.y"]
tree = { separator = "." }
kind = "multiclass"
terms = "none"
synthetic = { generator = "topics", words = 500, length = 30 }
[toy.train]
rows = 2
folder = "tr"
files = [{ name = "toy/a.tar.gz", urls = [], file_sha256 = "FILE", alternatives = [
  { name = "toy/a.tar.bz2", sha256 = "CONTENT" }
] }]
[toy.test]
rows = 2
folder = "te"
files = [{ name = "toy/a.tar.gz", urls = [], file_sha256 = "FILE", alternatives = [
  { name = "toy/a.tar.bz2", sha256 = "CONTENT" }
] }]
)";

void ReadCatalog(const std::string& text) {
  const testing::TemporaryFolder folder;
  Catalog catalog;
  catalog.Read(folder.Write("c.toml", text));
}

TEST_CASE("catalog documents: missing and unknown keys are rejected by name") {
  const auto refuse = [](const std::string& old, const std::string& now, const std::string& message) {
    CHECK_THROWS_WITH(ReadCatalog(With(kDocuments, old, now)), Contains("c.toml:") && Contains(message));
  };
  CHECK_NOTHROW(ReadCatalog(kDocuments));
  refuse("format =", "features = 7\nformat =", "toy.features: must be omitted");
  refuse("format =", "range = [0.0, 1.0]\nformat =", "toy.range: must be omitted");
  refuse("generator = \"topics\", words = 500, length = 30", "generator = \"clusters\"",
         "toy.synthetic: must use the generator topics");
  refuse("words = 500, ", "", "toy.synthetic.words: is missing");
  refuse("folder = \"tr\"", "", "toy.train.folder: is missing");
  refuse("folder = \"tr\"", "folder = \"../tr\"", "toy.train.folder: must be a relative path");
  refuse("folder = \"tr\"", "folder = \"tr\"\nskip = 1", "toy.train.skip: is not allowed for documents");
  refuse("a.tar.gz", "b.tar.gz", "toy.test: must be a folder of the same archive as train");
  refuse("kind = \"multiclass\"", "kind = \"real\"", "must not be real: format documents has labels");
  refuse("file_sha256 = \"FILE\"", "sha256 = \"\", file_sha256 = \"FILE\"", "cannot be combined");
  refuse("file_sha256 = \"FILE\", ", "", "toy.train.files.sha256: is missing");
  refuse("alternatives = [\n  {", "alternatives = [{ alternatives = [{ name = \"c\", sha256 = \"\" }],",
         "toy.train.files.alternatives: must not be nested");
  refuse("{ name = \"toy/a.tar.bz2\"", "{ name = \"../a\"",
         "toy.train.files.alternatives.name: must be a relative path");
}

TEST_CASE("catalog trees: either separator or edges, and only for multiclass sets") {
  const auto refuse = [](const std::string& tree, const std::string& message) {
    CHECK_THROWS_WITH(ReadCatalog(With(kDocuments, "{ separator = \".\" }", tree)), Contains(message));
  };
  refuse("{}", "toy.tree: must have either separator");
  refuse("{ separator = \".\", edges = [[\"r\", \"a\"]] }", "toy.tree: must have either separator");
  refuse("{ separator = \"::\" }", "toy.tree.separator: must be a single character");
  for (const char* edges : {"[]", "3", "[\"r\", \"a\"]", "[[\"r\"]]", "[[\"r\", 3]]"})
    refuse(std::string("{ edges = ") + edges + " }", "toy.tree.edges: must be a list of pairs");
  refuse("\".\"", "toy.tree: must be a table");
  CHECK_THROWS_WITH(ReadCatalog(With(kDocuments, "multiclass", "binary")),
                    Contains("toy.tree: is allowed only for multiclass sets"));
  const testing::TemporaryFolder folder;
  Catalog catalog;
  catalog.Read(folder.Write("c.toml", With(kDocuments, "{ separator = \".\" }",
                                           "{ edges = [[\"r\", \"a.x\"], [\"r\", \"a.y\"]] }")));
  const ClassTree& tree = *catalog.Find("toy").tree;
  CHECK(tree.edges == std::vector<std::pair<std::string, std::string>>{{"r", "a.x"}, {"r", "a.y"}});
  CHECK(PathTo(tree, "a.x") == std::vector<std::string>{"a.x"});
  CHECK_THROWS_WITH(
      ReadCatalog(With(kDocuments, "documents\"", "libsvm\"\nfeatures = 2\nrange = [0.0, 1.0]")),
      Contains("toy.train.folder: is allowed only for documents"));
}

TEST_CASE("path from the root to a class") {
  using Path = std::vector<std::string>;
  CHECK(PathTo({.separator = '.', .edges = {}}, "a.b.c") == Path{"a", "a.b", "a.b.c"});
  CHECK(PathTo({.separator = '/', .edges = {}}, "a.b") == Path{"a.b"});
  const ClassTree edges{.separator = '\0', .edges = {{"r", "g"}, {"g", "x"}, {"r", "y"}}};
  CHECK(PathTo(edges, "x") == Path{"g", "x"});
  CHECK(PathTo(edges, "y") == Path{"y"});
  CHECK(PathTo(edges, "z").empty());
  CHECK(PathTo({.separator = '\0', .edges = {{"a", "b"}, {"b", "a"}}}, "a").size() == 3);  // a cycle ends
}

// Two archives of the same documents except for one word. Either one satisfies the catalog.
struct ArchiveOnDisk {
  testing::TemporaryFolder folder;
  Catalog catalog;
  DataFolders folders{folder.File("cache"), folder.File("mirror")};

  ArchiveOnDisk() {
    std::filesystem::create_directories(folder.File("cache/toy"));
    std::filesystem::create_directories(folder.File("mirror/toy"));
    std::string text = kDocuments;
    Pack("sun", "czf", "cache/toy/a.tar.gz");
    Pack("moon", "cf", "plain.tar");
    Pack("moon", "cjf", "mirror/toy/a.tar.bz2");
    for (int part = 0; part < 2; ++part) {
      text = With(text, "FILE", Sha256OfFile(folder.File("cache/toy/a.tar.gz")));
      text = With(text, "CONTENT", Sha256OfFile(folder.File("plain.tar")));
    }
    catalog.Read(folder.Write("c.toml", text));
  }
  void Pack(const std::string& word, const std::string& how, const std::string& name) const {
    for (const char* document : {"in/tr/a.x/1", "in/tr/a.y/1", "in/te/a.x/1", "in/te/a.y/2"})
      folder.Write(document, "Subject: one\n\n" + word + " common\n");
    folder.Write("in/tr/a.y/1", "Subject: two\n\ncommon word word\n");
    REQUIRE(std::system(("cd " + folder.File("in") + " && tar --mtime=@0 -" + how + " " + folder.File(name) +
                         " tr te")
                            .c_str()) == 0);
  }
  std::string Digest() const { return PlanData(catalog.Find("toy"), {.name = "toy"}, folders).digest; }
  Examples<float> Get(const DataRequest& request) const {
    return Load<float>(catalog.Find("toy"), request, folders);
  }
};

TEST_CASE("alternative files: the first existing one is read, verified, and part of the digest") {
  const ArchiveOnDisk disk;
  DataRequest request{.name = "toy"};
  CHECK(disk.Get(request).features() == 3);  // common, sun, word
  const std::string first = disk.Digest();
  const DataFile& file = disk.catalog.Find("toy").parts.at("train").files[0];
  CHECK(Locate(file, disk.folders)->path.ends_with("cache/toy/a.tar.gz"));
  std::filesystem::rename(disk.folder.File("cache/toy/a.tar.gz"), disk.folder.File("away"));
  CHECK(Locate(file, disk.folders)->path.ends_with("mirror/toy/a.tar.bz2"));
  CHECK(disk.Get(request).size() == 2);
  CHECK(disk.Digest() != first);
  CHECK(disk.Digest().starts_with("sha256:"));
  // The same content with another compression is a different file.
  std::filesystem::copy(disk.folder.File("mirror/toy/a.tar.bz2"), disk.folder.File("cache/toy/a.tar.gz"));
  CHECK_THROWS_WITH(disk.Get(request), Contains("a.tar.gz: the file has sha256"));
  disk.folder.Write("cache/toy/a.tar.bz2", "other");
  std::filesystem::remove(disk.folder.File("cache/toy/a.tar.gz"));
  CHECK_THROWS_WITH(disk.Get(request), Contains("a.tar.bz2: its content has sha256"));
  // A synthetic fallback does not depend on existing files.
  request.force_synthetic = true;
  CHECK(PlanData(disk.catalog.Find("toy"), request, disk.folders).digest ==
        PlanData(disk.catalog.Find("toy"), request, kNoFolder).digest);
  std::filesystem::remove(disk.folder.File("cache/toy/a.tar.bz2"));
  std::filesystem::remove(disk.folder.File("mirror/toy/a.tar.bz2"));
  CHECK(PlanData(disk.catalog.Find("toy"), {.name = "toy"}, disk.folders).synthetic);
}

TEST_CASE("documents: requests select the text extent and the term weights") {
  const ArchiveOnDisk disk;
  DataRequest request{.name = "toy"};
  request.text = TextExtent::kSubjectBody;
  CHECK(disk.Get(request).features() == 5);
  request.text = TextExtent::kBody;
  request.term_weights = TermWeights::kTfIdf;
  auto rows = disk.Get(request);  // common occurs in both
  CHECK(rows.row(0).values[rows.sparse() ? 0 : 1] == Approx(std::log(2.0)));
  request.unit_norm = true;
  rows = disk.Get(request);
  CHECK(rows.row(1).values[rows.sparse() ? 0 : 2] == 1);
  request.part = "all";
  CHECK(disk.Get(request).size() == 4);
  request.part = "test";
  CHECK(disk.Get(request).labels()[1] == 1);
  CHECK(PlanData(disk.catalog.Find("toy"), request, disk.folders).digest != disk.Digest());
}

// Mean cosine between rows of one class, of two classes of one group, and of different groups.
TEST_CASE("generated documents: similarity decreases from class to group to other groups") {
  const Catalog catalog = Known();
  const DataSet& set = catalog.Find("20newsgroups");
  DataRequest request{.name = "20newsgroups"};
  request.force_synthetic = request.unit_norm = true;
  request.rows = 600;
  request.term_weights = TermWeights::kTfIdf;
  const auto rows = Load<double>(set, request, kNoFolder);
  REQUIRE(rows.sparse());
  CHECK(rows.features() == set.generator.topics->words);
  double sum[3] = {0, 0, 0};
  int count[3] = {0, 0, 0};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::map<std::uint32_t, double> x;
    for (std::size_t k = 0; k < rows.row(i).count; ++k) x[rows.row(i).indices[k]] = rows.row(i).values[k];
    const std::string group = PathTo(*set.tree, set.labels[static_cast<std::size_t>(rows.label(i))])[0];
    for (std::size_t j = 0; j < i; ++j) {
      double dot = 0;
      for (std::size_t k = 0; k < rows.row(j).count; ++k)
        if (const auto entry = x.find(rows.row(j).indices[k]); entry != x.end())
          dot += entry->second * rows.row(j).values[k];
      const bool near = PathTo(*set.tree, set.labels[static_cast<std::size_t>(rows.label(j))])[0] == group;
      const int which = rows.label(i) == rows.label(j) ? 0 : near ? 1 : 2;
      sum[which] += dot;
      ++count[which];
    }
  }
  CHECK(sum[0] / count[0] > 1.3 * sum[1] / count[1]);
  CHECK(sum[1] / count[1] > 1.1 * sum[2] / count[2]);
}

TEST_CASE("generated documents have pinned bits") {
  const Catalog catalog = Known();
  DataRequest request{.name = "20newsgroups"};
  request.force_synthetic = true;
  request.rows = 50;
  const auto digest = [&] {
    return ContentDigest(Load<float>(catalog.Find("20newsgroups"), request, kNoFolder)).substr(0, 16);
  };
  // If this digest changes, the generator has changed: raise kGeneratorVersion with it.
  CHECK(digest() == "905f994b57592df7");
  request.term_weights = TermWeights::kTfIdf;
  CHECK(digest() == "504dcdb65b4b7fbf");
  request.part = "test";  // document frequencies are those of the training part
  CHECK(digest() == "1f3d51828bd106ce");
}

}  // namespace
}  // namespace okbench
