// Small versions of the publishers' archives, made with libarchive, and downscaled images.

#include "boxes/images/upstream.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "base/error.h"
#include "base/sha256.h"
#include "boxes/images/scale.h"
#include "tests/catch.h"
#include "tests/datasets/packed.h"

namespace okbench {
namespace {

using Catch::Contains;

using testing::Pack;
using testing::PackedFiles;

std::vector<UpstreamImage> ReadPacked(ImageLayout layout, const PackedFiles& files,
                                      const ImageSelection& wanted) {
  const std::string bytes = Pack(files);
  const std::vector<FileBytes> archives = {{"set.tar", bytes}};
  return ReadUpstream(layout, archives, wanted);
}

std::string NamesIn(const std::vector<UpstreamImage>& images) {
  std::string names;
  for (const UpstreamImage& image : images) names += (names.empty() ? "" : " ") + image.annotated.name;
  return names;
}

std::string BoxesIn(const UpstreamImage& image) {
  std::string text;
  for (const auto& [category, object] : image.annotated.objects) {
    const Box& b = object.box;
    text += (text.empty() ? "" : "; ") + category;
    for (const int x : {b.left, b.top, b.right, b.bottom}) text += " " + std::to_string(x);
    if (object.difficult) text += " difficult";
  }
  return text;
}

// Message of the DataError, on one line.
std::string Refusal(ImageLayout layout, const PackedFiles& files, const ImageSelection& wanted) {
  try {
    ReadPacked(layout, files, wanted);
  } catch (const DataError& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

// ---- PASCAL VOC 2007

const std::string kVoc = "VOCdevkit/VOC2007/";

std::string VocObject(const std::string& name, int difficult, const std::string& corners = "10 20 30 40") {
  std::istringstream in(corners);
  std::string x0, y0, x1, y1;
  in >> x0 >> y0 >> x1 >> y1;
  return "\t<object>\n\t\t<name>" + name + "</name>\n\t\t<pose>Left</pose>\n\t\t<difficult>" +
         std::to_string(difficult) + "</difficult>\n\t\t<bndbox>\n\t\t\t<xmin>" + x0 + "</xmin>\n<ymin>" +
         y0 + "</ymin><xmax> " + x1 + " </xmax><ymax>" + y1 + "</ymax></bndbox>\n" +
         "<part><name>head</name><bndbox><xmin>1</xmin></bndbox></part></object>\n";
}

std::string VocXml(const std::string& objects) {
  return "<annotation>\n\t<folder>VOC2007</folder>\n<owner><name>Tom &amp; Jerry's \"zoo\"</name></owner>" +
         objects + "</annotation>\n";
}

// Lists before, between and after annotations and images, all unsorted.
PackedFiles VocFiles() {
  return {{kVoc + "JPEGImages/000009.jpg", "nine"},
          {kVoc + "ImageSets/Main/train.txt", "000005\n000009\r\n000001\n000007"},
          {kVoc + "Annotations/000005.xml", VocXml(VocObject("car", 0, "1 2 3 4") + VocObject("cat", 0))},
          {kVoc + "Annotations/000009.xml",
           "<?xml version=\"1.0\"?>" + VocXml(VocObject("car", 1, "5 5 5 5") + VocObject("dog", 0) +
                                              VocObject("car", 0, "7 8 500 333"))},
          {kVoc + "Annotations/000001.xml",
           VocXml(VocObject("car", 0) + VocObject("cat", 0) + VocObject("car", 0, "11 21 31 41"))},
          {kVoc + "Annotations/000007.xml", VocXml(VocObject("car", 1) + VocObject("dog", 0))},
          {kVoc + "Annotations/000002.xml", VocXml(VocObject("car", 0))},
          {kVoc + "JPEGImages/000001.jpg", "one"},
          {kVoc + "JPEGImages/000002.jpg", "two"},
          {kVoc + "JPEGImages/000005.jpg", "five"},
          {kVoc + "JPEGImages/000007.jpg", "seven"},
          {kVoc + "ImageSets/Main/trainval.txt", "not read"},
          {kVoc + "ImageSets/Main/test.txt", "000002\n"},
          {kVoc + "SegmentationClass/000001.png", "not read"}};
}

TEST_CASE("VOC 2007: images of a split and their boxes, sorted by name") {
  const auto images =
      ReadPacked(ImageLayout::kVoc2007, VocFiles(), {.categories = {"car"}, .split = "train"});
  REQUIRE(NamesIn(images) == "000001.jpg 000005.jpg 000009.jpg");  // 000007 has only difficult cars
  CHECK(images[0].bytes == "one");
  CHECK(images[0].annotated.split == "train");
  CHECK(BoxesIn(images[0]) == "car 9 19 30 40; car 10 20 31 41");
  CHECK(images[1].bytes == "five");
  CHECK(BoxesIn(images[1]) == "car 0 1 3 4");
  CHECK(BoxesIn(images[2]) == "car 4 4 5 5 difficult; car 6 7 500 333");
  const auto test = ReadPacked(ImageLayout::kVoc2007, VocFiles(), {.categories = {"car"}, .split = "test"});
  CHECK(NamesIn(test) == "000002.jpg");
  CHECK(test[0].annotated.split == "test");
}

TEST_CASE("VOC 2007: single objects, the first images, several categories") {
  ImageSelection wanted{.categories = {"car"}, .split = "train", .single = true};
  auto images = ReadPacked(ImageLayout::kVoc2007, VocFiles(), wanted);
  CHECK(NamesIn(images) == "000005.jpg 000009.jpg");
  CHECK(BoxesIn(images[1]) == "car 4 4 5 5 difficult; car 6 7 500 333");
  wanted.most = 1;
  CHECK(NamesIn(ReadPacked(ImageLayout::kVoc2007, VocFiles(), wanted)) == "000005.jpg");
  // 000001 has two cars, and is also listed for cats. It is the first of both.
  wanted.categories = {"car", "cat"};
  images = ReadPacked(ImageLayout::kVoc2007, VocFiles(), wanted);
  REQUIRE(NamesIn(images) == "000001.jpg 000005.jpg");
  CHECK(BoxesIn(images[0]) == "cat 9 19 30 40");
  CHECK(BoxesIn(images[1]) == "car 0 1 3 4");
  // An image of both categories keeps its objects in source order. A repeated category counts once.
  images = ReadPacked(ImageLayout::kVoc2007, VocFiles(),
                      {.categories = {"cat", "car", "cat"}, .split = "train", .most = 1});
  REQUIRE(NamesIn(images) == "000001.jpg");
  CHECK(BoxesIn(images[0]) == "car 9 19 30 40; cat 9 19 30 40; car 10 20 31 41");
}

TEST_CASE("VOC 2007: lists of a category, archives in parts, other top folders") {
  PackedFiles files = VocFiles(),
              lists = {{"./a/VOC2007/ImageSets/Main/car_train.txt", "000001 -1\n000009  1\n"},
                       {"./a/VOC2007/ImageSets/Main/dog_train.txt", "000007  0\n"}};
  std::erase_if(files, [](const auto& file) { return file.first.ends_with("Main/train.txt"); });
  const std::string tar = Pack(files), zip = Pack(lists, true);
  const std::vector<FileBytes> archives = {{"a.tar", tar}, {"b.zip", zip}};
  const auto images =
      ReadUpstream(ImageLayout::kVoc2007, archives, {.categories = {"car", "dog"}, .split = "train"});
  REQUIRE(NamesIn(images) == "000001.jpg 000007.jpg 000009.jpg");
  CHECK(BoxesIn(images[1]) == "dog 9 19 30 40");
  CHECK(BoxesIn(images[2]) == "car 4 4 5 5 difficult; car 6 7 500 333");  // its dog is not listed
  CHECK_THROWS_WITH(ReadUpstream(ImageLayout::kVoc2007, archives, {.categories = {"cat"}, .split = "train"}),
                    "a.tar, b.zip: missing VOC2007/ImageSets/Main/[cat_]train.txt");
}

TEST_CASE("VOC 2007: errors name archive, member and cause") {
  const ImageSelection wanted{.categories = {"car"}, .split = "train"};
  const std::string xml = "Annotations/000005.xml", at = "set.tar: '" + kVoc + xml + "' ";
  const auto refusal = [&](const std::string& path, const std::string& content) {
    PackedFiles files = VocFiles();
    const auto file = std::ranges::find(files, kVoc + path, &PackedFiles::value_type::first);
    REQUIRE(file != files.end());
    file->second = content;
    return Refusal(ImageLayout::kVoc2007, files, wanted);
  };
  const auto of_box = [&](const std::string& corners) {
    return refusal(xml, VocXml(VocObject("car", 0, corners)));
  };
  const std::string good = VocXml(VocObject("car", 0));
  const auto without = [&](const std::string& name) {
    std::string text = good;
    text.replace(text.rfind("<" + name + ">"), name.size() + 2, "<x>");
    text.replace(text.rfind("</" + name + ">"), name.size() + 3, "</x>");
    return refusal(xml, text);
  };
  CHECK(refusal(xml, good).empty());
  CHECK_THAT(refusal(xml, ""),
             Contains(at) && Contains("is not valid XML") || Contains("no element <annotation>"));
  CHECK_THAT(refusal(xml, "JFIF"), Contains(at + "is not valid XML"));
  CHECK_THAT(refusal(xml, good.substr(0, good.size() / 2)), Contains(at + "is not valid XML"));
  CHECK_THAT(refusal(xml, "<annotations></annotations>"), Contains(at + "has no element <annotation>"));
  CHECK_THAT(refusal(xml, "<annotation><object a=\"b\"></object></annotation>"), Contains("plain elements"));
  CHECK_THAT(refusal(xml, "<annotation><!-- </a> --></annotation>"), Contains("plain elements"));
  CHECK_THAT(refusal(xml, "<annotation><object/></annotation>"), Contains(at + "has an object without name"));
  CHECK_THAT(without("difficult"), Contains(at + "has an object without difficult"));
  CHECK_THAT(without("ymax"), Contains(at + "has an object without bndbox.ymax"));
  CHECK_THAT(refusal(xml, VocXml(VocObject("car", 2))), Contains("difficult '2'; allowed are 0 and 1"));
  for (const std::string number : {"", "x", "1x", "0", "-3", "1.5", "99999999999999", "16777217"})
    CHECK_THAT(of_box("1 2 3 " + number), Contains(at + "has coordinate '" + number + "'"));
  CHECK_THAT(of_box("5 2 4 9"), Contains(at + "has a box without area: columns 5 to 4, rows 2 to 9"));
  CHECK_THAT(of_box("5 9 5 8"), Contains("without area"));
  CHECK_THAT(refusal(xml, std::string((1 << 20) + 1, ' ')), Contains(at + "is larger than 1 MiB"));
  // Elements in elements would exhaust the parser's stack, also where closing tags that are none hide them.
  for (const std::string level :
       {"<a>", "<a b='</a>'>", "<a><!--</a>-->", "<a><?</a>?>", "<a><![CDATA[</a>]]>"}) {
    std::string deep = level == "<a>" ? "" : "<!-- </a></a> -->";
    for (int i = 0; i < 50000; ++i) deep += level;
    CHECK_THAT(refusal(xml, deep), Contains(at + "has XML "));
  }
  CHECK_THAT(refusal("ImageSets/Main/train.txt", "000001\nnone 1\n"),
             Contains("Main/train.txt' has no image number at the start of line 2: 'none 1'"));
  CHECK_THAT(refusal("ImageSets/Main/train.txt", "000001\n000003\n"),
             Contains("Main/train.txt' lists 'VOC2007/JPEGImages/000003.jpg', which has no annotation"));
  CHECK_THAT(refusal("JPEGImages/000005.jpg", ""), Contains("000005.jpg' is empty"));
  PackedFiles files = VocFiles();
  const auto refused = [&](const char* cause) {
    CHECK_THAT(Refusal(ImageLayout::kVoc2007, files, wanted), Contains(cause));
    files = VocFiles();
  };
  files.push_back(files[0]);
  refused("set.tar: 'VOCdevkit/VOC2007/JPEGImages/000009.jpg' appears twice");
  files.push_back(files[1]);
  refused("Main/train.txt' appears twice");
  files.push_back(files[2]);
  refused("000005.xml' is a second annotation of 'VOC2007/JPEGImages/000005.jpg'");
  files.erase(files.begin());
  refused("000009.xml' annotates the missing image 'VOC2007/JPEGImages/000009.jpg'");
  CHECK_THAT(Refusal(ImageLayout::kVoc2007, files, {.categories = {"sheep"}, .split = "train"}),
             Contains("set.tar: no images of category 'sheep'"));
  const std::string tar = Pack(files).substr(0, 3000);
  const std::vector<FileBytes> archives = {{"set.tar", tar}};
  CHECK_THROWS_WITH(ReadUpstream(ImageLayout::kVoc2007, archives, wanted), Contains("truncated or damaged"));
}

// ---- Caltech-101

struct MatWriter {
  bool big = false, compressed = false, short_elements = false;

  std::string Whole(std::uint64_t value, std::size_t count) const {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i)
      bytes += static_cast<char>(value >> 8 * (big ? count - 1 - i : i) & 0xff);
    return bytes;
  }
  std::string Element(std::uint32_t type, const std::string& bytes) const {
    if (short_elements && bytes.size() <= 4)
      return Whole(bytes.size() << 16 | type, 4) + bytes + std::string(4 - bytes.size(), '\0');
    return Whole(type, 4) + Whole(bytes.size(), 4) + bytes + std::string((8 - bytes.size() % 8) % 8, '\0');
  }
  // A row of numbers, given by their bits, the type of the data and the type of the matrix.
  std::string Matrix(const std::string& name, std::uint32_t type, std::size_t width,
                     const std::vector<std::uint64_t>& bits, std::uint32_t kind = 6) const {
    std::string values;
    for (const std::uint64_t b : bits) values += Whole(b, width);
    const std::string matrix = Element(14, Element(6, Whole(kind, 4) + Whole(0, 4)) +
                                               Element(5, Whole(1, 4) + Whole(bits.size(), 4)) +
                                               Element(1, name) + Element(type, values));
    if (!compressed) return matrix;
    std::string packed(compressBound(matrix.size()), '\0');
    uLongf size = packed.size();
    REQUIRE(compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                     reinterpret_cast<const Bytef*>(matrix.data()), matrix.size()) == Z_OK);
    return Whole(15, 4) + Whole(size, 4) + packed.substr(0, size);
  }
  std::string File(const std::string& matrices) const {
    return "MATLAB 5.0 MAT-file" + std::string(124 - 19, ' ') + Whole(0x0100, 2) + (big ? "MI" : "IM") +
           matrices;
  }
};

const ImageSelection kFaces{.categories = {"face"}};

PackedFiles FaceFiles(const std::string& mat) {
  return {{"101_ObjectCategories/Faces/image_0001.jpg", "one"},
          {"101_ObjectCategories/Faces_easy/image_0001.jpg", "not read"},
          {"Annotations/Faces_2/annotation_0001.mat", mat},
          {"Annotations/Faces_2/._annotation_0001.mat", "not read"},
          {"Annotations/Faces_3/annotation_0001.mat", "not read"},
          {"101_ObjectCategories/Faces/image_0002.jpg", "no annotation"}};
}

std::string FaceRefusal(const std::string& mat) {
  return Refusal(ImageLayout::kCaltech101, FaceFiles(mat), kFaces);
}

std::uint64_t DoubleBits(double value) { return std::bit_cast<std::uint64_t>(value); }

// top, bottom, left, right
const std::vector<std::uint64_t> kFaceCorners = {30, 137, 49, 124};
const std::vector<std::uint64_t> kFaceDoubles = {DoubleBits(30), DoubleBits(137), DoubleBits(49),
                                                 DoubleBits(124.4)};

TEST_CASE("Caltech-101: boxes in any number type, compression and byte order") {
  for (const bool big : {false, true})
    for (const bool compressed : {false, true})
      for (const bool short_elements : {false, true}) {
        const MatWriter writer{big, compressed, short_elements};
        std::vector<std::string> matrices = {writer.Matrix("box_coord", 9, 8, kFaceDoubles)};
        std::vector<std::uint64_t> floats;
        for (const std::uint64_t corner : kFaceCorners)
          floats.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(corner)));
        matrices.push_back(writer.Matrix("box_coord", 7, 4, floats, 7));
        for (const auto& [type, width] : std::vector<std::pair<std::uint32_t, std::size_t>>{
                 {2, 1}, {3, 2}, {4, 2}, {5, 4}, {6, 4}, {12, 8}, {13, 8}})
          matrices.push_back(writer.Matrix("box_coord", type, width, kFaceCorners));
        for (const std::string& matrix : matrices) {
          const std::string contour = writer.Matrix("obj_contour", 9, 8, std::vector<std::uint64_t>(40));
          for (const std::string& body : {contour + matrix, matrix + contour}) {
            const auto images = ReadPacked(ImageLayout::kCaltech101, FaceFiles(writer.File(body)), kFaces);
            REQUIRE(NamesIn(images) == "image_0001.jpg");
            CHECK(images[0].annotated.split == "all");
            CHECK(images[0].bytes == "one");
            CHECK(BoxesIn(images[0]) == "face 48 29 124 137");
          }
        }
        // Four one-byte numbers use the short element format.
        const auto images =
            ReadPacked(ImageLayout::kCaltech101,
                       FaceFiles(writer.File(writer.Matrix("box_coord", 1, 1, {3, 100, 5, 127}))), kFaces);
        CHECK(BoxesIn(images[0]) == "face 4 2 127 100");
      }
}

