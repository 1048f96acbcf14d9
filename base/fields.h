#pragma once
// The identity of data, field by field.
//
// Every struct that decides which rows a learner sees has a function VisitFields(object, visit). The function
// binds all members with a structured binding, so a new member does not compile until it is listed. Three
// visitors derive texts from the fields: the cache key of a request, the digest of a data set, and the JSON
// of a trial id. A visitor is called with the role of a field (namespace identity) and the field itself.

#include <concepts>
#include <string>
#include <type_traits>

namespace okbench {

/// The role of a field in the identity of a trial. `name` is the field's name in the texts.
namespace identity {

struct Always {  ///< part of every text
  const char* name;
};
struct WhenSet {  ///< part of a text only when it is set
  const char* name;
};
struct Nested {  ///< a struct whose own fields are visited instead
  const char* name;
};
struct InDigest {  ///< covered by the digest of the data
  const char* name;
};
struct Derived {  ///< follows from other fields of the trial
  const char* name;
};
struct Excluded {  ///< changes no row
  const char* name;
};

}  // namespace identity

/// T or const T, so that one VisitFields() serves readers and writers.
template <class Object, class T>
concept MaybeConst = std::same_as<std::remove_const_t<Object>, T>;

/// Satisfied by structs that have a VisitFields() function.
template <class T>
concept HasFields = requires(const T& object) {
  VisitFields(object, [](auto, const auto&) {});
};

}  // namespace okbench
