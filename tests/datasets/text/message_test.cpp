// Text extents of a message.

#include "datasets/text/message.h"

#include "tests/catch.h"

namespace okbench {
namespace {

const char* const kMessage =
    "From: a@b\nSUBJECT: Re: one\n\ttwo\nLines: 9\n\n"
    "In article <1> c@d writes:\n> quoted\n| too\nJoe wrote:\nmine > yours\n\nlast\n --\nA. Sender\n";

TEST_CASE("text extents of a message: headers, subject-body, body, stripped") {
  CHECK(TextOf(kMessage, TextExtent::kHeaders) == kMessage);
  const std::string body = TextOf(kMessage, TextExtent::kBody);
  CHECK(body.starts_with("In article"));
  CHECK(body.ends_with("A. Sender\n"));
  CHECK(TextOf(kMessage, TextExtent::kSubjectBody) == " Re: one\n\ttwo\n\n" + body);
  CHECK(TextOf(kMessage, TextExtent::kStripped) == "mine > yours\n\nlast\n");
}

TEST_CASE("end of a message's header") {
  CHECK(TextOf("A: 1\r\n\r\nx\r\n\r\ny", TextExtent::kBody) == "x\r\n\r\ny");
  CHECK(TextOf("\nx", TextExtent::kBody) == "x");
  CHECK(TextOf("A: 1\n \nx", TextExtent::kBody).empty());  // a line with a blank does not end the header
  for (const TextExtent extent : {TextExtent::kBody, TextExtent::kStripped}) {
    CHECK(TextOf("only a header", extent).empty());
    CHECK(TextOf("", extent).empty());
  }
  CHECK(TextOf("Sub: x\nsubj", TextExtent::kSubjectBody) == "\n");
}

TEST_CASE("start of a message's footer") {
  const auto stripped = [](const std::string& body) { return TextOf("\n" + body, TextExtent::kStripped); };
  CHECK(stripped("a\nb\n") == "a\nb");                 // a single paragraph is no footer
  CHECK(stripped("a\n\nb\n\nc\n\n\n") == "a\n\nb\n");  // the last paragraph is a footer
  CHECK(stripped("a\n\nb\n----\nc\nd") == "a\n\nb\n");
  CHECK(stripped("a\n- -\nb") == "a\n- -\nb");
  CHECK(stripped("--\nb") == "--\nb");
}

TEST_CASE("names of text extents and term weights in specs") {
  CHECK(std::string(ExtentName(TextExtent::kSubjectBody)) == "subject-body");
  CHECK(std::string(ExtentName(TextExtent::kStripped)) == "stripped");
  CHECK(std::string(WeightsName(TermWeights::kTfIdf)) == "tf-idf");
}

}  // namespace
}  // namespace okbench
