#pragma once
// Fields: what identifies data, told field by field. Each struct that says which rows a learner sees has one
// VisitFields(object, visit) beside it. It binds all members, so that a new one does not compile before it is
// told; the texts that identify (a request's key, the facts in a digest, the JSON in a trial's id) are made
// by visitors, called with how a field identifies and the field itself.

#include <concepts>
#include <string>
#include <type_traits>

namespace okbench {

/// How a field identifies. The names are those in the texts.
namespace told {

struct Always {  ///< in every text
  const char* name;
};
struct WhenSet {  ///< only where it is set: texts from before there was such a field stay as they are
  const char* name;
};
struct ByItsFields {  ///< its own fields are told in its place
  const char* name;
};
struct ByDigest {  ///< decides rows, and so does the digest of the data, which tells it
  const char* name;
};
struct ByOthers {  ///< decides rows, and follows from other fields of the trial, which tell it
  const char* name;
};
struct Nowhere {  ///< changes no row
  const char* name;
};

}  // namespace told

/// T or const T: fields are visited to be read, or to be changed.
template <class Object, class T>
concept MaybeConst = std::same_as<std::remove_const_t<Object>, T>;

/// Has a VisitFields of its own.
template <class T>
concept HasFields = requires(const T& object) {
  VisitFields(object, [](auto, const auto&) {});
};

}  // namespace okbench
