#pragma once
// What comes from outside, as libFuzzer and the tests feed it to the readers themselves. One file a harness.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace okbench::fuzz {

/// The readers of one kind of input.
struct Harness {
  std::string name;
  /// Reads any bytes at all. Returns; whatever it throws is a finding.
  void (*run)(std::string_view bytes);
  /// Inputs to begin with, most of them good.
  std::vector<std::string> (*seeds)();
  /// Words that inputs are made of.
  std::vector<std::string> words{};
};

Harness Archives();    ///< tar and zip, and files that are packed
Harness Boxes();       ///< tables of boxes
Harness Catalogues();  ///< catalogues of data sets
Harness Contents();    ///< what the process that has HDF5 says of a trace
Harness Images();      ///< JPEG, PNG, PGM and PPM
Harness Learners();    ///< saved learners whose digest fits
Harness Plans();       ///< plans and records of failures: merging, summaries
Harness References();  ///< references of traces
Harness Results();     ///< traces of any content whose digests fit: summaries, comparisons
Harness Rows();        ///< every format of rows
Harness Specs();       ///< specs, up to their trials
Harness Traces();      ///< files of traces, the digest of their bytes made to fit or not
Harness Upstream();    ///< archives of annotated images

/// All of them.
std::vector<Harness> Harnesses();

/// Calls `read`, which may throw SpecError, DataError, TraceError and InvalidArgument. Throws
/// std::logic_error for one of these without a message.
void Documented(const std::function<void()>& read);

/// The text before the first line end, and after it.
std::pair<std::string_view, std::string_view> FirstLine(std::string_view text);

/// The text before the first line that is "--", and after it.
std::pair<std::string_view, std::string_view> Halves(std::string_view text);

/// Words that blanks divide.
std::vector<std::string> WordsOf(std::string_view line);

/// An archive (tar) of files that begin with a line "== PATH" each.
std::string TarOf(std::string_view text);

}  // namespace okbench::fuzz
