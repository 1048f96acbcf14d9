// CSV with the label last, as in the files of scikit-learn.

#include "datasets/formats/delimited.h"
#include "datasets/formats/format.h"

namespace okbench::formats::csv_last {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  return ReadDelimited<T>(input, ',', LabelPlace::kLast);
}

}  // namespace

Format Describe() {
  return {.name = "csv-last",
          .title = "comma-separated text, the label last; skips a first line ROWS,FEATURES,...",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::csv_last
