#include "base/error.h"
#include "datasets/formats/format.h"
#include "tests/catch.h"

namespace okbench {
namespace {

using Catch::Contains;

const char* const kHeader =
    "@RELATION r\r\n\r\n% a comment\n@ATTRIBUTE a NUMERIC\n@attribute b real\n"
    "@ATTRIBUTE class hierarchical 1,2,1/0/a,1/0,1/0/b\n\n@DATA\n";

RawRows<float> Read(const std::string& text, const LabelMap& labels = LabelMap({"1/0/a", "1/0/b", "2"})) {
  const std::vector<FileText> files = {{"f.arff", text}};
  return FindFormat("arff-hierarchical")->Read<float>({.files = files, .features = 2, .labels = labels});
}

RawRows<float> Rows(const std::string& rows) { return Read(kHeader + rows); }

TEST_CASE("hierarchical ARFF: numbers, then a path that ends with the class") {
  const auto rows = Rows("0,7.5,1@1/0@1/0/b\r\n\n% no row\n-1, 2 , 2\n3,4,1/0/a@1\n");
  CHECK(rows.values == std::vector<float>{0, 7.5F, -1, 2, 3, 4});
  CHECK(rows.labels == std::vector<std::int32_t>{1, 2, 0});
}

TEST_CASE("hierarchical ARFF: errors in rows name file, line and column") {
  CHECK_THROWS_WITH(Rows("1,x,2\n"), Contains("f.arff:9:3: 'x' is not a number"));
  CHECK_THROWS_WITH(Rows("1,?,2\n"), Contains("f.arff:9:3: '?' is not a number"));
  CHECK_THROWS_WITH(Rows("1,nan,2\n"), Contains("not finite"));
  CHECK_THROWS_WITH(Rows("1,2\n"),
                    Contains("f.arff:9:3: the row has 2 fields, expected 2 numbers and a class"));
  CHECK_THROWS_WITH(Rows("1,2,3,2\n"), Contains("f.arff:9:5: there are more numbers than attributes"));
  CHECK_THROWS_WITH(Rows("1,2,\n"), Contains("label '' is out of range"));
  CHECK_THROWS_WITH(Rows("1,2,1@1/0\n"),
                    Contains("f.arff:9:5: label '1/0' is out of range; allowed are 1/0/a, 1/0/b, 2"));
  CHECK_THROWS_WITH(Rows("1,2,2@1/0/a\n"),
                    Contains("'2' is not an ancestor of '1/0/a'; a row must have one path"));
  CHECK_THROWS_WITH(Rows("1,2,1/0/b@1/0/a\n"), Contains("a row must have one path"));
  CHECK_THROWS_WITH(Rows(""), Contains("f.arff: the data set is empty"));
}

TEST_CASE("hierarchical ARFF: missing headers and headers with another tree are rejected") {
  CHECK_THROWS_WITH(Read(""), Contains("the data set is empty"));
  CHECK_THROWS_WITH(Read("@RELATION r\n"), Contains("f.arff: has no @DATA"));
  CHECK_THROWS_WITH(Read("1,2,2\n"), Contains("f.arff:1:1: expected @RELATION, @ATTRIBUTE or @DATA"));
  CHECK_THROWS_WITH(Read("@ATTRIBUTE a date\n"), Contains("f.arff:1:14: attribute type 'date'"));
  CHECK_THROWS_WITH(Read("@ATTRIBUTE a {0, 2}\n"), Contains("f.arff:1:14: attribute type '{0,'"));
  CHECK_THROWS_WITH(Read("@ATTRIBUTE a string\n@ATTRIBUTE b string\n"), Contains("f.arff:2:14: attribute"));
  CHECK_THROWS_WITH(Read("@ATTRIBUTE a real\n@ATTRIBUTE b string\n"), Contains("f.arff:2:14: attribute"));
  const std::string classes = "@ATTRIBUTE class hierarchical ";
  const LabelMap labels({"1/0", "2"});
  const auto header = [&](const std::string& text) { return Read(text + "\n@DATA\n1,2,2\n", labels); };
  CHECK_THROWS_WITH(header(classes + "1,2,1/0,3"),
                    Contains("f.arff:1:31: the leaf '3' is not in the catalog; allowed are 1/0, 2"));
  CHECK_THROWS_WITH(header(classes + "1,1/0"), Contains("class '2' is not a leaf of the tree"));
  CHECK_THROWS_WITH(header(classes + "1,1/0,2,2/0"), Contains("the leaf '2/0' is not in the catalog"));
  CHECK_THROWS_WITH(header(classes + "1,1/0,,2"), Contains("a node of the tree has no name"));
  CHECK_THROWS_WITH(header(classes + "1,1/0,2,2"), Contains("the node '2' is listed twice"));
  CHECK_THROWS_WITH(header(classes + "1,1/0,2\n@ATTRIBUTE a numeric"),
                    Contains("f.arff:2:1: the class must be the last attribute"));
  CHECK_THROWS_WITH(header("@ATTRIBUTE a numeric\n" + classes + "1,1/0,2"),
                    Contains("there are 1 numeric attributes, expected 2"));
  CHECK_THROWS_WITH(header("@ATTRIBUTE a numeric\n@ATTRIBUTE b numeric"),
                    Contains("no attribute is hierarchical"));
}

TEST_CASE("hierarchical ARFF: of a tree of pairs, the first leaf of a row is its class") {
  const std::string header =
      "@ATTRIBUTE ID string\n@ATTRIBUTE a {0, 1}\n@ATTRIBUTE b {0,1}\n"
      "@ATTRIBUTE CLASS HIERARCHICAL root/1, 1/1.1, 1.1/1.1.1, 1/1.2, root/2\n@DATA\n";
  const LabelMap labels({"1.1.1", "1.2", "2"});
  const auto rows = Read(header + "7, 1, 0, 1@1.1@1.1.1@2\nx, 0, 1, 1@1.1\n9,1,1,2@1@1.2\n", labels);
  CHECK(rows.values == std::vector<float>{1, 0, 1, 1});  // the second row has no leaf
  CHECK(rows.labels == std::vector<std::int32_t>{0, 2});
  CHECK_THROWS_WITH(Read(header + "7,1,0,1@3\n", labels),
                    Contains("f.arff:6:7: '3' is not a node of the tree"));
  CHECK_THROWS_WITH(Read(header + "7\n", labels), Contains("f.arff:6:1: the row ends after its identifier"));
  CHECK_THROWS_WITH(Read(header + "7,1,0,1\n", labels), Contains("the data set is empty"));
  const auto tree = [&](const std::string& pairs) {
    return Read("@ATTRIBUTE CLASS HIERARCHICAL " + pairs + "\n@DATA\n", LabelMap({"1", "2"}));
  };
  CHECK_THROWS_WITH(tree("root/1, root/"), Contains("a node of the tree has no name"));
  CHECK_THROWS_WITH(tree("root/1, 2"), Contains("a node of the tree has no name"));
  CHECK_THROWS_WITH(tree("root/1, 1/2, root/2"), Contains("the node '2' is listed twice"));
}

TEST_CASE("hierarchical ARFF: siblings that sort before the separator are not children") {
  // "1-" sorts between "1" and "1/0".
  const auto rows = Read(
      "@ATTRIBUTE a numeric\n@ATTRIBUTE b numeric\n@ATTRIBUTE class hierarchical "
      "1,1-,1/0\n@DATA\n1,2,1@1/0\n",
      LabelMap({"1-", "1/0"}));
  CHECK(rows.labels == std::vector<std::int32_t>{1});
}

}  // namespace
}  // namespace okbench
