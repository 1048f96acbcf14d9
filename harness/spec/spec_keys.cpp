#include "harness/spec/spec_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "datasets/rows/stream.h"
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
  return {"",
          "",
          {Integer("format", "format version of the file")
               .Required()
               .From(0)
               .Rule("be " + std::to_string(kSpecFormat)),
           Text("experiment", "name of the result folder, as paper/figure")
               .Required()
               .Rule("be made of letters, digits, - and _, e.g. paper/figure"),
           Text("title", "title shown in reports").Default(""),
           Text("seed", "text that all random draws derive from; default: the experiment's name").Default(""),
           Choice("precision", {"float32", "float64"},
                  "type of inputs and kernel values; coefficients are float64"),
           Integer("repetitions", spec.repetitions, "number of random seeds: 0 .. repetitions-1")
               .From(1, 100000)
               .ByTier(),
           Table("data", "data sets, and the rows to use and their order").Required(),
           Table("kernel", "kernel of all learners").Required(),
           Table("cross_validation", "settings of the search over tune values"),
           Table("trace", "steps and measurements to record"),
           Table("measures", "measures of predictions to compute"),
           Table("learners", "one table per learner, or the path of a shared learner file").Required(),
           Table("lists", "named lists of values for grid and tune"),
           Table("tiers", "values that differ in the tiers quick, default and paper")}};
}

KeyTable DataKeys() {
  using Shape = LabelTree::Shape;
  const DataSpec data;
  return {
      "data",
      "",
      {Texts("name", "data set, or a list to run every trial on (okbench help datasets)").Required().ByTier(),
       Integers("positive",
                "classes mapped to +1, all others to -1; default: keep the classes or real targets"),
       Choice("part", {"train", "test", "all"}, "rows to learn from; all: train followed by test"),
       Reals("scale", "[low, high] to map the values to, linearly; default: no scaling")
           .Rule("be [low, high] with low < high"),
       Row("text", KeyKind::kChoice, "part of each document to read; required for document data sets")
           .OneOf(Names(
               {TextExtent::kHeaders, TextExtent::kSubjectBody, TextExtent::kBody, TextExtent::kStripped},
               ExtentName)),
       Choice("term_weights", Names({TermWeights::kCounts, TermWeights::kTfIdf}, WeightsName),
              "word weights of documents: counts, or (1 + log tf) log(n / df)"),
       Integer("embedding", "series: last values of each input in a row; default: as the catalog says")
           .From(1, 10000),
       Integer("horizon", "series: steps from the last value to the target; default: as the catalog says")
           .From(1, 1000000),
       Row("tree", KeyKind::kChoice, "shape of the label tree; default: no tree")
           .OneOf(Names({Shape::kTwoLevels, Shape::kCollapsed, Shape::kFull}, ShapeName)),
       Texts("graph", "edges of the label graph, each \"node node weight\"; default: no graph"),
       Switch("unit_norm", data.train.unit_norm, "divide each row by its Euclidean norm, after scale"),
       Switch("synthetic", data.train.force_synthetic,
              "use the synthetic fallback even if the data are available"),
       Integer("synthetic_rows", data.train.rows,
               "rows of synthetic data to generate; 0: as many as the real part")
           .From(0, 100000000)
           .ByTier(),
       Choice("order", OrderNames(), "order of the rows; sliding: mini-batches only; counting: digits only"),
       Value("batch", "mini-batch size, or a list of sizes to run: examples, or share of the training set")
           .Rule("be an integer >= 1 of examples, or a share of the training set > 0 and < 1"),
       Integer("epochs", data.stream.epochs, "passes over the rows").From(1, 1000000).ByTier(),
       Integer("sample", "training rows to draw at random, once; default: all").From(1, 100000000).ByTier(),
       Integer("max_examples", data.stream.limit,
               "examples per epoch, or per training set for learners in rounds; 0: all")
           .From(0)
           .ByTier(),
       Value("delay", "streams: steps until a label becomes known, a list to run, or \"column\"; default: 0")
           .Rule("be numbers of steps from 0 to 1e9, or \"column\": as the data set states"),
       Reals("class_weights", "weights of the losses, one per class: of -1 and 1, or of 0, 1, ...")
           .Rule("be numbers > 0"),
       Real("positive_share", "streams: probability of a positive example; needs max_examples")
           .Above(0)
           .Below(1),
       Choice("test", {"none", "test", "train"}, "part to measure the test error on")}};
}

