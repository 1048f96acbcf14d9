#include "harness/spec/spec_keys.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "datasets/stream.h"
#include "datasets/text/text_options.h"
#include "harness/spec/key_builders.h"
#include "harness/spec/label_trees.h"
#include "harness/spec/output_table.h"
#include "harness/spec/spec.h"

namespace okbench {
namespace {

using namespace keys;  // NOLINT(google-build-using-namespace): builders of this table

template <class Enum>
std::vector<std::string> Names(std::initializer_list<Enum> values, const char* (*name)(Enum)) {
  std::vector<std::string> names;
  for (const Enum value : values) names.emplace_back(name(value));
  return names;
}

std::vector<std::string> OrderNames() {
  std::vector<std::string> names;
  for (const Order order : kOrders) names.emplace_back(OrderName(order));
  return names;
}

KeyTable RootKeys(const Spec& spec) {
  return {
      "",
      "",
      {Integer("format", "the format of the file")
           .Required()
           .From(0)
           .Rule("be " + std::to_string(kSpecFormat)),
       Text("experiment", "paper/figure: names the folder of results")
           .Required()
           .Rule("be made of letters, digits, - and _, e.g. paper/figure"),
       Text("title", "what reports call it").Default(""),
       Text("seed", "text that all random draws derive from; default: the experiment's name").Default(""),
       Choice("precision", {"float32", "float64"}, "of inputs and kernel values; coefficients are float64"),
       Integer("repetitions", spec.repetitions, "seeds 0 .. repetitions-1").From(1, 100000).ByTier(),
       Table("data", "which rows, and in which order").Required(),
       Table("kernel", "the kernel of all learners").Required(),
       Table("cross_validation", "how learners with [learners.KEY.tune] are tuned"),
       Table("trace", "what is recorded"),
       Table("learners", "one table a learner, or the file that has them, which specs share").Required(),
       Table("lists", "lists of values that grid and tune may name"),
       Table("tiers", "what the tiers quick, default and paper change")}};
}

KeyTable DataKeys() {
  using Shape = LabelTree::Shape;
  const DataSpec data;
  return {
      "data",
      "",
      {Texts("name", "data set (okbench list datasets), or a list: every trial runs on each")
           .Required()
           .ByTier(),
       Integers("positive",
                "these classes become +1, the others -1; left out: classes, or real targets, are kept"),
       Choice("part", {"train", "test", "all"}, "rows to learn from; all: train followed by test"),
       Reals("scale", "maps the set's range of values linearly to this one; left out: values are kept")
           .Rule("be [low, high] with low < high"),
       Row("text", KeyKind::kChoice, "of documents, where it must be given: what becomes words")
           .OneOf(Names(
               {TextExtent::kHeaders, TextExtent::kSubjectBody, TextExtent::kBody, TextExtent::kStripped},
               ExtentName)),
       Choice("term_weights", Names({TermWeights::kCounts, TermWeights::kTfIdf}, WeightsName),
              "of documents: counts, or (1 + log tf) log(n / df)"),
       Row("tree", KeyKind::kChoice, "the tree of the classes; left out: none")
           .OneOf(Names({Shape::kTwoLevels, Shape::kCollapsed, Shape::kFull}, ShapeName)),
       Switch("unit_norm", data.train.unit_norm, "divides each row by its Euclidean norm, after scale"),
       Switch("synthetic", data.train.force_synthetic, "takes the generated synthetic fallback even where the data are"),
       Integer("rows", data.train.rows, "generated data: rows to generate; 0: as many as the real part has")
           .From(0, 100000000)
           .ByTier(),
       Choice("order", OrderNames(), "of the rows; sliding is for mini-batches, counting for digits"),
       Value("batch", "size of a mini-batch, or a list: each size is run")
           .Rule("be an integer >= 1 of examples, or a share of the training set > 0 and < 1"),
       Integer("epochs", data.stream.epochs, "passes over the rows").From(1, 1000000).ByTier(),
       Integer("sample", "the training part is so many of its rows, drawn once; left out: all")
           .From(1, 100000000)
           .ByTier(),
       Integer("limit", data.stream.limit, "examples of one epoch, learning in rounds: of the set; 0: all")
           .From(0)
           .ByTier(),
       Choice("test", {"none", "test", "train"}, "part that the test error is measured on")}};
}

std::vector<SpecKey> RbfKeys(const char* gamma) {
  return {Real("sigma", "exp(-||x-x'||^2 / (2 sigma^2)); this or gamma must be given").Above(0),
          Real("gamma", gamma).Above(0)};
}

std::vector<SpecKey> PolynomialKeys() {
  return {Integer("degree", 2, "(scale <x,x'> + offset)^degree").From(1, 64),
          Real("scale", "factor of the inner product").Default(1.0).Above(0),
          Real("offset", "what is added to it").Default(0.0).From(0)};
}

// What may stand for a list of values: every list has the same keys.
KeyTable ListKeys(const char* path) {
  return {path,
          "",
          {Switch("divide_by_n", false, "the parameter is value / n; never of kernels"),
           Reals("powers_of_two", "powers of two with these exponents, -1000 to 1000; this or values must be given"),
           Reals("values", "values as they are")}};
}

void AddKernel(std::vector<KeyTable>& tables) {
  const std::vector<std::string> plain = {"rbf", "polynomial", "linear", "histogram-intersection"};
  std::vector<std::string> names = plain;
  names.emplace_back("sum");
  tables.push_back({"kernel", "", {Choice("name", names, "okbench list kernels")}});
  tables.push_back(
      {"kernel", "rbf", RbfKeys("exp(-gamma ||x-x'||^2); or a table with one for each data set")});
  tables.push_back({"kernel", "polynomial", PolynomialKeys()});
  tables.push_back({"kernel", "sum", {Tables("terms", "what is added up").Required()}});
  tables.push_back({"kernel.gamma",
                    "rbf",
                    {Real("DATA_SET", "gamma on this data set; tiers may have others, too").Above(0)}});
  tables.push_back({"kernel.PARAMETER",
                    "",
                    {List("grid", "every learner runs with each of these values").ByTier(),
                     List("tune", "the cross validation of each learner chooses among them").ByTier()}});
  tables.push_back(ListKeys("kernel.PARAMETER.grid"));
  tables.push_back(ListKeys("kernel.PARAMETER.tune"));
  tables.push_back({"kernel.terms",
                    "sum",
                    {Choice("name", plain, "kernel of the term; with its keys beside it"),
                     Integers("features", "the term's features")
                         .Required()
                         .Rule("be the first and the last feature of the term, counted from 0"),
                     Real("weight", "factor of the term").Default(1.0).Above(0)}});
  tables.push_back({"kernel.terms", "rbf", RbfKeys("exp(-gamma ||x-x'||^2)")});
  tables.push_back({"kernel.terms", "polynomial", PolynomialKeys()});
}

KeyTable TraceKeys(const TraceSpec& trace) {
  return {
      "trace",
      "",
      {Integer("dense", trace.dense, "every step up to this one is recorded").From(0).ByTier(),
       Integer("per_decade", trace.per_decade, "beyond it so many log-spaced steps a decade")
           .From(1, 1000000)
           .ByTier(),
       Integer("every", trace.every, "also each step that this number divides; 0: none")
           .From(0, 100000000)
           .ByTier(),
       Integers("from_end", "also the steps this many before the end; at most 1000 of them")
           .ByTier()
           .Rule("list integers >= 0"),
       Integer("checkpoints", trace.checkpoints,
               "measurements of the test error, evenly spaced, the last at the end")
           .From(1, 10000)
           .ByTier(),
       Integers("rounds", "learners in rounds: also measurements after these rounds")
           .Rule("list rounds, counted from 1"),
       Switch("training", trace.training, "learners in rounds: measures the loss over the training set, too"),
       Integer("outliers", trace.outliers, "names so many first margin errors, and worst examples of each part")
           .From(0, 100000)}};
}

KeyTable ValidationKeys(const Validation& validation) {
  return {
      "cross_validation",
      "",
      {Integer("folds", validation.folds, "parts that the training set is dealt out to")
           .From(2, 1000)
           .ByTier(),
       Integer("epochs", validation.epochs, "of a fold; 0: as many as the run that is tuned")
           .From(0, 1000000)
           .ByTier(),
       Real("tolerance",
            "a fold ends with the epoch that moves its held-out error by no more; left out: with the last")
           .From(0, 1),
       Real("stream_share", "streams: candidates see so much of the repetition's own stream, from its start")
           .Default(validation.stream_share)
           .Above(0)
           .From(0, 1)}};
}

void AddLearners(std::vector<KeyTable>& tables) {
  tables.push_back({"learners",
                    "",
                    {Table("KEY", "one learner; KEY names it in files, claims and for --only").Required()}});
  tables.push_back({"learners.KEY",
                    "",
                    {Text("learner", "the method (okbench list learners)").Required(),
                     Text("label", "what figures call it; left out: KEY"),
                     Table("grid", "every combination of values is a trial"),
                     Table("tune", "the combination with the fewest mistakes in the search is taken"),
                     Value("PARAMETER", "a parameter of the method; left out: its default")}});
  tables.push_back(
      {"learners.KEY.PARAMETER",
       "",
       {Real("divide_by_n", "the parameter is this / n, n being the examples of one epoch").Required().From(0),
        Value("binary", "the parameter's value where labels are binary, in place of divide_by_n"),
        Value("multiclass", "its value where there are several classes"),
        Value("real", "its value where targets are real numbers")}});
  tables.push_back(
      {"learners.KEY.grid", "", {List("PARAMETER", "values of a parameter, or a table of them").ByTier()}});
  tables.push_back(
      {"learners.KEY.tune", "", {List("PARAMETER", "values of a parameter, or a table of them").ByTier()}});
  tables.push_back(ListKeys("learners.KEY.grid.PARAMETER"));
  tables.push_back(ListKeys("learners.KEY.tune.PARAMETER"));
}

std::vector<KeyTable> MakeTables() {
  const Spec spec;
  std::vector<KeyTable> tables = {RootKeys(spec), DataKeys()};
  for (const OutputTable& outputs : OutputTables()) {
    tables[1].keys.push_back(Table(outputs.name.c_str(), outputs.description.c_str()));
    tables.push_back(outputs.keys);
  }
  tables.push_back({"lists", "", {List("LIST", "values of a grid, or to be tuned").ByTier()}});
  AddKernel(tables);
  tables.push_back(ValidationKeys(spec.validation));
  tables.push_back(TraceKeys(spec.trace));
  AddLearners(tables);
  KeyTable tiers{"tiers", "", {}};
  for (const char* tier : kTiers)
    tiers.keys.push_back(
        Table(tier, "quoted paths of keys that tiers may change, with their values in this tier"));
  tables.push_back(std::move(tiers));
  return tables;
}

}  // namespace

const std::vector<KeyTable>& SpecTables() {
  static const std::vector<KeyTable> tables = MakeTables();
  return tables;
}

const KeyTable& SharedFileKeys() {
  static const KeyTable keys = {"",
                                "",
                                {Integer("format", "the format of the file")
                                     .Required()
                                     .From(0)
                                     .Rule("be " + std::to_string(kSpecFormat)),
                                 Table("learners", "one table a learner").Required(),
                                 Table("lists", "lists of values that grid and tune may name"),
                                 Table("tiers", "lists that the tiers quick, default and paper change")}};
  return keys;
}

const KeyTable& KeysOf(const std::string& path, const std::string& of) {
  for (const KeyTable& table : SpecTables())
    if (table.path == path && table.of == of) return table;
  throw std::logic_error("no table of keys [" + path + "] " + of);
}

bool TierMayChangeKey(const std::string& path) {
  return std::any_of(SpecTables().begin(), SpecTables().end(), [&](const KeyTable& table) {
    return std::any_of(table.keys.begin(), table.keys.end(), [&](const SpecKey& key) {
      return key.tier && path == (table.path.empty() ? "" : table.path + ".") + key.name;
    });
  });
}

}  // namespace okbench
