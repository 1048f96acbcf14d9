#include "tests/fuzz/harness.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "base/error.h"
#include "base/names.h"

namespace okbench::fuzz {
namespace {

// main() prints messages with OneLine(). An empty message would not say what is wrong.
void RequireWords(const std::exception& error) {
  if (OneLine(error.what()).empty()) throw std::logic_error("an error without a message");
}

std::string Octal(std::size_t value, std::size_t width) {
  std::string digits(width - 1, '0');
  for (std::size_t i = digits.size(); i-- > 0; value /= 8) digits[i] = static_cast<char>('0' + value % 8);
  return digits + '\0';
}

// A file of an archive in the ustar format.
void AddMember(std::string& tar, std::string_view path, std::string_view content) {
  std::string head(path.substr(0, 100));
  head.resize(100, '\0');
  head += Octal(0644, 8) + Octal(0, 8) + Octal(0, 8) + Octal(content.size(), 12) + Octal(0, 12);
  head += "        0";
  head.resize(257, '\0');
  head += std::string("ustar\00000", 8);
  head.resize(512, '\0');
  std::size_t sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  head.replace(148, 8, Octal(sum, 7) + ' ');
  tar += head;
  tar += content;
  tar.resize((tar.size() + 511) / 512 * 512, '\0');
}

}  // namespace

std::vector<Harness> Harnesses() {
  std::vector<Harness> all = {Archives(), Catalogs(), Contents(), Learners(), Plans(), References(),
                              Results(),  Rows(),     Segments(), Specs(),    Traces()};
#ifdef OKBENCH_BOXES
  all.insert(all.end(), {Boxes(), Images(), Upstream()});
#endif
  std::ranges::sort(all, {}, &Harness::name);
  return all;
}

void Documented(const std::function<void()>& read) {
  try {
    read();
  } catch (const SpecError& error) {
    RequireWords(error);
  } catch (const DataError& error) {
    RequireWords(error);
  } catch (const TraceError& error) {
    RequireWords(error);
  } catch (const InvalidArgument& error) {
    RequireWords(error);
  }
}

std::pair<std::string_view, std::string_view> FirstLine(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  return {text.substr(0, end), text.substr(std::min(end + 1, text.size()))};
}

std::pair<std::string_view, std::string_view> Halves(std::string_view text) {
  constexpr std::string_view kBetween = "\n--\n";
  const std::size_t end = std::min(text.find(kBetween), text.size());
  return {text.substr(0, end), text.substr(std::min(end + kBetween.size(), text.size()))};
}

std::vector<std::string> WordsOf(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string TarOf(std::string_view text) {
  constexpr std::string_view kStart = "== ";
  std::string tar;
  while (text.starts_with(kStart)) {
    const auto [path, rest] = FirstLine(text.substr(kStart.size()));
    const std::size_t end = std::min(rest.find("\n== "), rest.size());
    AddMember(tar, path, rest.substr(0, end));
    text = rest.substr(std::min(end + 1, rest.size()));
  }
  return tar + std::string(1024, '\0');
}

}  // namespace okbench::fuzz
