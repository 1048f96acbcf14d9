// Documents: an archive with the paths <folder of the part>/<class>/<document>. The features are the words of
// the training documents.

#include "datasets/text/documents.h"

#include "base/error.h"
#include "datasets/formats/format.h"
#include "datasets/text/term_weights.h"
#include "datasets/text/words.h"

namespace okbench::formats::documents {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  const DocumentsInput& options = input.documents;
  std::vector<std::string> folders = {options.train_folder};
  if (options.folder != options.train_folder) folders.push_back(options.folder);
  const std::vector<Documents> parts = ReadDocuments(input.files[0], folders, input.labels, options.extent);
  const Documents& train = parts.front();
  const Documents& part = parts.back();
  const WordIndex vocabulary(train.texts);
  if (vocabulary.size() == 0)
    throw DataError(input.files[0].name, 0, 0, "the training documents contain no words");
  RawRows<T> trained = CountOwnWords<T>(vocabulary);
  const DocumentFrequencies frequencies = CountDocuments(trained);
  RawRows<T> rows = parts.size() == 1 ? std::move(trained) : CountWords<T>(vocabulary, part.texts);
  rows.labels = part.labels;
  if (options.weights == TermWeights::kTfIdf) WeighTerms(frequencies, rows);
  return rows;
}

}  // namespace

Format Describe() {
  return {.name = "documents",
          .title = "a tar or zip archive of messages, one folder per part and class; sparse word features",
          .needs = "one archive",
          .real_targets = false,
          .documents = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::documents