std::vector<SpecKey> RbfKeys(const char* gamma) {
  return {Real("sigma", "width in exp(-||x-x'||^2 / (2 sigma^2)); give sigma or gamma").Above(0),
          Real("gamma", gamma).Above(0)};
}

std::vector<SpecKey> PolynomialKeys() {
  return {Integer("degree", 2, "exponent in (scale <x,x'> + offset)^degree").From(1, 64),
          Real("scale", "factor of the inner product").Default(1.0).Above(0),
          Real("offset", "constant added to the scaled inner product").Default(0.0).From(0)};
}

// Keys of a table that replaces a list of values. They are the same for every list.
KeyTable ListKeys(const char* path) {
  return {path,
          "",
          {Switch("divide_by_n", false, "divide each value by n (not for kernels)"),
           Reals("powers_of_two", "exponents of powers of two, -1000 to 1000; give this or values"),
           Reals("values", "values of the parameter")}};
}

void AddKernel(std::vector<KeyTable>& tables) {
  const std::vector<std::string> plain = {"rbf", "polynomial", "linear", "histogram-intersection"};
  std::vector<std::string> names = plain;
  names.emplace_back("sum");
  tables.push_back(
      {"kernel",
       "",
       {Choice("name", names, "kernel (okbench help kernels)"),
        Real("bias", "constant added to every value: an offset of the scores").Default(0.0).From(0)}});
  tables.push_back(
      {"kernel", "rbf", RbfKeys("factor in exp(-gamma ||x-x'||^2), or a table with one per data set")});
  tables.push_back({"kernel", "polynomial", PolynomialKeys()});
  tables.push_back({"kernel", "sum", {Tables("terms", "terms of the sum").Required()}});
  tables.push_back(
      {"kernel.gamma",
       "rbf",
       {Real("DATA_SET", "gamma for this data set; may name data sets of other tiers").Above(0)}});
  tables.push_back({"kernel.PARAMETER",
                    "",
                    {List("grid", "values to run every learner with").ByTier(),
                     List("tune", "values to choose from, for each learner").ByTier()}});
  tables.push_back(ListKeys("kernel.PARAMETER.grid"));
  tables.push_back(ListKeys("kernel.PARAMETER.tune"));
  tables.push_back({"kernel.terms",
                    "sum",
                    {Choice("name", plain, "kernel of the term; its keys go in the same table"),
                     Integers("features", "first and last feature of the term, counted from 0")
                         .Required()
                         .Rule("be the first and the last feature of the term, counted from 0"),
                     Real("weight", "factor of the term").Default(1.0).Above(0)}});
  tables.push_back({"kernel.terms", "rbf", RbfKeys("factor in exp(-gamma ||x-x'||^2)")});
  tables.push_back({"kernel.terms", "polynomial", PolynomialKeys()});
}

KeyTable TraceKeys(const TraceSpec& trace) {
  return {
      "trace",
      "",
      {Integer("record_all_until", trace.record_all_until, "record every step up to this one")
           .From(0)
           .ByTier(),
       Integer("per_decade", trace.per_decade, "log-spaced steps to record per decade after record_all_until")
           .From(1, 1000000)
           .ByTier(),
       Integer("every", trace.every, "also record every multiple of this step; 0: none")
           .From(0, 100000000)
           .ByTier(),
       Integers("from_end", "also record the steps this many before the end; at most 1000 entries")
           .ByTier()
           .Rule("list integers >= 0"),
       Integer("checkpoints", trace.checkpoints,
               "number of test-error measurements, evenly spaced, last one at the end")
           .From(1, 10000)
           .ByTier(),
       Integers("rounds", "learners in rounds: also measure after these rounds")
           .Rule("list rounds, counted from 1"),
       Switch("training", trace.training, "learners in rounds: also measure the loss on the training set"),
       Integer("outliers", trace.outliers,
               "first margin errors to record, and worst examples to record per part")
           .From(0, 100000),
       Switch("predictions", trace.predictions, "streams: record label and scores of every step")}};
}

KeyTable MeasureKeys() {
  return {
      "measures",
      "",
      {Texts("names", "measures of predictions, so far: auc, kappa, ... (okbench help measures)"),
       Integer("reaction", 0, "also measure the reaction to changes, by the error over this many examples")
           .From(0, 1000000),
       Integers("window", "also measure over this many last examples")
           .Rule("be a number of examples >= 1 or a list of them")}};
}

