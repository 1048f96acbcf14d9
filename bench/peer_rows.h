#pragma once
// Rows that bench/python_peers.py writes for programs of other libraries, and what these print.
//
// A file is little-endian: int32 rows, int32 features, int32 values; then, one after the other, int32
// starts[rows + 1], int32 indices[values] (from 0), float64 values[values], and int32 labels[rows] (-1
// or 1).

#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace okbench::bench {

struct PeerRows {
  std::int32_t features = 0;
  std::vector<std::int32_t> starts, indices, labels;
  std::vector<double> values;

  std::size_t size() const { return labels.size(); }

  /// Throws std::runtime_error when the file cannot be read.
  explicit PeerRows(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::int32_t head[3] = {};
    file.read(reinterpret_cast<char*>(head), sizeof head);
    if (!file || head[0] < 1 || head[1] < 1 || head[2] < 0) throw std::runtime_error(path + ": no rows");
    features = head[1];
    const auto read = [&](auto& into, std::size_t count) {
      into.resize(count);
      file.read(reinterpret_cast<char*>(into.data()),
                static_cast<std::streamsize>(count * sizeof into.front()));
    };
    read(starts, static_cast<std::size_t>(head[0]) + 1);
    read(indices, static_cast<std::size_t>(head[2]));
    read(values, static_cast<std::size_t>(head[2]));
    read(labels, static_cast<std::size_t>(head[0]));
    if (!file) throw std::runtime_error(path + ": it ends too early");
  }
};

/// What a peer did; processor time in seconds.
struct PeerResult {
  double fit_seconds = 0, predict_seconds = 0;
  std::uint64_t wrong = 0, fit_evaluations = 0, predict_evaluations = 0, vectors = 0;

  /// One line of JSON; `library` with its version.
  void Print(const std::string& library) const {
    std::printf("{\"library\": \"%s\", ", library.c_str());
    std::printf("\"fit_seconds\": %.6f, \"predict_seconds\": %.6f, \"wrong\": %llu, ", fit_seconds,
                predict_seconds, static_cast<unsigned long long>(wrong));
    std::printf("\"fit_evaluations\": %llu, \"predict_evaluations\": %llu, \"vectors\": %llu}\n",
                static_cast<unsigned long long>(fit_evaluations),
                static_cast<unsigned long long>(predict_evaluations),
                static_cast<unsigned long long>(vectors));
  }
};

/// Processor time of this process so far, in seconds.
inline double ProcessorSeconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// `run` of a program's words; its exit status. What it throws is told in one line.
template <class Run>
int PeerMain(const char* name, int count, char** words, const Run& run) {
  try {
    return run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return 1;
  }
}

}  // namespace okbench::bench
