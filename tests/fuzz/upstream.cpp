#include "boxes/images/upstream.h"

#include "tests/fuzz/harness.h"

namespace okbench::fuzz {
namespace {

// Input: a line "LAYOUT SPLIT MOST CATEGORY...", then the files of an archive. LAYOUT begins with v, c or p.
void ReadAnyUpstream(std::string_view bytes) {
  const auto [head, content] = FirstLine(bytes);
  const std::vector<std::string> words = WordsOf(head);
  if (words.size() < 4) return;
  const ImageLayout layout = words[0][0] == 'v'   ? ImageLayout::kVoc2007
                             : words[0][0] == 'c' ? ImageLayout::kCaltech101
                                                  : ImageLayout::kPascal1;
  const ImageSelection wanted{.categories = {words.begin() + 3, words.end()},
                              .split = words[1],
                              .single = words[2].size() > 1,
                              .most = words[2].size() / 2};
  const std::string tar = TarOf(content);
  const std::vector<FileBytes> archives = {{"a.tar", tar}};
  Documented([&] { ReadUpstream(layout, archives, wanted); });
}

std::vector<std::string> OneOfEachLayout() {
  using namespace std::string_literals;
  const std::string voc =
      "voc2007 train 0 car\n== VOC2007/JPEGImages/000001.jpg\nimage\n== VOC2007/Annotations/000001.xml\n"
      "<annotation><size><width>9</width></size><object><name>car</name><difficult>0</difficult>"
      "<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object></annotation>\n"
      "== VOC2007/ImageSets/Main/";
  const std::string pascal =
      "pascal1 test 0 cow\n== x/PNGImages/a/b.png\nimage\n== x/Annotations/a/b.txt\n# PASCAL Annotation "
      "Version "
      "1.00\nImage filename : \"x/PNGImages/a/b.png\"\nObjects with ground truth : 1 { \"PAScowSide\" }\n"
      "Bounding box for object 1 \"PAScowSide\" (Xmin, Ymin) - (Xmax, Ymax) : (1, 2) - (30, 40)\n";
  // MATLAB 5 files, little-endian: one with a matrix of four doubles, one with a matrix of bytes.
  const std::string version = std::string(124, ' ') + "\0\1IM"s;
  const std::string flags = "\6\0\0\0\x08\0\0\0\6\0\0\0\0\0\0\0"s,
                    name = "\1\0\0\0\x09\0\0\0box_coord\0\0\0\0\0\0\0"s;
  const std::string sizes = "\5\0\0\0\x08\0\0\0\1\0\0\0\4\0\0\0"s;
  const std::string values = "\2\0\0\0\4\0\0\0\1\x09\2\x0a\0\0\0\0"s;
  const std::string matrix = flags + sizes + name + values;
  const std::string mat = version + "\x0e\0\0\0"s + static_cast<char>(matrix.size()) + "\0\0\0"s + matrix;
  return {voc + "train.txt\n000001\n", voc + "car_train.txt\n000001  1\n", pascal,
          "caltech101 all 0 face\n== 101_ObjectCategories/Faces/image_0001.jpg\nimage\n== "
          "Annotations/Faces_2/annotation_0001.mat\n" +
              mat};
}

}  // namespace

Harness Upstream() {
  return {"upstream",
          ReadAnyUpstream,
          OneOfEachLayout,
          {"<object>", "</object>", "<bndbox>", "<xmin>", "<!--", "<![CDATA[", "&amp;", "<?xml",
           "\n== VOC2007/Annotations/2.xml\n", "\n== VOC2007/ImageSets/Main/train.txt\n",
           "Bounding box for object", "box_coord", "16777216"}};
}

}  // namespace okbench::fuzz
