// Tables of boxes, and errors in them.

#include "base/error.h"
#include "boxes/images/image_source.h"
#include "tests/catch.h"

namespace okbench {
namespace {

const std::string kColumns = "image,split,class,xmin,ymin,xmax,ymax,difficult";

TEST_CASE("box table: images, splits and objects") {
  const auto table = ReadBoxTable("t", kColumns +
                                           ",more\r\n"
                                           "b.jpg,train,car,0,1,20,30,0,x\r\n"
                                           "\n"
                                           "a.jpg,test,cat,5,6,7,8,1,y,z\n"
                                           "b.jpg,train,dog,2,2,3,3,0,\n"
                                           "b.jpg,test,car,4,4,9,9,0,");
  REQUIRE(table.size() == 3);  // sorted by name, then split; no newline at the end
  CHECK((table[0].name == "a.jpg" && table[0].split == "test" && table[0].objects.size() == 1));
  CHECK((table[0].objects[0].category == "cat" && table[0].objects[0].object.difficult));
  CHECK((table[1].name == "b.jpg" && table[1].split == "test"));
  CHECK((table[2].split == "train" && table[2].objects.size() == 2));
  CHECK(table[2].objects[0].object.box == Box{0, 1, 20, 30});
  CHECK(!table[2].objects[0].object.difficult);
  CHECK(table[2].objects[1].category == "dog");  // objects of an image keep their order
}

TEST_CASE("box table: errors name file and line") {
  const auto refused = [](const std::string& rows, const std::string& message) {
    CHECK_THROWS_WITH(ReadBoxTable("t.csv", rows), Catch::StartsWith(message));
  };
  refused("", "t.csv: has no boxes");
  refused(kColumns + "\n", "t.csv: has no boxes");
  refused("image,split,class,xmin,ymin,xmax,ymax\n", "t.csv:1: the header must begin with " + kColumns);
  refused("a.jpg,train,car,0,0,1,1,0\n", "t.csv:1: the header");
  refused(kColumns + "\na,train,car,0,0,1,1,0\na,train,car,0,0,1,1\n",
          "t.csv:3: has 7 fields, expected at least 8");
  refused(kColumns + "\na,train,car,0,x,1,1,0\n", "t.csv:2: 'x' is not an integer");
  refused(kColumns + "\na,train,car,0,,1,1,0\n", "t.csv:2: '' is not an integer");
  refused(kColumns + "\na,train,car,0,1.5,1,1,0\n", "t.csv:2: '1.5' is not an integer");
  refused(kColumns + "\na,train,car,0, 1,2,2,0\n", "t.csv:2: ' 1' is not an integer");
  refused(kColumns + "\na,train,car,0,99999999999,1,1,0\n", "t.csv:2: '99999999999' is not an integer");
  refused(kColumns + "\na,train,car,0,0,1,1,no\n", "t.csv:2: 'no' is not an integer");
  refused(kColumns + "\na,train,car,5,0,5,9,0\n", "t.csv:2: the box has no area");
  refused(kColumns + "\n\na,train,car,0,9,5,8,0\n", "t.csv:3: the box has no area");
}

TEST_CASE("box table: boxes outside their image are rejected") {
  const auto table =
      ReadBoxTable("t", kColumns + "\na.jpg,train,car,0,0,20,30,0\na.jpg,train,car,-1,3,5,9,1");
  CHECK_THROWS_WITH(RequireInside("t", table[0], 20, 30),
                    "t: a box of a.jpg exceeds the image of 20 x 30 pixels");
  Annotated image = table[0];
  image.objects.pop_back();
  CHECK_NOTHROW(RequireInside("t", image, 20, 30));
  CHECK_THROWS_AS(RequireInside("t", image, 19, 30), DataError);
  CHECK_THROWS_AS(RequireInside("t", image, 20, 29), DataError);
}

}  // namespace
}  // namespace okbench
