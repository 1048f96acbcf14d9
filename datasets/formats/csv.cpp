// CSV: comma-separated text, the label first.

#include "datasets/formats/delimited.h"
#include "datasets/formats/format.h"

namespace okbench::formats::csv {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  return ReadDelimited<T>(input, ',');
}

}  // namespace

Format Describe() {
  return {.name = "csv",
          .title = "comma-separated text, the label first",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::csv
