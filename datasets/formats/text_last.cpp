// Blank-separated text with the label last.

#include "datasets/formats/delimited.h"
#include "datasets/formats/format.h"

namespace okbench::formats::text_last {
namespace {

template <class T>
RawRows<T> Read(const FormatInput& input) {
  return ReadDelimited<T>(input, ' ', LabelPlace::kLast);
}

}  // namespace

Format Describe() {
  return {.name = "text-last",
          .title = "text separated by blanks or tabs, the label last",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::text_last
