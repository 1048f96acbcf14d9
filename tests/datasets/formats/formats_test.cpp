#include <algorithm>

#include "base/error.h"
#include "datasets/formats/format.h"
#include "tests/catch.h"

namespace okbench {
namespace {

using Catch::Contains;

template <class T>
RawRows<T> Read(const char* format, const std::vector<FileText>& files, std::size_t features,
                const LabelMap& labels) {
  const Format* reader = FindFormat(format);
  REQUIRE(reader != nullptr);
  return reader->Read<T>({.files = files, .features = features, .labels = labels});
}

const LabelMap& Signs() {
  static const LabelMap map({"-1", "1"});
  return map;
}

TEST_CASE("every format of the build is registered") {
  std::vector<std::string> names;
  for (const Format& format : Formats()) {
    names.push_back(format.name);
    CHECK(!format.title.empty());
    CHECK(format.files >= 1);
    CHECK((format.read_float != nullptr && format.read_double != nullptr));
  }
  CHECK(std::is_sorted(names.begin(), names.end()));
  for (const char* known :
       {"libsvm", "esl", "csv", "idx", "documents", "arff", "arff-hierarchical", "csv-last", "text-pair"})
    CHECK(FindFormat(known)->name == known);
  CHECK(FindFormat("generated") == nullptr);
}

TEST_CASE("LIBSVM text: labels, indices and values") {
  const auto rows = Read<float>("libsvm", {{"f", "+1 1:0.5 3:-2e-1 \n-1.0\t2:1\r\n\n1 3:0\n"}}, 3, Signs());
  CHECK(rows.labels == std::vector<std::int32_t>{1, 0, 1});
  CHECK(rows.offsets == std::vector<std::size_t>{0, 2, 3, 3});
  CHECK(rows.indices == std::vector<std::uint32_t>{0, 2, 1});
  CHECK(rows.values == std::vector<float>{0.5F, -0.2F, 1});
}

TEST_CASE("real targets in LIBSVM text and in columns") {
  const LabelMap none({});
  const auto sparse = Read<float>("libsvm", {{"f", "1.25 1:0.5 3:-2e-1\n-7e2\t2:1\n"}}, 3, none);
  CHECK(sparse.real.targets == std::vector<double>{1.25, -700});
  CHECK(sparse.values == std::vector<float>{0.5F, -0.2F, 1});
  const auto columns = Read<double>("csv", {{"f", "0.1,1,2\n-3,4,5\n"}}, 2, none);
  CHECK(columns.real.targets == std::vector<double>{0.1, -3});
  CHECK(columns.values == std::vector<double>{1, 2, 4, 5});
  CHECK_THROWS_WITH(Read<float>("libsvm", {{"f", "a 1:1\n"}}, 3, none),
                    Contains("f:1:1") && Contains("'a' is not a target"));
  CHECK_THROWS_WITH(Read<float>("libsvm", {{"f", "inf 1:1\n"}}, 3, none), Contains("not finite"));
}

TEST_CASE("ARFF: the header is checked, and rows have the class last") {
  const LabelMap labels({"UP", "DOWN"});
  const std::string head =
      "@relation r\n% made by hand\n\n@attribute a numeric\n@ATTRIBUTE b {1,2}\n@attribute class "
      "{UP,DOWN}\n\n@data\n";
  const auto rows = Read<float>("arff", {{"f", head + "0.5,2,UP\r\n-1,1,DOWN"}}, 2, labels);
  CHECK(rows.values == std::vector<float>{0.5F, 2, -1, 1});
  CHECK(rows.labels == std::vector<std::int32_t>{0, 1});
  const auto read = [&](const std::string& text, std::size_t features) {
    return Read<float>("arff", {{"f", text}}, features, labels);
  };
  CHECK_THROWS_WITH(read(head + "1,2,UP\n", 3), Contains("f:8") && Contains("the header has 3 attributes"));
  CHECK_THROWS_WITH(read(head + "1,2,LEFT\n", 2), Contains("f:9:5") && Contains("'LEFT'"));
  CHECK_THROWS_WITH(read(head + "1,x,UP\n", 2), Contains("f:9:3") && Contains("'x' is not a number"));
  CHECK_THROWS_WITH(read("1,2,UP\n", 2), Contains("expected @RELATION, @ATTRIBUTE or @DATA"));
}

TEST_CASE("LIBSVM text: errors in rows name file, line and column") {
  const auto read = [](const std::string& text) {
    return Read<float>("libsvm", {{"bad.txt", text}}, 3, Signs());
  };
  CHECK_THROWS_WITH(read("1 1:1\n1 1:abc\n"), Contains("bad.txt:2:5") && Contains("'abc' is not a number"));
  CHECK_THROWS_WITH(read("1 1:nan\n"), Contains("bad.txt:1:5") && Contains("not finite"));
  CHECK_THROWS_WITH(read("1 1:inf\n"), Contains("not finite"));
  CHECK_THROWS_WITH(read("7 1:1\n"),
                    Contains("bad.txt:1:1") && Contains("label '7' is out of range") && Contains("-1, 1"));
  CHECK_THROWS_WITH(read("1 4:1\n"), Contains("outside 1..3"));
  CHECK_THROWS_WITH(read("1 0:1\n"), Contains("outside 1..3"));
  CHECK_THROWS_WITH(read("1 2:1 1:1\n"), Contains("bad.txt:1:7") && Contains("must increase"));
  CHECK_THROWS_WITH(read("1 2 3\n"), Contains("expected index:value"));
  CHECK_THROWS_WITH(read("1 x:3\n"), Contains("'x' is not a feature index"));
  CHECK_THROWS_WITH(read("\n \n"), Contains("empty"));
  CHECK_THROWS_AS(read("1 1:1e999\n"), DataError);
}

TEST_CASE("CSV with the label last: rows, the line of counts, and errors") {
  const LabelMap digits({"0", "1", "2"});
  for (const char* head : {"", "2,3,no\n"}) {
    const auto rows =
        Read<float>("csv-last", {{"f", head + std::string("1,2,0.5,1\n-3, 4,5,0\n")}}, 3, digits);
    CHECK(rows.labels == std::vector<std::int32_t>{1, 0});
    CHECK(rows.values == std::vector<float>{1, 2, 0.5F, -3, 4, 5});
  }
  const auto real = Read<double>("csv-last", {{"f", "1,2,-0.5\n"}}, 2, LabelMap({}));
  CHECK(real.real.targets == std::vector<double>{-0.5});
  const auto read = [&](const std::string& text) {
    return Read<float>("csv-last", {{"f", text}}, 2, digits);
  };
  CHECK_THROWS_WITH(read("1,2,0\n1,2\n"), Contains("f:2") && Contains("no label"));
  CHECK_THROWS_WITH(read("1,2,0\n1,2,0,3\n"), Contains("f:2:7") && Contains("more than 2 features"));
  CHECK_THROWS_WITH(read("1,2,7\n"), Contains("f:1:5") && Contains("label '7' is out of range"));
  CHECK_THROWS_WITH(read("1\n"), Contains("f:1") && Contains("1 features, expected 2"));
  CHECK_THROWS_WITH(read("1,2,0\n1;2,0\n"), Contains("f:2:1"));
}

TEST_CASE("text in two files: rows and errors") {
  const LabelMap none({});
  const auto read = [&](const std::string& rows, const std::string& targets) {
    return Read<double>("text-pair", {{"x", rows}, {"y", targets}}, 2, none);
  };
  const auto rows = read("1 2\n3  4\n", "0.5\n\n-1e1\n");
  CHECK(rows.values == std::vector<double>{1, 2, 3, 4});
  CHECK(rows.real.targets == std::vector<double>{0.5, -10});
  CHECK_THROWS_WITH(read("1 2\n", "1\n2\n"), Contains("y: has 2 lines, expected 1"));
  CHECK_THROWS_WITH(read("1 2\n", "1 2\n"), Contains("y:1") && Contains("more than one field"));
  CHECK_THROWS_WITH(read("1\n", "1\n"), Contains("x:1") && Contains("1 features, expected 2"));
}

TEST_CASE("ESL text and CSV: rows and errors") {
  const LabelMap digits({"0", "1", "2"});
  const auto esl = Read<double>("esl", {{"f", "2.0000 -1.0000 0.25 \n0.0 1 2\n"}}, 2, digits);
  CHECK(esl.labels == std::vector<std::int32_t>{2, 0});
  CHECK(esl.values == std::vector<double>{-1, 0.25, 1, 2});
  const LabelMap letters({"A", "B"});
  const auto csv = Read<float>("csv", {{"f", "B,1, 2\nA,3,4\n"}}, 2, letters);
  CHECK(csv.labels == std::vector<std::int32_t>{1, 0});
  CHECK(csv.values == std::vector<float>{1, 2, 3, 4});
  CHECK_THROWS_WITH(Read<float>("csv", {{"f", "B,1\n"}}, 2, letters),
                    Contains("f:1") && Contains("1 features, expected 2"));
  CHECK_THROWS_WITH(Read<float>("csv", {{"f", "B,1,2,3\n"}}, 2, letters), Contains("more than 2"));
  CHECK_THROWS_WITH(Read<float>("csv", {{"f", "A,1,2\nC,1,2\n"}}, 2, letters),
                    Contains("f:2:1") && Contains("'C'"));
  CHECK_THROWS_WITH(Read<float>("csv", {{"f", "A,1,two\n"}}, 2, letters),
                    Contains("f:1:5") && Contains("'two'"));
}

std::string BigEndian(std::uint32_t v) {
  return {static_cast<char>(v >> 24), static_cast<char>(v >> 16), static_cast<char>(v >> 8),
          static_cast<char>(v)};
}

TEST_CASE("IDX images and labels: rows and errors") {
  const LabelMap digits({"0", "1", "2"});
  const std::string images =
      BigEndian(2051) + BigEndian(2) + BigEndian(1) + BigEndian(2) + std::string("\x01\xff\x00\x07", 4);
  const std::string labels = BigEndian(2049) + BigEndian(2) + std::string("\x02\x00", 2);
  const auto rows = Read<float>("idx", {{"i", images}, {"l", labels}}, 2, digits);
  CHECK(rows.values == std::vector<float>{1, 255, 0, 7});
  CHECK(rows.labels == std::vector<std::int32_t>{2, 0});
  CHECK_THROWS_WITH(
      Read<float>("idx", {{"i", std::string_view(images).substr(0, 18)}, {"l", labels}}, 2, digits),
      Contains("header declares"));
  CHECK_THROWS_WITH(Read<float>("idx", {{"i", labels}, {"l", labels}}, 2, digits),
                    Contains("magic number 2051"));
  CHECK_THROWS_WITH(Read<float>("idx", {{"i", images}, {"l", labels}}, 3, digits), Contains("expected 3"));
  const std::string wrong = BigEndian(2049) + BigEndian(2) + std::string("\x02\x09", 2);
  CHECK_THROWS_WITH(Read<float>("idx", {{"i", images}, {"l", wrong}}, 2, digits),
                    Contains("label 9 of item 1"));
}

}  // namespace
}  // namespace okbench