TEST_CASE("Caltech-101: images and annotations in separate archives") {
  const MatWriter writer;
  PackedFiles pictures, annotations;
  for (const std::string number : {"0003", "0001", "0002"}) {
    pictures.push_back({"101_ObjectCategories/Faces/image_" + number + ".jpg", number});
    annotations.push_back({"Annotations/Faces_2/annotation_" + number + ".mat",
                           writer.File(writer.Matrix("box_coord", 9, 8, kFaceDoubles))});
  }
  const std::string zip = Pack(pictures, true), tar = Pack(annotations);
  const std::vector<FileBytes> archives = {{"a.zip", zip}, {"b.tar", tar}};
  ImageSelection wanted = kFaces;
  CHECK(NamesIn(ReadUpstream(ImageLayout::kCaltech101, archives, wanted)) ==
        "image_0001.jpg image_0002.jpg image_0003.jpg");
  wanted.most = 2;
  const auto images = ReadUpstream(ImageLayout::kCaltech101, archives, wanted);
  CHECK(NamesIn(images) == "image_0001.jpg image_0002.jpg");
  CHECK(images[1].bytes == "0002");
}

TEST_CASE("Caltech-101: invalid, truncated and inconsistent MATLAB files are rejected") {
  const std::string at = "set.tar: 'Annotations/Faces_2/annotation_0001.mat' ";
  const MatWriter writer;
  const auto of_corners = [&](double top, double bottom, double left, double right) {
    return FaceRefusal(writer.File(writer.Matrix(
        "box_coord", 9, 8, {DoubleBits(top), DoubleBits(bottom), DoubleBits(left), DoubleBits(right)})));
  };
  CHECK(of_corners(1, 1, 1, 1).empty());
  CHECK_THAT(of_corners(1, 9, 5, 4), Contains(at + "has a box without area: columns 5 to 4, rows 1 to 9"));
  for (const double bad : {0.0, 0.4, -1.0, 2e7, 1e300, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()})
    CHECK_THAT(of_corners(1, 9, 5, bad), Contains(at + "has coordinate ") && Contains("count from 1"));
  CHECK_THAT(FaceRefusal(writer.File(writer.Matrix("box_coord", 3, 2, {1, 2, 0xffff, 4}))),
             Contains("has coordinate -1.0"));
  for (const std::string& mat :
       {std::string(), std::string("MATLAB"), std::string(128, '\0'), std::string(4000, 'x')})
    CHECK_THAT(FaceRefusal(mat), Contains(at + "is not a MATLAB 5 file"));
  CHECK_THAT(FaceRefusal(writer.File("")), Contains(at + "has no box_coord"));
  CHECK_THAT(FaceRefusal(writer.File(writer.Matrix("box", 9, 8, kFaceDoubles))),
             Contains(at + "has no box_coord"));
  const std::string numbers = "has a box_coord that is not 4 numbers";
  CHECK_THAT(FaceRefusal(writer.File(writer.Matrix("box_coord", 9, 8, {1, 2, 3}))), Contains(at + numbers));
  CHECK_THAT(FaceRefusal(writer.File(writer.Matrix("box_coord", 9, 4, kFaceCorners))), Contains(numbers));
  CHECK_THAT(FaceRefusal(writer.File(writer.Matrix("box_coord", 14, 8, kFaceCorners))), Contains(numbers));
  CHECK_THAT(FaceRefusal(writer.File(writer.Matrix("box_coord", 4, 2, kFaceCorners, 4))), Contains(numbers));
  // Two elements with sizes larger than the file, in the file and in the matrix.
  const std::string lies = writer.Whole(14, 4) + writer.Whole(0xfffffff8, 4) + std::string(64, '\0');
  CHECK_THAT(FaceRefusal(writer.File(lies)),
             Contains(at + "is a truncated MATLAB file or has elements of wrong"));
  CHECK_THAT(FaceRefusal(writer.File(writer.Element(14, lies))), Contains("is a truncated MATLAB file"));
  CHECK_THAT(FaceRefusal(writer.File(writer.Whole(0x00050001, 4) + "abcd")),
             Contains("is a truncated MATLAB"));
  // A compressed element that is none, and one that grows by a factor of 1000.
  const std::string packed = "has a compressed element that is damaged, truncated or larger than 256 KiB";
  CHECK_THAT(FaceRefusal(writer.File(writer.Element(15, "no zlib stream.."))), Contains(at + packed));
  const MatWriter compressing{.compressed = true};
  CHECK_THAT(FaceRefusal(writer.File(compressing.Matrix("x", 9, 8, std::vector<std::uint64_t>(1 << 20)))),
             Contains(at + packed));
  // A truncated file is rejected. A file with a changed byte may be another valid file.
  for (const MatWriter& w : {writer, compressing, MatWriter{.short_elements = true}}) {
    const std::string mat = w.File(w.Matrix("box_coord", 9, 8, kFaceDoubles));
    for (std::size_t size = 0; size < mat.size(); ++size)
      CHECK_THAT(FaceRefusal(mat.substr(0, size)), Contains(at));
    for (std::size_t i = 120; i < mat.size(); ++i)
      for (const int flip : {0x01, 0x80, 0xff}) {
        std::string changed = mat;
        changed[i] = static_cast<char>(changed[i] ^ flip);
        const std::string refusal = FaceRefusal(changed);
        CHECK((refusal.empty() || refusal.starts_with(at)));
      }
  }
  PackedFiles files = FaceFiles(writer.File(writer.Matrix("box_coord", 9, 8, kFaceDoubles)));
  files.erase(files.begin());
  CHECK_THAT(Refusal(ImageLayout::kCaltech101, files, kFaces),
             Contains(at + "annotates the missing image '101_ObjectCategories/Faces/image_0001.jpg'"));
}

