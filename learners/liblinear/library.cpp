#include "learners/liblinear/library.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace okbench::liblinear {
namespace {

std::string LinkerError() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

template <class F>
void Resolve(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error("LIBLINEAR cannot be used: " + LinkerError());
}

Library Open() {
  void* const library = dlopen(OKBENCH_LIBLINEAR, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error("LIBLINEAR cannot be loaded: " + LinkerError());
  Library result{};
  Resolve(library, "train", result.train);
  Resolve(library, "free_and_destroy_model", result.free_and_destroy_model);
  Resolve(library, "set_print_string_function", result.set_print_string_function);
  return result;
}

}  // namespace

const Library& Load() {
  static const Library library = Open();
  return library;
}

}  // namespace okbench::liblinear
