#pragma once
// Readers: LIBSVM text, IDX, the white-space text of the ESL zip files, and CSV.
//
// Each takes the decompressed content of a file (and its name, for messages) and refuses bad content with
// file, line and column: no number, not finite, wrong number of fields, label out of range, empty.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "learners/core/examples.h"

namespace okbench {

/// Turns the label of a row, as written in the file, into a class index. Without classes a row starts with its
/// real target instead.
class LabelMap {
 public:
  /// `tokens[c]` is how the file writes class c. Numbers match by value ("1", "1.0", "+1").
  explicit LabelMap(std::vector<std::string> tokens);
  std::optional<std::int32_t> Find(std::string_view token) const;
  std::size_t classes() const { return tokens_.size(); }
  /// "1, 2, ..., 10", for messages.
  std::string Allowed() const;

 private:
  std::vector<std::string> tokens_;
  std::vector<double> numbers_;  // NaN for tokens that are no numbers
};

/// Rows as read: dense (offsets empty, rows * features values) or compressed sparse rows.
template <class T>
struct RawRows {
  std::size_t features = 0;
  std::vector<T> values;
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> indices;
  std::vector<std::int32_t> labels;  ///< class indices; 0 for real targets
  RealTargets real;
  bool sparse() const { return !offsets.empty(); }
};

/// `label index:value ...`, indices from 1 and increasing. `features` bounds the indices.
template <class T>
RawRows<T> ReadLibsvm(const std::string& file, std::string_view text, std::size_t features,
                      const LabelMap& labels);

/// Fields separated by `separator` (' ' takes runs of blanks), the label first.
template <class T>
RawRows<T> ReadDelimited(const std::string& file, std::string_view text, char separator, std::size_t features,
                         const LabelMap& labels);

/// IDX images (magic 2051) with their labels (magic 2049), big-endian headers, one byte a pixel.
template <class T>
RawRows<T> ReadIdx(const std::string& image_file, std::string_view images, const std::string& label_file,
                   std::string_view label_bytes, std::size_t features, const LabelMap& labels);

}  // namespace okbench
