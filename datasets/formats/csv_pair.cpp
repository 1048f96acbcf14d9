// Two text files: comma-separated features, and one label or target per line.

#include "datasets/formats/delimited.h"
#include "datasets/formats/format.h"

namespace okbench::formats::csv_pair {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  return ReadPair<T>(input, ',');
}

}  // namespace

Format Describe() {
  return {.name = "csv-pair",
          .title = "comma-separated text, labels or targets in a second file",
          .files = 2,
          .needs = "a file of features and a file of targets",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::csv_pair
