#pragma once
// Mail and Usenet messages: a header, a blank line and a body.

#include <string>
#include <string_view>

#include "datasets/text/text_options.h"

namespace okbench {

/// Returns the part of a message that `extent` selects. A message without a blank line has no body. Lines end
/// with a line feed; a carriage return before it counts as a blank.
///
/// kStripped trims blanks around the body, then removes
///   1. the footer: the last line that is blank or consists of dashes, and all lines after it, unless that
///      line is the first one;
///   2. lines that start with ">", "|", "In article" or "Quoted from";
///   3. lines that contain "writes in", "writes:", "wrote:", "says:" or "said:".
std::string TextOf(std::string_view message, TextExtent extent);

}  // namespace okbench
