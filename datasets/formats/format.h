#pragma once
// Format: a file format of data sets, and its reader. Each .cpp file of this folder defines one format;
// the build generates the registry from them. To add a format:
//   1. datasets/formats/NAME.cpp: a reader for float and double, and `Format Describe()` in the namespace
//      okbench::formats::NAME, by the contracts below.
//   2. datasets/catalog.toml: a data set with format = "NAME".
//   3. tests/datasets/formats/: good files, and the error of every kind of bad content.
//   4. tests/fuzz/rows.cpp: a seed, so that the reader is fuzzed.

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "datasets/catalog/table_spec.h"
#include "datasets/rows/label_map.h"
#include "datasets/rows/raw_rows.h"
#include "datasets/text/text_options.h"

namespace okbench {

/// A file of a data set, decompressed.
struct FileText {
  std::string name;  ///< for messages
  std::string_view bytes;
};

/// Additional input of readers of documents.
struct DocumentsInput {
  std::string folder;        ///< folder of the part in the archive
  std::string train_folder;  ///< folder of the training part, whose words are the features
  TextExtent extent = TextExtent::kBody;
  TermWeights weights = TermWeights::kCounts;
};

/// Input of a reader.
struct FormatInput {
  std::span<const FileText> files;   ///< the files of a part; their number is Format::files
  std::size_t features = 0;          ///< features per row; 0 for documents, whose reader determines it
  std::size_t inputs = 1;            ///< series: values per step
  std::size_t horizon = 1;           ///< series: steps from the last value of a row to its target
  const TableSpec* table = nullptr;  ///< columns; only for format "table"
  const LabelMap& labels;
  DocumentsInput documents{};  ///< used only by formats with documents
};

/// Parses the files of a part. Throws DataError with file, line and column for bad content: a malformed or
/// non-finite number, a wrong number of fields, an unknown label, or no rows. Thread-safe.
template <class T>
using FormatReader = RawRows<T> (*)(const FormatInput& input);

/// An entry of the registry. Each format's source file defines Describe(), which returns one.
struct Format {
  std::string name;                ///< name in the catalog
  std::string title;               ///< description in one line
  std::size_t files = 1;           ///< number of files per part, >= 1
  std::string needs = "one file";  ///< `files` in words, for messages
  bool real_targets = true;        ///< rows may have real targets instead of labels
  bool shared_files = false;       ///< parts may be row ranges of one file; REQUIRES: dense rows
  bool documents = false;          ///< parts are folders of one archive; features are words
  FormatReader<float> read_float = nullptr;
  FormatReader<double> read_double = nullptr;

  template <class T>
  RawRows<T> Read(const FormatInput& input) const {
    if constexpr (std::is_same_v<T, float>)
      return read_float(input);
    else
      return read_double(input);
  }
};

/// Returns all formats, sorted by name.
const std::vector<Format>& Formats();

/// Returns the format of this name, or nullptr.
const Format* FindFormat(const std::string& name);

}  // namespace okbench
