#include <stdexcept>

#include "boxes/images/image_source.h"
#include "boxes/images/raster.h"
#include "boxes/images/scale.h"
#include "tests/boxes/images/encoded.h"
#include "tests/fuzz/harness.h"

namespace okbench::fuzz {
namespace {

void ReadAnyImage(std::string_view bytes) {
  Raster header;
  Documented([&] { header = DecodeHeader("i", bytes); });
  Documented([&] {
    const Raster image = DecodeImage("i", bytes);
    const auto size = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) *
                      static_cast<std::size_t>(image.channels);
    if (image.width != header.width || image.height != header.height || image.pixels.size() != size)
      throw std::logic_error("pixels that are not as the header says");
    const Raster small = ScaleDown(image, 24);
    if (small.width > 24 || small.height > 24) throw std::logic_error("an image that was not scaled down");
    DecodeImage("i", EncodeNetpbm(small));
  });
}

std::vector<std::string> SmallImages() {
  using testing::DrawnPattern;
  std::vector<std::string> images;
  for (const int channels : {1, 3}) {
    const Raster drawn = DrawnPattern(40, 30, channels);
    images.insert(images.end(), {EncodeNetpbm(drawn), testing::EncodePng(drawn), testing::EncodeJpeg(drawn),
                                 testing::EncodeJpeg(drawn, true)});
  }
  return images;
}

void ReadAnyBoxes(std::string_view bytes) {
  Documented([&] {
    for (const Annotated& image : ReadBoxTable("t.csv", bytes))
      Documented([&] { RequireInside("t.csv", image, 100, 100); });
  });
}

std::vector<std::string> SmallTables() {
  const std::string head = "image,split,class,xmin,ymin,xmax,ymax,difficult";
  return {head + "\na.jpg,train,car,1,2,30,40,0\na.jpg,test,cow,1,2,30,40,1\n",
          head + ",more\r\na.jpg,train,car,0,0,300,40,0,x,y\r\n\r\nb.jpg,train,car,-1,2,3,4,0,\r\n"};
}

}  // namespace

Harness Images() {
  return {"images",
          ReadAnyImage,
          SmallImages,
          {"P5\n", "P6\n", "IHDR", "IDAT", "PLTE", "tRNS", "iCCP", "\xff\xc0", "\xff\xc2", "\xff\xda"}};
}

Harness Boxes() {
  return {"boxes", ReadAnyBoxes, SmallTables, {"image,split,class", "-2147483648", "2147483647"}};
}

}  // namespace okbench::fuzz