// ---- The PASCAL object recognition database collection

const std::string kCows = "TUDarmstadt/PNGImages/sideviews-cows2/";

std::string CowText(const std::string& name, const std::string& boxes = "(51, 104) - (228, 209)",
                    const std::string& label = "PAScowSide", const std::string& count = "1") {
  return "# PASCAL Annotation Version 1.00\n\nImage filename : \"" + kCows + name +
         "\"\nImage size (X x Y x C) : 320 x 256 x 3\nDatabase : \"The TU Darmstadt Database\"\n" +
         "Objects with ground truth : " + count + " { \"" + label +
         "\" }\n\n# Top left pixel co-ordinates : (1, 1)\n" + "\n# Details for object 1 (\"" + label +
         "\")\nOriginal label for object 1 \"" + label + "\" : \"cowSide\"\nBounding box for object 1 \"" +
         label + "\" (Xmin, Ymin) - (Xmax, Ymax) : " + boxes + "\nPixel mask for object 1 \"" + label +
         "\" : \"x.png\"\n";
}

const ImageSelection kCow{.categories = {"cow"}};

TEST_CASE("PASCAL collection: boxes of the images that the annotations name") {
  std::string windows = CowText("cow-pic71-sml-lt.png", "(1, 1) - (2, 3)", "PAScow");
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2)
    windows.insert(at, "\r");
  const PackedFiles files = {
      {kCows + "cow-pic71-sml-lt.png", "71"},
      {kCows + "cow-pic70-sml-lt.png", "70"},
      {"TUDarmstadt/GTMasks/sideviews-cows2/cow-pic70-sml-lt.png", "not read"},
      {"TUDarmstadt/README.txt", "not an annotation"},
      {"TUDarmstadt/Annotations/sideviews-cows2/cow-pic71-sml-lt.txt", windows},
      {"TUDarmstadt/Annotations/sideviews-cows2/cow-pic70-sml-lt.txt", CowText("cow-pic70-sml-lt.png")},
      {"TUDarmstadt/Annotations/a.txt", CowText("none.png", "(1, 1) - (2, 2)", "PAScowboy")},
      {"TUDarmstadt/Annotations/b.txt", CowText("none2.png", "(1, 1) - (2, 2)", "PAScarSide")}};
  const auto images = ReadPacked(ImageLayout::kPascal1, files, kCow);
  REQUIRE(NamesIn(images) == "cow-pic70-sml-lt.png cow-pic71-sml-lt.png");
  CHECK(images[0].bytes == "70");
  CHECK(images[0].annotated.split == "all");
  CHECK(BoxesIn(images[0]) == "cow 50 103 228 209");
  CHECK(BoxesIn(images[1]) == "cow 0 0 2 3");
}

