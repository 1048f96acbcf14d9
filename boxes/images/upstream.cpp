#include "boxes/images/upstream.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/names.h"
#include "datasets/files/archive.h"

namespace okbench {
namespace {

constexpr std::string_view kVocImages = "VOC2007/JPEGImages/", kVocLists = "VOC2007/ImageSets/Main/",
                           kCaltechImages = "101_ObjectCategories/Faces/", kPascal1Images = "PNGImages/";
constexpr int kMaxCoordinate = 1 << 24;

std::string Quoted(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string shown(text.substr(0, kLongest));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return "'" + shown + (text.size() > kLongest ? "..." : "") + "'";
}

// A file of an archive, for error messages.
struct UpstreamFile {
  std::string archive, path;
  [[noreturn]] void Fail(const std::string& cause) const {
    throw DataError(archive, 0, 0, Quoted(path) + " " + cause);
  }
};

// Returns the end of `path` that starts with `folder`; empty if `path` does not contain the folder.
std::string_view PathFrom(std::string_view path, std::string_view folder) {
  const std::size_t place = path.rfind(folder);
  return place != std::string_view::npos && (place == 0 || path[place - 1] == '/') ? path.substr(place) : "";
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Returns N of a path <start>N<end>; empty for other paths.
std::string_view NumberOfPath(std::string_view path, std::string_view start, std::string_view end) {
  std::string_view text = PathFrom(path, start);
  if (text.size() < start.size() + end.size() || !text.ends_with(end)) return {};
  text = text.substr(start.size(), text.size() - start.size() - end.size());
  return IsNumber(text) ? text : "";
}

std::string NextLine(std::string_view& text) {
  std::string line(text.substr(0, text.find('\n')));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

int ReadCoordinate(const UpstreamFile& file, const std::string& text) {
  int value = 0;
  const char* end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, value);
      read.ec != std::errc() || read.ptr != end || value < 1 || value > kMaxCoordinate)
    file.Fail("has coordinate " + Quoted(text) + "; coordinates are integers that count from 1");
  return value;
}

// Converts corners that count from 1 and are inclusive to a Box.
Box BoxOfCorners(const UpstreamFile& file, int left, int top, int right, int bottom) {
  const Box box{.left = left - 1, .top = top - 1, .right = right, .bottom = bottom};
  if (box.empty())
    file.Fail("has a box without area: columns " + std::to_string(left) + " to " + std::to_string(right) +
              ", rows " + std::to_string(top) + " to " + std::to_string(bottom));
  return box;
}

[[noreturn]] void FailIn(std::span<const FileBytes> archives, const std::string& cause) {
  std::string names;
  for (const FileBytes& archive : archives) names += (names.empty() ? "" : ", ") + archive.name;
  throw DataError(names, 0, 0, cause);
}

// The annotations of an image, and the file that contains them.
struct ImageNote {
  UpstreamFile file;
  std::vector<Annotation> objects;
};
struct SplitList {
  UpstreamFile file;
  std::set<std::string> images;
};

// Results of the first pass. Images are identified by their path from the layout's folder on.
struct UpstreamNotes {
  std::map<std::string, ImageNote, std::less<>> images;
  std::map<std::string, SplitList> lists;  // by "<category>_"; "" is the list for all categories

