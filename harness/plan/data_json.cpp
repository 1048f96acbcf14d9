#include "harness/plan/data_json.h"

#include "harness/spec/label_trees.h"

namespace okbench {
namespace {

using nlohmann::json;

bool IsSet(const std::string& text) { return !text.empty(); }
template <class T>
bool IsSet(const std::vector<T>& values) {
  return !values.empty();
}
bool IsSet(const OutputSpec& outputs) { return outputs.table != nullptr; }
template <class T>
bool IsSet(const std::optional<T>& value) {
  return value.has_value();
}

// Adds the identifying fields to a JSON object. `prefix` precedes their names.
class JsonVisitor {
 public:
  explicit JsonVisitor(json& out, std::string prefix = "") : out_(out), prefix_(std::move(prefix)) {}

  template <class Role, class T>
  void operator()(Role role, const T& value) const {
    if constexpr (std::same_as<Role, identity::Nested>) VisitFields(value, *this);
    if constexpr (std::same_as<Role, identity::Always>) out_[prefix_ + role.name] = Value(value);
    if constexpr (std::same_as<Role, identity::WhenSet>)
      if (IsSet(value)) out_[prefix_ + role.name] = Value(value);
  }

 private:
  template <class T>
  static json Value(const T& value) {
    if constexpr (HasFields<T>) {
      json object;
      VisitFields(value, JsonVisitor(object));
      return object;
    } else {
      return value;
    }
  }
  template <class T>
  static json Value(const std::optional<T>& value) {
    return Value(*value);
  }
  static json Value(const OutputSpec& outputs) {
    return {{outputs.table->name, outputs.table->to_json(*outputs.options)}};
  }
  static json Value(Order order) { return OrderName(order); }
  static json Value(TextExtent extent) { return ExtentName(extent); }
  static json Value(TermWeights weights) { return WeightsName(weights); }
  static json Value(LabelTree::Shape shape) { return ShapeName(shape); }
  static json Value(const Range& range) {
    json list = json::array();
    VisitFields(range, [&list](auto, const double bound) { list.push_back(bound); });
    return list;
  }

  json& out_;
  std::string prefix_;
};

}  // namespace

json DataJson(const Trial& trial) {
  json out;
  VisitFields(*trial.data, JsonVisitor(out));
  VisitFields(*trial.train_plan, JsonVisitor(out));
  if (!trial.data->test_part.empty()) VisitFields(*trial.test_plan, JsonVisitor(out, "test_"));
  if (trial.batch > 0) out["batch"] = trial.batch;
  if (trial.tree) out["tree_digest"] = TreeDigest(*trial.tree);
  return out;
}

}  // namespace okbench