TEST_CASE("PASCAL collection: invalid annotations are rejected") {
  const auto refusal = [](const std::string& text) {
    return Refusal(ImageLayout::kPascal1, {{kCows + "a.png", "a"}, {"Annotations/a.txt", text}}, kCow);
  };
  const std::string at = "set.tar: 'Annotations/a.txt' ", good = CowText("a.png");
  CHECK(refusal(good).empty());
  CHECK_THAT(refusal(CowText("b.png")),
             Contains(at + "annotates the missing image 'PNGImages/sideviews-cows2/b.png'"));
  CHECK_THAT(refusal(CowText("../../../b.png")), Contains(at + "has an image filename outside PNGImages/"));
  CHECK_THAT(refusal(CowText("a.png", "(5, 1) - (4, 9)")),
             Contains(at + "has a box without area: columns 5 to 4, rows 1 to 9"));
  for (const std::string box : {"(0, 1) - (4, 9)", "(x, 1) - (4, 9)", "(1.5, 1) - (4, 9)", "(, 1) - (4, 9)",
                                "(1, 1) - (4, 99999999999)"})
    CHECK_THAT(refusal(CowText("a.png", box)), Contains(at + "has coordinate '"));
  for (const std::string box : {"(1, 1) - (4)", "", "(1, 1) - (4, 9) x", "1, 1, 4, 9"})
    CHECK_THAT(refusal(CowText("a.png", box)), Contains(at + "cannot be read in line 12: 'Bounding box"));
  CHECK_THAT(refusal(CowText("a.png", std::string(100000, '('))), Contains(at + "cannot be read in line 12"));
  CHECK_THAT(refusal(CowText("a.png", "(1, 1) - (4, 9)", "PAScow", "2")),
             Contains(at + "has 1 bounding boxes but declares '2'"));
  CHECK_THAT(refusal(CowText("a.png", "(1, 1) - (4, 9)", "PAScow", "x")),
             Contains(at + "cannot be read in line 6"));
  // Annotations truncated before the box are rejected.
  for (std::size_t size = good.find('\n'); size < good.find("(51") + 20; size += 7)
    CHECK_THAT(refusal(good.substr(0, size)), Contains("set.tar: "));
  const PackedFiles twice = {{kCows + "a.png", "a"},
                             {"TUDarmstadt/PNGImages/x/a.png", "a"},
                             {"a.txt", CowText("a.png")},
                             {"b.txt", CowText("../x/a.png")}};
  PackedFiles files = twice;
  files[3].second.replace(files[3].second.find("sideviews-cows2/../"), 19, "");
  CHECK_THAT(Refusal(ImageLayout::kPascal1, files, kCow), Contains("set.tar: two images are named 'a.png'"));
}

