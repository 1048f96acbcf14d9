// Hierarchical ARFF: perhaps an identifier, then numeric attributes, then the class. Its attribute lists
// the nodes of a tree, and a row lists nodes joined by @. There are two forms:
//   paths   `2,3,2/0,2/0/1`; a row has the path to its leaf, `2@2/0@2/0/1`
//   pairs   `root/2, 2/2.1`: parent and child; a row may have several leaves, `2@2.1@3@3.4`. The first one is
//           its class. A row without a leaf is left out.

#include <algorithm>
#include <optional>
#include <set>

#include "datasets/formats/format.h"
#include "datasets/formats/text_lines.h"

namespace okbench::formats::arff_hierarchical {
namespace {

constexpr char kPathSeparator = '/';
constexpr std::string_view kFirstPair = "root/";  // begins a list of pairs

bool IsBelow(std::string_view node, std::string_view above) {
  return node.size() > above.size() && node.starts_with(above) && node[above.size()] == kPathSeparator;
}

using Nodes = std::set<std::string, std::less<>>;

// Parses and checks the lines up to @DATA.
class Header {
 public:
  Header(std::size_t features, const LabelMap& labels) : features_(features), labels_(labels) {}

  bool done() const { return done_; }
  bool identifier() const { return identifier_; }  // whether rows begin with one
  bool pairs() const { return pairs_; }
  const Nodes& nodes() const { return nodes_; }
  const Nodes& leaves() const { return leaves_; }

  void Read(LineReader& line) {
    const std::string keyword = LowerCase(line.Until(' '));
    if (keyword == "@relation") return;
    if (keyword == "@data")
      Finish(line);
    else if (keyword == "@attribute")
      Attribute(line);
    else
      line.Fail("expected @RELATION, @ATTRIBUTE or @DATA");
  }

 private:
  void Attribute(LineReader& line) {
    if (!leaves_.empty()) line.Fail("the class must be the last attribute");
    line.SkipBlanks();
    line.Until(' ');  // its name
    line.SkipBlanks();
    LineReader rest = line;
    const std::string type = LowerCase(line.Until(' ')), whole = LowerCase(rest.Until('\0'));
    if (type == "numeric" || type == "real" || type == "integer" || whole == "{0, 1}" || whole == "{0,1}")
      ++numbers_;
    else if (type == "hierarchical")
      Tree(line);
    else if (type == "string" && numbers_ == 0 && !identifier_)
      identifier_ = true;
    else
      line.Fail("attribute type '" + Shown(type) + "' is not numeric, nor hierarchical for the class");
  }

  // Reads the nodes of the tree. The leaves must be the classes of the catalog.
  void Tree(LineReader& line) {
    Nodes inner;  // nodes of pairs that have children
    line.SkipBlanks();
    LineReader list = line;  // for messages about the whole list
    pairs_ = list.Until('\0').starts_with(kFirstPair);
    do {
      line.SkipBlanks();
      if (line.Peek() == ',') line.Skip(1);
      line.SkipBlanks();
      std::string_view node = line.Until(',');
      if (pairs_) {
        const std::size_t end = std::min(node.find(kPathSeparator), node.size());
        inner.emplace(node.substr(0, end));
        node.remove_prefix(std::min(end + 1, node.size()));
      }
      if (node.empty()) line.Fail("a node of the tree has no name");
      if (!nodes_.emplace(node).second) line.Fail("the node '" + Shown(node) + "' is listed twice");
      line.SkipBlanks();
    } while (!line.AtEnd());
    for (const std::string& node : nodes_) {
      const auto below = nodes_.lower_bound(node + kPathSeparator);
      if (inner.contains(node) || (!pairs_ && below != nodes_.end() && IsBelow(*below, node))) continue;
      if (!labels_.Find(node))
        list.Fail("the leaf '" + Shown(node) + "' is not in the catalog; allowed are " + labels_.Allowed());
      leaves_.insert(node);
    }
    for (const std::string& token : labels_.tokens())
      if (!leaves_.contains(token)) list.Fail("class '" + token + "' is not a leaf of the tree");
  }

