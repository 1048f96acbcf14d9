// Two text files: blank-separated features, and one label or target per line.

#include "datasets/formats/delimited.h"
#include "datasets/formats/format.h"

namespace okbench::formats::text_pair {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  return ReadPair<T>(input, ' ');
}

}  // namespace

Format Describe() {
  return {.name = "text-pair",
          .title = "blank-separated text, labels or targets in a second file",
          .files = 2,
          .needs = "a file of features and a file of targets",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::text_pair
