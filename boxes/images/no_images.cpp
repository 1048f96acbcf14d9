// Replaces the other source files of this folder in builds without object localisation.

#include "base/error.h"
#include "boxes/images/load_images.h"

namespace okbench {
namespace {

[[noreturn]] void Fail(const DataSet& set) {
  throw DataError("data set '" + set.name + "' needs object localisation; " +
                  "configure the build with -DOKBENCH_BOXES=ON");
}

}  // namespace

template <class T>
Examples<T> LoadImages(const DataSet& set, const DataRequest& /*request*/, const DataFolders& /*folders*/) {
  Fail(set);
}

WordsReport PrepareWords(const DataSet& set, const DataFolders& /*folders*/) { Fail(set); }

void SetWordsProgress(std::function<void(const std::string&, std::size_t, std::size_t)> /*callback*/) {}

template Examples<float> LoadImages<float>(const DataSet&, const DataRequest&, const DataFolders&);
template Examples<double> LoadImages<double>(const DataSet&, const DataRequest&, const DataFolders&);

}  // namespace okbench