  void Add(const UpstreamFile& file, const std::string& image, std::vector<Annotation> objects) {
    if (!images.try_emplace(image, ImageNote{file, std::move(objects)}).second)
      file.Fail("is a second annotation of " + Quoted(image));
  }
};

// Rejects XML that would overflow the stack of the parser. Counts tags: annotations have no attributes.
void RequireShallowXml(const UpstreamFile& file, std::string_view text) {
  if (text.size() > std::size_t{1} << 20) file.Fail("is larger than 1 MiB");
  int depth = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view tag = text.substr(at, text.find('>', at) - at);
    const bool element = !tag.starts_with("<?") && !tag.starts_with("<!");
    if (element ? tag.find_first_of("\"'") != std::string_view::npos : depth > 0)
      file.Fail("has XML other than plain elements: " + Quoted(tag));
    if (element && !tag.ends_with('/')) depth = std::max(depth + (tag.starts_with("</") ? -1 : 1), 0);
    if (depth > 16) file.Fail("has XML elements nested deeper than 16");
  }
}

void NoteVocXml(const ImageSelection& want, const UpstreamFile& file, const std::string& image,
                std::string_view text, UpstreamNotes& notes) {
  namespace xml = boost::property_tree;
  RequireShallowXml(file, text);
  xml::ptree tree;
  try {
    std::istringstream stream{std::string(text)};
    xml::read_xml(stream, tree, xml::xml_parser::trim_whitespace);
  } catch (const xml::xml_parser_error& error) {
    file.Fail("is not valid XML: " + error.message() + " in line " + std::to_string(error.line()));
  }
  const auto annotation = tree.get_child_optional("annotation");
  if (!annotation) file.Fail("has no element <annotation>");
  std::vector<Annotation> objects;
  for (const auto& [element, object] : *annotation) {
    if (element != "object") continue;
    const auto text_of = [&, &parent = object](const std::string& path) {
      const auto value = parent.get_optional<std::string>(path);
      if (!value) file.Fail("has an object without " + path);
      return *value;
    };
    const std::string category = text_of("name"), difficult = text_of("difficult");
    if (std::count(want.categories.begin(), want.categories.end(), category) == 0) continue;
    if (difficult != "0" && difficult != "1")
      file.Fail("has an object with difficult " + Quoted(difficult) + "; allowed are 0 and 1");
    const auto at = [&](const std::string& side) { return ReadCoordinate(file, text_of("bndbox." + side)); };
    const Box box = BoxOfCorners(file, at("xmin"), at("ymin"), at("xmax"), at("ymax"));
    objects.push_back({category, {.box = box, .difficult = difficult == "1"}});
  }
  notes.Add(file, image, std::move(objects));
}

void NoteVoc(const ImageSelection& want, const UpstreamFile& file, std::string_view text,
             UpstreamNotes& notes) {
  const auto image_of = [](std::string_view n) { return std::string(kVocImages) + std::string(n) + ".jpg"; };
  const std::string_view annotated = NumberOfPath(file.path, "VOC2007/Annotations/", ".xml");
  if (!annotated.empty()) NoteVocXml(want, file, image_of(annotated), text, notes);
  std::string_view list = PathFrom(file.path, kVocLists);
  const std::string end = want.split + ".txt";
  if (list.empty() || !list.ends_with(end)) return;
  list = list.substr(kVocLists.size(), list.size() - kVocLists.size() - end.size());
  const auto [place, added] = notes.lists.try_emplace(std::string(list), SplitList{file, {}});
  if (!added) file.Fail("appears twice");
  // Lines are "N" or, in lists of a category, "N F". The flag F is ignored; the annotations contain it.
  for (int line = 1; !text.empty(); ++line) {
    const std::string words = NextLine(text), number = words.substr(0, words.find(' '));
    if (!IsNumber(number))
      file.Fail("has no image number at the start of line " + std::to_string(line) + ": " + Quoted(words));
    place->second.images.insert(image_of(number));
  }
}

// Reads a part of a MATLAB 5 file from its start. An element consists of its type and its size, 4 bytes each,
// and its data, padded to a multiple of 8 bytes. An element of up to 4 bytes may have size and type in 4
// bytes, then 4 bytes of data.
struct MatPart {
  struct Element {
    std::uint32_t type;
    std::string_view bytes;
  };
  static constexpr std::uint32_t kMatrix = 14, kCompressed = 15;
  const UpstreamFile& file;
  bool big;  // big-endian
  std::string_view rest;

