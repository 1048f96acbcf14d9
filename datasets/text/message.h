#pragma once
// Messages of mail and Usenet: header, blank line, body.

#include <string>
#include <string_view>

#include "datasets/text/text_options.h"

namespace okbench {

/// What the extent leaves of a message. Without a blank line there is no body. Lines end with a line feed; a
/// carriage return before it is a blank.
///
/// Stripped bodies, without the blanks around them, lose their footer first: everything from the last line on
/// that is blank or nothing but dashes, unless that is the first one. Then they lose the lines that start
/// with > or |, with "In article" or "Quoted from", or that hold "writes in", "writes:", "wrote:", "says:"
/// or "said:".
std::string TextOf(std::string_view message, TextExtent extent);

}  // namespace okbench