// ---- Scaling

Raster PatternRaster(int width, int height, int channels) {
  Raster image{width, height, channels, {}};
  std::uint32_t state = 1;
  for (int i = 0; i < width * height * channels; ++i) {
    state = state * 1664525U + 1013904223U;
    image.pixels.push_back(
        static_cast<std::uint8_t>((state >> 26) + static_cast<std::uint32_t>(i * 3 % 180)));
  }
  return image;
}

std::string DigestOf(const Raster& image) {
  return Sha256Hex({reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size()});
}

TEST_CASE("scaled image sizes are rounded half up, and images are never enlarged") {
  const auto size = [](int width, int height, int longer_side) {
    const Raster image = ScaleDown(PatternRaster(width, height, 1), longer_side);
    CHECK(image.pixels.size() == static_cast<std::size_t>(image.width * image.height));
    return std::pair(image.width, image.height);
  };
  CHECK(size(500, 375, 300) == std::pair(300, 225));
  CHECK(size(375, 500, 300) == std::pair(225, 300));
  CHECK(size(368, 272, 256) == std::pair(256, 189));  // 189.2
  CHECK(size(8, 5, 4) == std::pair(4, 3));            // 2.5
  CHECK(size(8, 3, 4) == std::pair(4, 2));            // 1.5
  CHECK(size(1000, 3, 100) == std::pair(100, 1));     // 0.3
  CHECK(size(7, 7, 1) == std::pair(1, 1));
  const Raster image = PatternRaster(30, 20, 3);
  for (const int longer_side : {30, 31, 1000}) {
    const Raster same = ScaleDown(image, longer_side);
    CHECK((same.width == 30 && same.height == 20 && same.channels == 3 && same.pixels == image.pixels));
  }
}

