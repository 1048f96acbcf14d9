// ParseJson gives the values of json::parse, whose parser it replaces for short texts.

#include "harness/system/json_file.h"

#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "tests/catch.h"

namespace okbench {
namespace {

using nlohmann::json;

// Equal values of equal types, in all parts.
void RequireSame(const std::string& text) {
  CAPTURE(text);
  const json expected = json::parse(text, nullptr, false), parsed = ParseJson(text);
  REQUIRE(parsed.is_discarded() == expected.is_discarded());
  if (expected.is_discarded()) return;
  CHECK(parsed == expected);
  CHECK(json::to_cbor(parsed) == json::to_cbor(expected));  // tells 1 from 1.0, and keeps every bit
}

TEST_CASE("ParseJsonInto forgets the value before") {
  const char* const texts[] = {R"({"a": 1, "b": {"c": "long enough for the heap"}, "d": [1, "x"]})",
                               R"({"a": "x", "b": {"c": "short"}, "d": [2]})",
                               R"({"a": -1, "b": {"c": null}, "d": [2, 3, {"e": true}]})",
                               R"({"b": {"c": 0}, "a": 2.5, "d": []})",
                               R"({"a": 1, "b": 2, "b": 3})",
                               R"({"a": 1, "b": 2})",
                               R"({"a": {}, "b": []})",
                               R"("text")",
                               "[1, 2",
                               "null",
                               "[]",
                               "18446744073709551616"};
  for (const char* before : texts)
    for (const char* text : texts) {
      CAPTURE(before, text);
      json value;
      ParseJsonInto(before, value);
      ParseJsonInto(text, value);
      const json expected = json::parse(text, nullptr, false);
      REQUIRE(value.is_discarded() == expected.is_discarded());
      if (!expected.is_discarded()) CHECK(json::to_cbor(value) == json::to_cbor(expected));
    }
}

TEST_CASE("ParseJson gives the same values and types as json::parse") {
  for (const char* text : {"null",
                           "true",
                           "[]",
                           "{}",
                           "0",
                           "-1",
                           "1.0",
                           "1e5",
                           "0.1",
                           "-0.0",
                           "1e-400",
                           "5e-324",
                           "9223372036854775807",
                           "-9223372036854775808",
                           "18446744073709551615",
                           "18446744073709551616",
                           "123456789012345678901234567890",
                           "1e400",
                           "0.30000000000000004",
                           "2.2250738585072011e-308",
                           R"("\u00e9\ud83d\ude00\n\"\\")",
                           R"({"b": 1, "a": [1, 2.5, "x", null, {"c": false}], "b": 2})",
                           R"({"a": "[[[", "b\\\"": [[1]]})",
                           "  [1 ,2]\n"})
    RequireSame(text);
}

TEST_CASE("ParseJson rejects what json::parse rejects") {
  for (const char* text : {"", " ", "[", "[1,]", "{\"a\":}", "01", "1.", ".5", "+1", "nul", "[1] 2",
                           "\"\\x\"", "\"\t\"", "\"\xff\"", "\"\\ud83d\"", "{1: 2}", "NaN", "Infinity"})
    RequireSame(text);
  RequireSame(std::string("[1]\0", 4));
}

TEST_CASE("ParseJson accepts 64 levels and no more, in texts of any length") {
  for (const std::size_t filler : {std::size_t{0}, std::size_t{2} << 20})
    for (const std::size_t depth : {64U, 65U}) {
      const std::string text = std::string(depth, '[') + std::string(filler, ' ') + std::string(depth, ']');
      CHECK(ParseJson(text).is_discarded() == (depth == 65));
    }
}

TEST_CASE("ParseJson reads every number that is written") {
  std::mt19937_64 random(1);
  json numbers = json::array();
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random();
    const double value = std::bit_cast<double>(bits);
    if (std::isfinite(value)) numbers.push_back(value);
    numbers.push_back(bits);
    numbers.push_back(static_cast<std::int64_t>(bits));
  }
  CHECK(ParseJson(numbers.dump()) == numbers);
}

}  // namespace
}  // namespace okbench