  void Finish(const LineReader& line) {
    if (numbers_ != features_)
      line.Fail("there are " + std::to_string(numbers_) + " numeric attributes, expected " +
                std::to_string(features_));
    if (leaves_.empty()) line.Fail("no attribute is hierarchical");
    done_ = true;
  }

  std::size_t features_;
  const LabelMap& labels_;
  std::size_t numbers_ = 0;
  Nodes nodes_, leaves_;
  bool identifier_ = false, pairs_ = false, done_ = false;
};

// Reads the class of a row; none if it lists no leaf of a tree of pairs. Of a path the longest node is the
// class, and all others must be ancestors of it.
std::optional<std::int32_t> ClassOf(LineReader& line, const Header& header, const LabelMap& labels) {
  line.SkipBlanks();
  std::string_view rest = line.Until('\0');
  if (rest.find(',') != std::string_view::npos) line.Fail("there are more numbers than attributes");
  std::vector<std::string_view> nodes;
  for (std::size_t at = rest.find('@'); at != std::string_view::npos; at = rest.find('@')) {
    nodes.push_back(rest.substr(0, at));
    rest.remove_prefix(at + 1);
  }
  nodes.push_back(rest);
  if (header.pairs()) {
    for (const std::string_view node : nodes)
      if (!header.nodes().contains(node)) line.Fail("'" + Shown(node) + "' is not a node of the tree");
    const auto first = std::ranges::find_if(nodes, [&](auto node) { return header.leaves().contains(node); });
    return first == nodes.end() ? std::nullopt : labels.Find(*first);
  }
  const auto leaf =
      *std::max_element(nodes.begin(), nodes.end(), [](auto a, auto b) { return a.size() < b.size(); });
  for (const std::string_view node : nodes)
    if (node != leaf && !IsBelow(leaf, node))
      line.Fail("'" + Shown(node) + "' is not an ancestor of '" + Shown(leaf) +
                "'; a row must have one path");
  return line.Label(leaf, labels);
}

template <class T>
RawRows<T> Read(const FormatInput& input) {
  const FileText& file = input.files[0];
  RawRows<T> rows;
  rows.features = input.features;
  Header header(input.features, input.labels);
  ForEachLine(file.name, file.bytes, [&](LineReader& line) {
    if (line.Peek() == '%') return;  // a comment
    if (!header.done()) {
      header.Read(line);
      return;
    }
    if (header.identifier()) {
      line.Until(',');
      if (line.AtEnd()) line.Fail("the row ends after its identifier");
      line.Skip(1);
    }
    for (std::size_t f = 0; f < input.features; ++f) {
      line.SkipBlanks();
      rows.values.push_back(line.Number<T>(',', "a number"));
      line.SkipBlanks();
      if (line.Peek() != ',')
        line.Fail("the row has " + std::to_string(f + 1) + " fields, expected " +
                  std::to_string(input.features) + " numbers and a class");
      line.Skip(1);
    }
    if (const auto label = ClassOf(line, header, input.labels))
      rows.labels.push_back(*label);
    else
      rows.values.resize(rows.values.size() - input.features);
  });
  if (!header.done()) throw DataError(file.name, 0, 0, "has no @DATA");
  if (rows.labels.empty()) throw DataError(file.name, 0, 0, "the data set is empty");
  return rows;
}

}  // namespace

Format Describe() {
  return {.name = "arff-hierarchical",
          .title = "hierarchical ARFF: comma-separated numbers, then the class as nodes of a tree",
          .real_targets = false,
          .shared_files = true,
          .read_float = Read<float>,
          .read_double = Read<double>};
}

}  // namespace okbench::formats::arff_hierarchical