TEST_CASE("scaling by one half, by hand") {
  const auto halved = [](const std::vector<std::uint8_t>& pixels, bool upright = false) {
    return ScaleDown(upright ? Raster{1, 4, 1, pixels} : Raster{4, 1, 1, pixels}, 2).pixels;
  };
  using Pixels = std::vector<std::uint8_t>;
  // Source pixels are at distance 1/4, 1/4, 3/4 and 5/4 from the first target pixel, in units of target
  // pixels. The kernel is 111, 111, 29 and -9, over 128. 3840 / 242 = 15.9 and 8260 / 242 = 34.1.
  CHECK(halved({10, 20, 30, 40}) == Pixels{16, 34});
  CHECK(halved({10, 20, 30, 40}, true) == Pixels{16, 34});
  CHECK(halved({0, 0, 0, 242}) == Pixels{0, 111});
  CHECK(halved({255, 255, 255, 0}) == Pixels{255, 138});  // 255 x 251 / 242 and x 131 / 242
}

TEST_CASE("scaling keeps constant images constant, ramps increasing, and channels separate") {
  for (const int value : {0, 1, 127, 254, 255})
    for (const int longer_side : {1, 2, 13, 64, 99}) {
      Raster image = PatternRaster(100, 61, 3);
      std::ranges::fill(image.pixels, static_cast<std::uint8_t>(value));
      const Raster scaled = ScaleDown(image, longer_side);
      CHECK(std::ranges::all_of(scaled.pixels, [&](int pixel) { return pixel == value; }));
    }
  for (int longer_side = 1; longer_side < 256; longer_side += 5)
    for (const bool upright : {false, true}) {
      Raster ramp = upright ? Raster{1, 256, 1, {}} : Raster{256, 1, 1, {}};
      for (int i = 0; i < 256; ++i) ramp.pixels.push_back(static_cast<std::uint8_t>(i));
      const Raster scaled = ScaleDown(ramp, longer_side);
      CHECK(scaled.pixels.size() == static_cast<std::size_t>(longer_side));
      CHECK(std::ranges::is_sorted(scaled.pixels));
    }
  const Raster colour = PatternRaster(90, 47, 3), scaled = ScaleDown(colour, 33);
  for (std::size_t c = 0; c < 3; ++c) {
    Raster plane{90, 47, 1, {}}, expected{scaled.width, scaled.height, 1, {}};
    for (std::size_t i = c; i < colour.pixels.size(); i += 3) plane.pixels.push_back(colour.pixels[i]);
    for (std::size_t i = c; i < scaled.pixels.size(); i += 3) expected.pixels.push_back(scaled.pixels[i]);
    CHECK(ScaleDown(plane, 33).pixels == expected.pixels);
  }
}

