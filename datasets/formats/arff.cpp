// ARFF with numbers: attributes that are numeric, or nominal with numbers as values, then a nominal class.

#include "datasets/formats/delimited.h"
#include "datasets/formats/format.h"

namespace okbench::formats::arff {
namespace {

// Reads the header: the number of attributes must be that of the features and the class.
class Header {
 public:
  explicit Header(std::size_t features) : features_(features) {}

  /// Whether the line belongs to the header. Throws DataError.
  bool operator()(LineReader& line) {
    if (done_) return false;
    line.SkipBlanks();
    const std::string keyword = LowerCase(line.Until(' '));
    if (keyword == "@attribute") ++attributes_;
    if (keyword == "@data") {
      done_ = true;
      if (attributes_ != features_ + 1)
        line.Fail("the header has " + std::to_string(attributes_) + " attributes, expected " +
                  std::to_string(features_) + " features and the class");
      return true;
    }
    if (keyword != "@attribute" && keyword != "@relation" && keyword.front() != '%')
      line.Fail("expected @RELATION, @ATTRIBUTE or @DATA");
    return true;
  }

 private:
  std::size_t features_, attributes_ = 0;
  bool done_ = false;
};

template <class T>
RawRows<T> Read(const FormatInput& input) {
  return ReadDelimited<T>(input, ',', LabelPlace::kLast, Header(input.features));
}

}  // namespace

Format Describe() {
  return {.name = "arff",
          .title = "ARFF: comma-separated numbers, then a nominal class",
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::arff
