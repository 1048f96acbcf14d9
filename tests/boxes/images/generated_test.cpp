// Synthetic fallbacks of image data sets.

#include "boxes/images/load_images.h"
#include "datasets/rows/load.h"
#include "tests/catch.h"
#include "tests/datasets/known.h"

namespace okbench {
namespace {

TEST_CASE("generated images: deterministic, any number, and more images do not change the first ones") {
  const Catalog catalog = testing::Known();
  for (const char* name : {"uiuc-cars", "voc2007-cat"}) {
    INFO(name);
    const DataSet& set = catalog.Find(name);
    DataRequest request{.name = name};
    request.force_synthetic = true;
    request.rows = 4;
    const auto a = LoadImages<float>(set, request, {}), b = LoadImages<float>(set, request, {});
    CHECK((a.size() == 4 && ContentDigest(a) == ContentDigest(b)));
    request.rows = 6;
    const auto longer = LoadImages<float>(set, request, {});
    REQUIRE(longer.size() == 6);
    for (std::size_t i = 0; i < a.size(); ++i)
      CHECK(ImagesOf(longer).images[i]->points == ImagesOf(a).images[i]->points);
    request.part = "test";
    CHECK(ContentDigest(LoadImages<float>(set, request, {})) != ContentDigest(longer));
  }
}

}  // namespace
}  // namespace okbench
