#pragma once
// Rows that bench/bench_external.py writes for programs of other libraries, and what these print.
//
// An input file is little-endian: int32 rows, int32 features, int32 values; then, one after the other, int32
// starts[rows + 1], int32 indices[values] (0-based), float64 values[values], and int32 labels[rows] (-1 or
// 1).

#include <sys/resource.h>
#include <sys/time.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace okbench::bench {

struct ExternalRows {
  std::int32_t features = 0;
  std::vector<std::int32_t> starts, indices, labels;
  std::vector<double> values;

  std::size_t size() const { return labels.size(); }

  /// Reads a file. Throws std::runtime_error if it cannot be read.
  explicit ExternalRows(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::int32_t head[3] = {};
    file.read(reinterpret_cast<char*>(head), sizeof head);
    if (!file || head[0] < 1 || head[1] < 1 || head[2] < 0) throw std::runtime_error(path + ": bad header");
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
    if (!file) throw std::runtime_error(path + ": file is truncated");
  }
};

/// Rows in the format of LIBSVM and LIBLINEAR: pairs of 1-based index and value, with index -1 at the end of
/// a row. With `constant`, each row has one more feature, of value 1.
template <class Node>
struct ExternalNodes {
  std::vector<Node> nodes;
  std::vector<Node*> rows;

  explicit ExternalNodes(const ExternalRows& from, bool constant = false) {
    nodes.reserve(from.values.size() + 2 * from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      rows.push_back(nodes.data() + nodes.size());
      for (std::int32_t at = from.starts[i]; at < from.starts[i + 1]; ++at)
        nodes.push_back({from.indices[at] + 1, from.values[at]});
      if (constant) nodes.push_back({static_cast<int>(from.features) + 1, 1});
      nodes.push_back({-1, 0});
    }
  }
};

/// Result of an external program; processor times in seconds.
struct ExternalResult {
  double fit_seconds = 0, predict_seconds = 0;
  std::uint64_t wrong = 0, fit_evaluations = 0, predict_evaluations = 0, vectors = 0;

  /// Prints one line of JSON.
  void Print() const {
    std::printf("{\"fit_seconds\": %.6f, \"predict_seconds\": %.6f, \"wrong\": %llu, ", fit_seconds,
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

/// Returns the processor seconds of fit(). SIGPROF ends the process after `limit` seconds (a number, 0: no
/// limit).
template <class Fit>
double TimedFit(const std::string& limit, const Fit& fit) {
  const double most = std::stod(limit);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(most);
  timer.it_value.tv_usec = static_cast<suseconds_t>((most - std::floor(most)) * 1e6);
  setitimer(ITIMER_PROF, &timer, nullptr);
  const double begin = ProcessorSeconds();
  fit();
  const double seconds = ProcessorSeconds() - begin;
  timer = {};
  setitimer(ITIMER_PROF, &timer, nullptr);
  return seconds;
}

/// Calls `run` with the arguments of a program and returns its exit status. Prints exceptions on one line.
/// The single argument --version prints `library` instead.
template <class Run>
int ExternalMain(const char* name, const std::string& library, int count, char** words, const Run& run) {
  try {
    const std::vector<std::string> given(words + 1, words + count);
    if (given == std::vector<std::string>{"--version"}) return std::puts(library.c_str()) < 0 ? 1 : 0;
    return run(given);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return 1;
  }
}

/// Formats the version numbers of LIBSVM and LIBLINEAR: "2.30" for 230.
inline std::string ExternalVersion(int number) {
  const std::string minor = std::to_string(number % 100);
  return std::to_string(number / 100) + "." + (minor.size() < 2 ? "0" : "") + minor;
}

}  // namespace okbench::bench
