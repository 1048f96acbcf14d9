#pragma once
// Format: how the files of a data set are written, and their reader. Each source file of this folder is one;
// the build collects their entries.

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "datasets/label_map.h"
#include "datasets/raw_rows.h"
#include "datasets/text/text_options.h"

namespace okbench {

/// A file of a data set, decompressed.
struct FileText {
  std::string name;  ///< for messages
  std::string_view bytes;
};

/// What the reader of a format with documents is asked for besides.
struct DocumentsInput {
  std::string folder;        ///< of the part, in the archive
  std::string train_folder;  ///< of the training part, whose words are the features
  TextExtent extent = TextExtent::kBody;
  TermWeights weights = TermWeights::kCounts;
};

/// What a reader is given.
struct FormatInput {
  std::span<const FileText> files;  ///< of a part, as many as the format has
  std::size_t features = 0;         ///< of a row; 0 for documents, which tell it themselves
  const LabelMap& labels;
  DocumentsInput documents{};  ///< for formats with documents alone
};

/// Makes rows of the files of a part. Throws DataError with file, line and column for bad content: no number,
/// not finite, wrong number of fields, label out of range, empty.
template <class T>
using FormatReader = RawRows<T> (*)(const FormatInput& input);

/// A format as the registry knows it. Each format's file defines Describe() returning one.
struct Format {
  std::string name;                ///< as the catalogue writes it
  std::string title;               ///< what it is, in one line
  std::size_t files = 1;           ///< of a part, >= 1
  std::string needs = "one file";  ///< the same in words, for messages
  bool real_targets = true;        ///< a row may start with a real target instead of a label
  bool shared_files = false;       ///< parts may share a file; for dense rows only
  bool documents = false;          ///< parts are folders of one archive, features the words of its documents
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

/// All formats, by name.
const std::vector<Format>& Formats();

/// The format of this name; nullptr when there is none.
const Format* FindFormat(const std::string& name);

}  // namespace okbench
