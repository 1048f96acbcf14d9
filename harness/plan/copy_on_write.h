#pragma once
// CopyOnWrite: a value whose copies share one object until one of them is edited.

#include <memory>
#include <utility>

namespace okbench {

/// Trials of a plan have most settings in common. With these members, a plan stores each setting once.
/// Copies may be read concurrently. Edit() REQUIRES that no other thread copies the object meanwhile.
template <class T>
class CopyOnWrite {
 public:
  CopyOnWrite() : CopyOnWrite(T{}) {}
  // NOLINTNEXTLINE(google-explicit-constructor): used like the value
  CopyOnWrite(T value) : value_(std::make_shared<T>(std::move(value))) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  operator const T&() const { return *value_; }  // NOLINT(google-explicit-constructor)

  /// The value, for changes that no other copy sees.
  T& Edit() {
    if (value_.use_count() != 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

 private:
  std::shared_ptr<T> value_;
};

}  // namespace okbench