  MatPart In(std::string_view bytes) const { return {file, big, bytes}; }
  std::string_view Take(std::size_t count) {
    if (count > rest.size()) file.Fail("is a truncated MATLAB file or has elements of wrong size");
    const std::string_view taken = rest.substr(0, count);
    rest.remove_prefix(count);
    return taken;
  }
  std::uint64_t UnsignedInteger(std::size_t count) {
    std::uint64_t value = 0;
    const std::string_view bytes = Take(count);
    for (std::size_t i = 0; i < count; ++i)
      value = value << 8 | static_cast<unsigned char>(bytes[big ? i : count - 1 - i]);
    return value;
  }
  Element Next() {
    const auto word = static_cast<std::uint32_t>(UnsignedInteger(4));
    if (word >> 16 != 0) return {word & 0xffff, In(Take(4)).Take(word >> 16)};
    const Element element{word, Take(static_cast<std::size_t>(UnsignedInteger(4)))};
    if (word != kCompressed) Take(std::min((8 - element.bytes.size() % 8) % 8, rest.size()));
    return element;
  }
  static std::size_t WidthOf(std::uint32_t type) {  // bytes per number; 0: not a numeric type
    constexpr std::array<std::size_t, 14> kWidths = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
    return type < kWidths.size() ? kWidths[type] : 0;
  }
  double Number(std::uint32_t type) {
    const std::uint64_t bits = UnsignedInteger(WidthOf(type));
    if (type == 7) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (type == 9) return std::bit_cast<double>(bits);
    if (type != 1 && type != 3 && type != 5 && type != 12) return static_cast<double>(bits);
    const auto above = static_cast<int>(64 - 8 * WidthOf(type));
    return static_cast<double>(static_cast<std::int64_t>(bits << above) >> above);
  }
};

// Returns the box of the matrix box_coord; nullopt for other matrices.
std::optional<Box> BoxOfMatrix(MatPart matrix) {
  const UpstreamFile& file = matrix.file;
  MatPart flags = matrix.In(matrix.Next().bytes), sizes = matrix.In(matrix.Next().bytes);
  if (matrix.Next().bytes != "box_coord") return std::nullopt;
  std::uint64_t count = 1;
  while (!sizes.rest.empty() && count <= 4) count *= sizes.UnsignedInteger(4);
  const MatPart::Element values = matrix.Next();
  const std::size_t width = MatPart::WidthOf(values.type);
  const std::uint64_t kind = flags.UnsignedInteger(4) & 0xff;  // array class; 6 .. 15 are numeric
  if (width == 0 || values.bytes.size() != 4 * width || count != 4 || kind < 6 || kind > 15)
    file.Fail("has a box_coord that is not 4 numbers");
  MatPart numbers = matrix.In(values.bytes);
  std::array<int, 4> corners{};
  for (int& corner : corners) {
    const double value = std::floor(numbers.Number(values.type) + 0.5);
    if (!(value >= 1 && value <= kMaxCoordinate))
      file.Fail("has coordinate " + std::to_string(value) + " in box_coord; coordinates count from 1");
    corner = static_cast<int>(value);
  }
  return BoxOfCorners(file, corners[2], corners[0], corners[3], corners[1]);
}

void NoteCaltech(const UpstreamFile& file, std::string_view bytes, UpstreamNotes& notes) {
  const std::string_view number = NumberOfPath(file.path, "Annotations/Faces_2/annotation_", ".mat");
  if (number.empty()) return;
  // The header ends with the version 0x0100 and the letters "MI", both in the byte order of the writer.
  const std::string_view version = bytes.substr(0, 128).substr(std::min<std::size_t>(bytes.size(), 124));
  const bool big = version == std::string_view("\1\0MI", 4);
  if (!big && version != std::string_view("\0\1IM", 4)) file.Fail("is not a MATLAB 5 file");
  std::optional<Box> box;
  std::string inflated;
  for (MatPart part{file, big, bytes.substr(128)}; !part.rest.empty() && !box;) {
    MatPart::Element element = part.Next();
    if (element.type == MatPart::kCompressed) {
      inflated.resize(std::size_t{1} << 18);
      uLongf size = inflated.size();
      if (uncompress(reinterpret_cast<Bytef*>(inflated.data()), &size,
                     reinterpret_cast<const Bytef*>(element.bytes.data()), element.bytes.size()) != Z_OK)
        file.Fail("has a compressed element that is damaged, truncated or larger than 256 KiB");
      element = part.In(std::string_view(inflated).substr(0, size)).Next();
    }
    if (element.type == MatPart::kMatrix) box = BoxOfMatrix(part.In(element.bytes));
  }
  if (!box) file.Fail("has no box_coord");
  notes.Add(file, std::string(kCaltechImages) + "image_" + std::string(number) + ".jpg",
            {{"face", {.box = *box}}});
}

void NoteText(const ImageSelection& want, const UpstreamFile& file, std::string_view text,
              UpstreamNotes& notes) {
  if (!file.path.ends_with(".txt") || !text.starts_with("# PASCAL Annotation Version 1.00")) return;
  static const std::regex kImage(R"re(Image filename : "(.*)")re");
  static const std::regex kCount(R"re(Objects with ground truth : (\d+) .*)re");
  static const std::regex kBox(
      R"re(Bounding box for object \d+ "PAS([^"]*)" \(Xmin, Ymin\) - \(Xmax, Ymax\) : )re"
      R"re(\(([^,]*), ([^)]*)\) - \(([^,]*), ([^)]*)\))re");
  std::string image, count;
  std::size_t boxes = 0;
  std::vector<Annotation> objects;
  for (int number = 1; !text.empty(); ++number) {
    const std::string line = NextLine(text);
    std::smatch match;
    const auto read = [&](const char* start, const std::regex& whole) {
      if (!line.starts_with(start)) return false;
      // std::regex_match() uses stack space in proportion to the length of the line.
      if (line.size() > 500 || !std::regex_match(line, match, whole))
        file.Fail("cannot be read in line " + std::to_string(number) + ": " + Quoted(line));
      return true;
    };
    if (read("Image filename", kImage)) image = match.str(1);
    if (read("Objects with", kCount)) count = match.str(1);
    if (!read("Bounding box", kBox)) continue;
    ++boxes;
    for (const std::string& category : want.categories) {
      const std::string label = match.str(1), view = label.substr(std::min(category.size(), label.size()));
      if (!label.starts_with(category) || (!view.empty() && (view[0] < 'A' || view[0] > 'Z'))) continue;
      const auto corner = [&](std::size_t i) { return ReadCoordinate(file, match.str(i)); };
      objects.push_back({category, {BoxOfCorners(file, corner(2), corner(3), corner(4), corner(5))}});
      break;
    }
  }
  if (count != std::to_string(boxes))
    file.Fail("has " + std::to_string(boxes) + " bounding boxes but declares " + Quoted(count));
  const std::string key(PathFrom(image, kPascal1Images));
  if (!IsInnerName(key)) file.Fail("has an image filename outside " + std::string(kPascal1Images));
  notes.Add(file, key, std::move(objects));
}

UpstreamNotes ReadNotes(ImageLayout layout, std::span<const FileBytes> archives, const ImageSelection& want) {
  UpstreamNotes notes;
  for (const FileBytes& archive : archives)
    ForEachFile(archive.name, archive.bytes, [&](std::string_view path, std::string_view content) {
      const UpstreamFile file{archive.name, std::string(path)};
      if (layout == ImageLayout::kVoc2007) NoteVoc(want, file, content, notes);
      if (layout == ImageLayout::kCaltech101) NoteCaltech(file, content, notes);
      if (layout == ImageLayout::kPascal1) NoteText(want, file, content, notes);
    });
  if (layout != ImageLayout::kVoc2007)  // has no splits: list all images
    for (const auto& [image, note] : notes.images) notes.lists[""].images.insert(image);
  return notes;
}

struct ChosenImage {
  std::set<std::string> categories;
  std::string bytes;
};
using ChosenImages = std::map<std::string, ChosenImage, std::less<>>;

ChosenImages Choose(std::span<const FileBytes> archives, const ImageSelection& want,
                    const UpstreamNotes& notes) {
  ChosenImages chosen;
  for (const std::string& category : want.categories) {
    const auto list = notes.lists.find(notes.lists.contains("") ? "" : category + "_");
    if (list == notes.lists.end())
      FailIn(archives, "missing " + std::string(kVocLists) + "[" + category + "_]" + want.split + ".txt");
    std::size_t images = 0;
    for (const std::string& image : list->second.images) {
      if (want.most != 0 && images == want.most) break;
      const auto note = notes.images.find(image);
      if (note == notes.images.end())
        list->second.file.Fail("lists " + Quoted(image) + ", which has no annotation");
      const auto& objects = note->second.objects;
      const auto counts = std::count_if(objects.begin(), objects.end(), [&](const Annotation& a) {
        return a.category == category && !a.object.difficult;
      });
      if (counts == 0 || (want.single && counts != 1)) continue;
      chosen[image].categories.insert(category);
      ++images;
    }
    if (images == 0) FailIn(archives, "no images of category " + Quoted(category));
  }
  return chosen;
}

}  // namespace

std::vector<UpstreamImage> ReadUpstream(ImageLayout layout, std::span<const FileBytes> archives,
                                        const ImageSelection& want) {
  const UpstreamNotes notes = ReadNotes(layout, archives, want);
  ChosenImages chosen = Choose(archives, want, notes);
  const std::string_view folder = layout == ImageLayout::kVoc2007      ? kVocImages
                                  : layout == ImageLayout::kCaltech101 ? kCaltechImages
                                                                       : kPascal1Images;
  for (const FileBytes& archive : archives)
    ForEachFile(archive.name, archive.bytes, [&](std::string_view path, std::string_view content) {
      const auto place = chosen.find(PathFrom(path, folder));
      if (place == chosen.end()) return;
      const UpstreamFile file{archive.name, std::string(path)};
      if (content.empty()) file.Fail("is empty");
      if (!place->second.bytes.empty()) file.Fail("appears twice");
      place->second.bytes = content;
    });
  std::vector<UpstreamImage> images;
  for (auto& [path, choice] : chosen) {
    const ImageNote& note = notes.images.at(path);
    if (choice.bytes.empty()) note.file.Fail("annotates the missing image " + Quoted(path));
    UpstreamImage& image = images.emplace_back();
    image.annotated.name = path.substr(path.rfind('/') + 1);
    image.annotated.split = layout == ImageLayout::kVoc2007 ? want.split : "all";
    for (const Annotation& object : note.objects)
      if (choice.categories.contains(object.category)) image.annotated.objects.push_back(object);
    image.bytes = std::move(choice.bytes);
  }
  const auto name = [](const UpstreamImage& image) { return image.annotated.name; };
  std::ranges::sort(images, {}, name);
  if (const auto twice = std::ranges::adjacent_find(images, {}, name); twice != images.end())
    FailIn(archives, "two images are named " + Quoted(name(*twice)));
  return images;
}

}  // namespace okbench
