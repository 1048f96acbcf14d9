// Archives of documents, made with tar.

#include <cstdlib>

#include "base/error.h"
#include "datasets/files/archive.h"
#include "datasets/formats/format.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;

// A folder of documents and its archive.
struct ArchiveFile {
  testing::TemporaryFolder folder;
  void Add(const std::string& path, const std::string& body) const {
    folder.Write("in/" + path, "From: x\n\n" + body);
  }
  std::string Pack(const std::string& how = "czf", const std::string& what = "*") const {
    const std::string file = folder.File("a.tar");
    REQUIRE(std::system(("cd " + folder.File("in") + " && tar " + how + " " + file + " " + what).c_str()) ==
            0);
    return file;
  }
};

// Two classes, the second one first in byte order, with unsorted documents.
struct Small : ArchiveFile {
  Small() {
    Add("tr/b.one/9", "sun moon sun");
    Add("tr/b.one/10", "sun");
    Add("tr/a.two/7", "moon star");
    Add("te/b.one/3", "star star comet");
    Add("te/a.two/4", "sun");
    folder.Write("in/README", "not a document");
  }
};

const LabelMap& Classes() {
  static const LabelMap map({"b.one", "a.two"});
  return map;
}

RawRows<double> Read(const std::string& path, const std::string& part,
                     TermWeights weights = TermWeights::kCounts, const LabelMap& labels = Classes()) {
  const std::string content = ReadContent(path);
  const std::vector<FileText> files = {{"a.tar", content}};
  return FindFormat("documents")
      ->Read<double>(
          {.files = files,
           .labels = labels,
           .documents = {
               .folder = part, .train_folder = "tr", .extent = TextExtent::kBody, .weights = weights}});
}

TEST_CASE("documents: rows sorted by class and name, features from training words, any compression") {
  const Small archive;
  for (const std::string how : {"cf", "czf", "cJf", "cjf"}) {
    const auto rows = Read(archive.Pack(how), "tr");
    CHECK(rows.features == 3);  // moon, star, sun
    CHECK(rows.labels == std::vector<std::int32_t>{0, 0, 1});
    CHECK(rows.offsets == std::vector<std::size_t>{0, 1, 3, 5});
    CHECK(rows.indices == std::vector<std::uint32_t>{2, 0, 2, 0, 1});
    CHECK(rows.values == std::vector<double>{1, 1, 2, 1, 1});
  }
  // Paths may start with "./".
  CHECK(Read(archive.Pack("cf", "./tr ./te"), "tr").labels.size() == 3);
}

TEST_CASE("documents of the test part use words and frequencies of the training part") {
  const Small archive;
  const std::string path = archive.Pack();
  auto rows = Read(path, "te");
  CHECK(rows.labels == std::vector<std::int32_t>{0, 1});
  CHECK(rows.indices == std::vector<std::uint32_t>{1, 2});  // comet is dropped
  CHECK(rows.values == std::vector<double>{2, 1});
  rows = Read(path, "te", TermWeights::kTfIdf);
  CHECK(rows.values[0] == Approx((1 + std::log(2.0)) * std::log(3.0)).epsilon(1e-14));
  CHECK(rows.values[1] == Approx(std::log(1.5)).epsilon(1e-14));
  rows = Read(path, "tr", TermWeights::kTfIdf);
  CHECK(rows.values[0] == Approx(std::log(1.5)).epsilon(1e-14));
}

TEST_CASE("document archives that contradict the catalog are rejected in one line") {
  const auto refused = [](const ArchiveFile& archive, const std::string& part = "tr",
                          const LabelMap& labels = Classes()) {
    std::string message = "read";
    try {
      Read(archive.Pack(), part, TermWeights::kCounts, labels);
    } catch (const DataError& error) {
      message = error.what();
    }
    CHECK(message.starts_with("a.tar: "));
    CHECK(message.find('\n') == std::string::npos);
    return message;
  };
  CHECK_THAT(refused(Small(), "dev"), Contains("has no documents in folder 'dev'"));
  Small archive;
  archive.Add("tr/c.three/1", "x");
  CHECK_THAT(refused(archive),
             Contains("class 'c.three' in folder 'tr' is not in the catalog") && Contains("b.one, a.two"));
  CHECK_THAT(refused(Small(), "tr", LabelMap({"b.one", "a.two", "c.three"})),
             Contains("has no documents of class 'c.three' in folder 'tr'"));
  Small loose;
  loose.Add("tr/1", "x");
  CHECK_THAT(refused(loose), Contains("contains 'tr/1'; expected tr/<class>/<document>"));
  Small deep;
  deep.Add("tr/b.one/d/1", "x");
  CHECK_THAT(refused(deep), Contains("contains 'tr/b.one/d/1'"));
  ArchiveFile wordless;
  wordless.Add("tr/b.one/1", "12");
  wordless.Add("tr/a.two/1", "");
  CHECK_THAT(refused(wordless), Contains("the training documents contain no words"));
}

TEST_CASE("two documents with the same name are rejected") {
  const Small archive;
  archive.Pack("cf", "tr");
  CHECK_THROWS_WITH(Read(archive.Pack("rf", "tr/a.two/7"), "tr"), Contains("two documents 'tr/a.two/7'"));
}

TEST_CASE("missing and damaged document archives are rejected") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_WITH(Read(folder.Write("a.tar", "no archive at all"), "tr"), Contains("cannot be read"));
  const Small archive;
  const std::string path = archive.Pack("cf");
  std::filesystem::resize_file(path, 1536 + 5);  // within a document
  CHECK_THROWS_WITH(Read(path, "tr"), Contains("truncated or damaged"));
  const std::string packed = archive.Pack("czf");
  std::filesystem::resize_file(packed, std::filesystem::file_size(packed) / 2);
  CHECK_THROWS_AS(Read(packed, "tr"), DataError);
}

}  // namespace
}  // namespace okbench