TEST_CASE("scaled pixels have pinned digests") {
  CHECK(DigestOf(PatternRaster(97, 61, 3)) ==
        "2137995505ec9fb06b6f21ad315131296e2744b5c15b15d1c9e3f9bc6618ee10");
  CHECK(DigestOf(ScaleDown(PatternRaster(97, 61, 3), 40)) ==
        "1daea6d3011dc54f3e7c0e5462301c658fa14a8e1c5f267b6383aac64b5dae2c");
  CHECK(DigestOf(ScaleDown(PatternRaster(300, 500, 1), 299)) ==
        "1a974626085253261e980510f0205fcc845a94a04d688d638ced0bcbe7653aca");
  // Here the weights are near half of their smallest unit.
  CHECK(DigestOf(ScaleDown(PatternRaster(1 << 22, 1, 1), 3)) ==
        "b841fe0fdc43aa2a9be20ec04eb3e528e50cf8137c9dc39ac4a1034348b16465");
}

TEST_CASE("boxes are scaled with their image, rounded half up and clipped") {
  // A published box, (106, 118) - (283, 215), 1-based and inclusive.
  CHECK(ScaleBox({105, 117, 283, 215}, 368, 272, 256, 189) == Box{73, 81, 197, 149});
  CHECK(ScaleBox({0, 0, 500, 375}, 500, 375, 300, 225) == Box{0, 0, 300, 225});
  CHECK(ScaleBox({1, 3, 5, 7}, 8, 8, 4, 4) == Box{1, 2, 3, 4});  // 0.5, 1.5, 2.5, 3.5
  CHECK(ScaleBox({-3, -1, 9, 20}, 8, 8, 4, 4) == Box{0, 0, 4, 4});
  CHECK(ScaleBox({2, 2, 3, 3}, 1000, 1000, 10, 10).empty());
  const Box box{3, 4, 5, 6};
  CHECK(ScaleBox(box, 10, 10, 10, 10) == box);
}

}  // namespace
}  // namespace okbench
