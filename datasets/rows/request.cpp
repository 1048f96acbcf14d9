#include "datasets/rows/request.h"

#include <charconv>

namespace okbench {
namespace {

// Injective texts: different values have different texts.
std::string Text(const std::string& value) { return value; }
std::string Text(bool value) { return value ? "yes" : ""; }
std::string Text(std::integral auto value) { return std::to_string(value); }
std::string Text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), value).ptr};  // exact
}
std::string Text(TextExtent value) { return ExtentName(value); }
std::string Text(TermWeights value) { return WeightsName(value); }
std::string Text(const std::vector<int>& values) {
  std::string text;
  for (const int value : values) text += (text.empty() ? "" : ",") + Text(value);
  return text;
}
template <HasFields T>
std::string Text(const T& object);
template <class T>
std::string Text(const std::optional<T>& value) {
  return value ? Text(*value) : "";
}

template <HasFields T>
std::string Text(const T& object) {
  std::string text;
  VisitFields(object, [&text]<class Role>(Role role, const auto& value) {
    if constexpr (!std::same_as<Role, identity::Excluded>)
      text += (text.empty() ? "" : "|") + std::string(role.name) + "=" + Text(value);
  });
  return text;
}

}  // namespace

DataRequest WithoutSubset(DataRequest request) {
  request.sample.reset();
  request.first = 0;
  request.fold.reset();
  return request;
}

std::string Key(const DataRequest& request) { return Text(request); }

}  // namespace okbench