const std::vector<std::string> kSearches = {"grid", "coordinates"};

KeyTable ValidationKeys(const Validation& validation) {
  return {
      "cross_validation",
      "",
      {Integer("folds", validation.folds, "number of folds of the training set").From(2, 1000).ByTier(),
       Integer("epochs", validation.epochs, "epochs per fold; 0: same as the tuned run")
           .From(0, 1000000)
           .ByTier(),
       Real("tolerance",
            "end a fold when an epoch changes its held-out error by at most this; default: run all epochs")
           .From(0, 1),
       Real("stream_share", "stream learners: share of the stream, from its start, to search on")
           .Default(validation.stream_share)
           .Above(0)
           .From(0, 1),
       Choice("search", kSearches, "stream learners: try all combinations, or one parameter after the other")
           .Default(kSearches.front())}};
}

void AddLearners(std::vector<KeyTable>& tables) {
  static const std::string discounts =
      fmt::format("discounts of old losses at each step, which compete; 0: none; default: {}",
                  fmt::join(HedgeOptions().discounts, ", "));
  tables.push_back(
      {"learners", "", {Table("KEY", "one learner; KEY names it in files, claims and --only").Required()}});
  tables.push_back(
      {"learners.KEY",
       "",
       {Text("learner", "method (okbench help learners)").Required(),
        Text("label", "name shown in figures; default: KEY"),
        Table("grid", "parameter values to run; each combination is a trial"),
        Table("tune", "parameter values to search; the combination with the lowest error is used"),
        Table("hedge", "streams: parameter values whose learners all learn, and vote by their weights"),
        Real("hedge_beta", "factor of the weight of a learner that was wrong")
            .Default(HedgeOptions().beta)
            .Above(0)
            .Below(1),
        Reals("hedge_discounts", discounts.c_str()).Rule("be numbers >= 0 and < 1"),
        Value("gamma_factor", "multiplies gamma of the RBF kernel; 0: the kernel <x,x'> + 1"),
        Value("PARAMETER", "parameter of the method (okbench help learners)")}});
  tables.push_back(
      {"learners.KEY.PARAMETER",
       "",
       {Real("divide_by_n", "v in parameter = v / n, n: examples per epoch, or in the training set")
            .Required()
            .From(0),
        Value("binary", "value for binary labels; excludes divide_by_n"),
        Value("multiclass", "value for multiclass labels; excludes divide_by_n"),
        Value("real", "value for real targets; excludes divide_by_n")}});
  tables.push_back({"learners.KEY.grid",
                    "",
                    {List("gamma_factor", "factors of gamma of the RBF kernel").ByTier(),
                     List("PARAMETER", "values to run: a list, a list name, or a table").ByTier()}});
  tables.push_back({"learners.KEY.tune",
                    "",
                    {List("gamma_factor", "factors of gamma of the RBF kernel").ByTier(),
                     List("PARAMETER", "values to search: a list, a list name, or a table").ByTier()}});
  tables.push_back({"learners.KEY.hedge",
                    "",
                    {List("gamma_factor", "factors of gamma of the RBF kernel").ByTier(),
                     List("PARAMETER", "values to hedge: a list, a list name, or a table").ByTier()}});
  tables.push_back(ListKeys("learners.KEY.hedge.PARAMETER"));
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
  tables.push_back({"lists", "", {List("LIST", "values for grid or tune").ByTier()}});
  AddKernel(tables);
  tables.push_back(ValidationKeys(spec.validation));
  tables.push_back(TraceKeys(spec.trace));
  tables.push_back(MeasureKeys());
  AddLearners(tables);
  KeyTable tiers{"tiers", "", {}};
  for (const char* tier : kTiers)
    tiers.keys.push_back(Table(tier, "quoted key paths with their values in this tier"));
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
                                {Integer("format", "format version of the file")
                                     .Required()
                                     .From(0)
                                     .Rule("be " + std::to_string(kSpecFormat)),
                                 Table("learners", "one table per learner").Required(),
                                 Table("lists", "named lists of values for grid and tune"),
                                 Choice("search", kSearches, "cross_validation.search of the specs"),
                                 Table("tiers", "lists that differ in the tiers quick, default and paper")}};
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
