// Format "table": some columns of a file, mapped from their ranges, by hand; errors of files and catalogs.

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "datasets/catalog/catalog.h"
#include "datasets/formats/format.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

RawRows<double> ReadTable(const std::string& text, const TableSpec& spec) {
  const std::vector<FileText> files = {{"t.csv", text}};
  return FindFormat("table")->Read<double>(
      {.files = files, .features = spec.columns.size(), .table = &spec, .labels = LabelMap({})});
}

TEST_CASE("a table has the chosen columns and the target, each mapped to [0, 1], by hand") {
  TableSpec spec{.header = true};
  spec.target = {.column = 0, .low = 10, .high = 20};
  spec.columns = {{.column = 3, .low = 0, .high = 4}, {.column = 1, .low = -1, .high = 1}};
  const auto rows = ReadTable("y,a,date,b\r\n15,0,2011-01-01,1\r\n20 , 1, x y ,8\r\n", spec);
  CHECK(rows.features == 2);
  CHECK(rows.values == std::vector<double>{0.25, 0.5, 2, 1});
  CHECK(rows.real.targets == std::vector<double>{0.5, 1});
  CHECK_THROWS_WITH(ReadTable("y\n1,2,x\n", spec), Catch::Contains("t.csv:2:5: column 3 is missing"));
  CHECK_THROWS_WITH(ReadTable("y\n1,x,x,1\n", spec), Catch::Contains("t.csv:2:3: 'x' is not a number"));
  CHECK_THROWS_WITH(ReadTable("y\n", spec), Catch::Contains("the data set is empty"));
  TableSpec blanks{.separator = ' '};
  blanks.target = {.column = 2};
  blanks.columns = {{.column = 0}};
  CHECK(ReadTable("0.5\t7  0.25\n", blanks).real.targets == std::vector<double>{0.25});
  CHECK_THROWS_WITH(ReadTable("0.5 7\n", blanks), Catch::Contains("'' is not a number"));
}

TEST_CASE("a catalog's table names the key of an error") {
  const auto path = std::filesystem::temp_directory_path() / "okbench_table_test.toml";
  const auto read = [&](const std::string& table) {
    std::ofstream(path)
        << "[t]\ntitle = \"t\"\nformat = \"table\"\nfeatures = 2\nrange = [0, 1]\nkind = \"real\"\n"
           "terms = \"none\"\n[t.train]\nrows = 1\nfiles = [{ name = \"t.csv\", sha256 = \"00\" }]\n"
           "[t.table]\n"
        << table;
    Catalog catalog;
    catalog.Read(path.string());
    return *catalog.Find("t").table;
  };
  const std::string columns = "columns = [0, 2]\nlow = [0, 0]\nhigh = [1, 2]\n";
  const std::string target = "target = 1\ntarget_range = [0, 1]\n";
  CHECK(read(target + columns).columns[1].high == 2);
  CHECK_THROWS_WITH(read(columns), Catch::Contains("t.table.target_range: must be a list"));
  CHECK_THROWS_WITH(read("target = 2\ntarget_range = [0, 1]\n" + columns),
                    Catch::Contains("t.table.columns: must not list the target"));
  CHECK_THROWS_WITH(read(target + "columns = [0]\nlow = [0]\nhigh = [1]\n"),
                    Catch::Contains("must list as many columns as there are features"));
  CHECK_THROWS_WITH(read(target + "columns = [0, 0]\nlow = [0, 0]\nhigh = [1, 1]\n"),
                    Catch::Contains("lists a column twice"));
  CHECK_THROWS_WITH(read(target + "columns = [0, 2]\nlow = [0, 3]\nhigh = [1, 2]\n"),
                    Catch::Contains("must have a low below its high"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace okbench
