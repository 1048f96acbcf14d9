#pragma once
// Readers of external input, as libFuzzer and the tests run them.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace okbench::fuzz {

/// The readers of one kind of input.
struct Harness {
  std::string name;
  /// Reads arbitrary bytes. Must not throw: any exception is a finding.
  void (*run)(std::string_view bytes);
  /// Inputs to start from, most of them valid.
  std::vector<std::string> (*seeds)();
  /// Dictionary of words that occur in inputs.
  std::vector<std::string> words{};
};

Harness Archives();    ///< tar and zip archives, and compressed files
Harness Boxes();       ///< tables of boxes
Harness Catalogs();    ///< catalogs of data sets
Harness Contents();    ///< content of a trace, as the HDF5 subprocess returns it
Harness Images();      ///< images: JPEG, PNG, PGM and PPM
Harness Learners();    ///< saved learners with a valid digest
Harness Plans();       ///< plans and failure records: merging, summaries
Harness References();  ///< references of traces
Harness Segments();    ///< segments with arbitrary summary rows or bytes
Harness Results();     ///< traces with arbitrary content and valid digests: summaries, comparisons
Harness Rows();        ///< every format of rows
Harness Specs();       ///< specs, expanded to trials
Harness Traces();      ///< trace files with valid and invalid digests
Harness Upstream();    ///< archives of annotated images

/// All harnesses, sorted by name.
std::vector<Harness> Harnesses();

/// Calls `read`, which may throw SpecError, DataError, TraceError and InvalidArgument. Throws
/// std::logic_error if the message of such an error is empty.
void Documented(const std::function<void()>& read);

/// The text before the first line end, and the text after it.
std::pair<std::string_view, std::string_view> FirstLine(std::string_view text);

/// The text before the first line "--", and the text after it.
std::pair<std::string_view, std::string_view> Halves(std::string_view text);

/// Words separated by blanks.
std::vector<std::string> WordsOf(std::string_view line);

/// A tar archive. Each of its files starts with a line "== PATH" in `text`.
std::string TarOf(std::string_view text);

}  // namespace okbench::fuzz
