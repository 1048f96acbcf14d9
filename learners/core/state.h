#pragma once
// The state of a method as one list of its fields, from which come the names and values of its trace columns
// and its archive:
//
//   static auto State() {
//     return state::List(state::Part(&Method::factor_), state::Field("steps", &Method::steps_),
//                        state::Column("updates", &Method::updates_));
//   }
//
//   Field    is archived
//   Column   a trace column; also archived if it is a data member, and only computed if it is a function
//   Part     a member that has such a list, or a function Serialize()
//
// Fields are archived, and columns stand in the trace, in the order of the list. A class that checks what it
// reads has a function Serialize(Archive&), too, which then archives it instead of the list. A class without
// a list has neither columns nor state.

#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "learners/core/archive.h"

namespace okbench::state {

/// Names of the trace columns of a class.
template <class Object>
std::vector<std::string> Columns() {
  std::vector<std::string> names;
  if constexpr (requires { Object::State(); })
    std::apply([&names](const auto&... entry) { (entry.Name(names), ...); }, Object::State());
  return names;
}

/// Writes the values of the trace columns from `next` on, and moves it behind the last one.
template <class Object>
void Report(const Object& object, double*& next) {
  if constexpr (requires { Object::State(); })
    std::apply([&object, &next](const auto&... entry) { (entry.Report(object, next), ...); },
               Object::State());
}

/// Writes or reads the state. Throws InvalidArgument as Archive does.
template <class Object>
void Serialize(Object& object, Archive& archive) {
  if constexpr (requires { object.Serialize(archive); })
    object.Serialize(archive);
  else if constexpr (requires { Object::State(); })
    std::apply([&object, &archive](const auto&... entry) { (entry.Serialize(object, archive), ...); },
               Object::State());
}

template <class Member>
class Field {
 public:
  constexpr Field(const char* name, Member member) : name_(name), member_(member) {}

  void Name(std::vector<std::string>& /*names*/) const {}
  template <class Object>
  void Report(const Object& /*object*/, double*& /*next*/) const {}
  template <class Object>
  void Serialize(Object& object, Archive& archive) const {
    archive.Field(name_, object.*member_);
  }

 private:
  const char* name_;
  Member member_;
};

template <class Member>
class Column {
 public:
  constexpr Column(const char* name, Member member) : name_(name), member_(member) {}

  void Name(std::vector<std::string>& names) const { names.emplace_back(name_); }
  template <class Object>
  void Report(const Object& object, double*& next) const {
    *next++ = static_cast<double>(std::invoke(member_, object));
  }
  template <class Object>
  void Serialize(Object& object, Archive& archive) const {
    if constexpr (std::is_member_object_pointer_v<Member>) archive.Field(name_, object.*member_);
  }

 private:
  const char* name_;
  Member member_;
};

template <class Object, class Member>
class Part {
 public:
  constexpr explicit Part(Member Object::*member) : member_(member) {}

  void Name(std::vector<std::string>& names) const {
    for (std::string& name : Columns<Member>()) names.push_back(std::move(name));
  }
  template <class Whole>
  void Report(const Whole& whole, double*& next) const {
    state::Report(whole.*member_, next);
  }
  template <class Whole>
  void Serialize(Whole& whole, Archive& archive) const {
    state::Serialize(whole.*member_, archive);
  }

 private:
  Member Object::*member_;
};

/// The list of a class, for its function State().
template <class... Entries>
constexpr std::tuple<Entries...> List(const Entries&... entries) {
  return {entries...};
}

}  // namespace okbench::state
