#include <algorithm>
#include <stdexcept>

#include "datasets/formats/format.h"
#include "tests/fuzz/harness.h"

namespace okbench::fuzz {
namespace {

// Reads rows and checks that offsets, indices and values are consistent, as Examples requires.
template <class T>
void ReadAs(const Format& format, const FormatInput& input) {
  Documented([&] {
    const RawRows<T> rows = format.Read<T>(input);
    const std::size_t count = rows.labels.size();
    const bool sparse = !rows.offsets.empty();
    const bool fits = sparse
                          ? rows.offsets.size() == count + 1 && rows.offsets.back() == rows.values.size() &&
                                rows.indices.size() == rows.values.size() &&
                                std::all_of(rows.indices.begin(), rows.indices.end(),
                                            [&](std::uint32_t index) { return index < rows.features; })
                          : rows.values.size() == count * rows.features;
    if (!fits) throw std::logic_error(format.name + ": rows that do not hold together");
  });
}

// Input: a line "FORMAT FEATURES CLASS...", then the files, separated by a line "--". For formats of
// documents, the files become an archive, and the first letter of FEATURES selects text extent and weights.
void ReadAnyRows(std::string_view bytes) {
  const auto [head, content] = FirstLine(bytes);
  std::vector<std::string> words = WordsOf(head);
  if (words.size() < 2) return;
  const Format* format = FindFormat(words[0]);
  if (format == nullptr) return;
  const std::size_t features = words[1].size() % 8;
  std::vector<std::string> classes(words.begin() + 2, words.end());
  // Catalogs list classes for every format without real targets.
  if (classes.empty() && !format->real_targets) return;
  const LabelMap labels(classes);
  std::string archive;
  std::vector<FileText> files;
  DocumentsInput documents{.folder = "b", .train_folder = "a"};
  if (format->documents) {
    const char option = words[1][0];
    documents.extent = static_cast<TextExtent>(option % 4);
    documents.weights = static_cast<TermWeights>(option / 4 % 2);
    archive = TarOf(content);
    files = {{"f", archive}};
  } else if (format->files == 2) {
    const auto [first, second] = Halves(content);
    files = {{"f", first}, {"g", second}};
  } else {
    files = {{"f", content}};
  }
  const FormatInput given{.files = files, .features = features, .labels = labels, .documents = documents};
  ReadAs<float>(*format, given);
  ReadAs<double>(*format, given);
}

std::vector<std::string> RowsOfEachFormat() {
  using namespace std::string_literals;
  const std::string images = "\0\0\x08\x03\0\0\0\2\0\0\0\1\0\0\0\2"s + "\1\xff\0\7"s;
  const std::string mail =
      "== a/x/1\nSubject: one\nFrom: me\n\nsome words, and more\n> quoted\n--\nfooter\n== a/y/2\nSubject: "
      "two\n\nIn article <a> b writes:\n| words of others\nmy own ones\n== b/x/3\nSubject: 3\n\nwords\n== "
      "b/y/4\nNo header";
  return {
      "libsvm 333 -1 1\n+1 1:0.5 3:-2e-1 \n-1.0\t2:1\r\n\n1 3:0\n",
      "libsvm 333\n1.25 1:0.5 3:-2e-1\n-7e2\t2:1\n",
      "csv 22 A B\nB,1, 2\nA,3,4\n",
      "csv 22\n0.1,1,2\n-3,4,5\n",
      "arff 22 a b\n@relation r\n@attribute f numeric\n@attribute g real\n@attribute c {a,b}\n@data\n1,2,a\n",
      "csv-last 22 A B\n2,2,A,B\n1,2,A\n3,4,B\n",
      "text-pair 22\n1 2\n3 4\n\n--\n0.5\n7\n",
      "esl 22 0 1 2\n2.0000 -1.0000 0.25 \n0.0 1 2\n",
      "idx 22 0 1 2\n" + images + "\n--\n" + "\0\0\x08\1\0\0\0\2\2\0"s,
      "arff-hierarchical 22 a/b a/c\n@RELATION r\n% c\n@ATTRIBUTE f numeric\n@ATTRIBUTE g real\n@ATTRIBUTE "
      "class hierarchical a,a/b,a/c\n@DATA\n1,2,a/b\n3,4,a/c@a\n",
      "arff-hierarchical 22 b c\n@ATTRIBUTE i string\n@ATTRIBUTE f {0, 1}\n@ATTRIBUTE g real\n@ATTRIBUTE "
      "class hierarchical root/a,a/b,a/c\n@DATA\nx,1,2,a@b\ny,1,4,c@a@b\n",
      "documents 0 x y\n" + mail,
      "documents 1 x y\n" + mail,
      "documents 2 x y\n" + mail,
      "documents 3 x y\n" + mail,
      "documents 7 x y\n" + mail};
}

}  // namespace

Harness Rows() {
  return {"rows",
          ReadAnyRows,
          RowsOfEachFormat,
          {"libsvm",
           "csv",
           "esl",
           "idx",
           "arff",
           "arff-hierarchical",
           "documents",
           "@ATTRIBUTE",
           "@DATA",
           "@RELATION",
           "hierarchical",
           "numeric",
           "nan",
           "inf",
           "1e999",
           "1e-400",
           "\n== a/x/",
           "\n== b/y/",
           "\n--\n",
           "writes:",
           "In article",
           "Subject:",
           "\xff\xff\xff\xff",
           "4294967297",
           "\r\n"}};
}

}  // namespace okbench::fuzz
