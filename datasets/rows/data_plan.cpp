#include "datasets/rows/data_plan.h"

#include <optional>
#include <sstream>

#include "base/error.h"
#include "base/sha256.h"
#include "datasets/files/archive.h"
#include "datasets/generators/drift.h"
#include "datasets/generators/generators.h"
#include "datasets/rows/transform.h"

namespace okbench {
namespace {

// Writes the fields with the role `Included`, each with a leading blank.
template <class Included>
class IdentityVisitor {
 public:
  explicit IdentityVisitor(std::ostream& text) : text_(text) {}

  template <class Role, class T>
  void operator()(Role, const T& value) const {
    if constexpr (std::same_as<Role, identity::Nested>)
      VisitFields(value, *this);
    else if constexpr (std::same_as<Role, Included>)
      Append(value);
  }

 private:
  template <class T>
  void Append(const T& value) const {
    if constexpr (std::is_enum_v<T>)
      text_ << ' ' << static_cast<int>(value);
    else
      text_ << ' ' << value;
  }
  template <HasFields T>
  void Append(const T& value) const {
    VisitFields(value, IdentityVisitor<identity::Always>(text_));
  }
  template <class T>
  void Append(const std::vector<T>& values) const {
    for (const T& value : values) Append(value);
  }
  template <HasFields T>
  void Append(const std::optional<T>& value) const {
    if (value) VisitFields(*value, IdentityVisitor<identity::Always>(text_));
  }

  std::ostream& text_;
};

// The catalog fields that determine the rows and labels of a set. The text goes into the digest.
std::string IdentityText(const DataSet& set) {
  std::ostringstream text;
  text.precision(17);
  VisitFields(set, IdentityVisitor<identity::Always>(text));
  // Other sets omit these fields, so that their digests stay the same as before the fields existed.
  if (set.generated() || set.generator.name == "margin" || set.generator.name == "waves" ||
      set.generator.name == "topics" || IsDriftGenerator(set.generator.name) || set.images)
    VisitFields(set, IdentityVisitor<identity::WhenSet>(text));
  if (set.inputs != 1 || set.horizon != 1) text << " series " << set.inputs << ' ' << set.horizon;
  if (set.table) text << " " << IdentityText(*set.table);
  return text.str().substr(1);
}

std::string FileIdentity(const DataFile& file) {
  std::string digest;
  VisitFields(file, [&]<class Role>(Role, const auto& value) {
    if constexpr (std::same_as<Role, identity::Always>) digest += value;
  });
  return digest;
}

// The digest of a file: from the catalog, or computed from the file that was found. If an alternative was
// found, its digest is used. Records the digest in `files`. A forced synthetic fallback does not depend on
// existing files.
std::string FileIdentity(const DataFile& file, const DataRequest& request, const DataFolders& folders,
                         std::map<std::string, std::string>& files) {
  if (request.force_synthetic) return FileIdentity(file);
  const auto location = Locate(file, folders);
  if (!location) return FileIdentity(file);
  std::string digest = FileIdentity(location->file);
  if (digest.empty()) digest = Sha256Hex(ReadContent(location->path));
  files[location->file.name] = digest;
  return digest;
}

std::string PartIdentity(const std::string& name, const DataPart& part, const DataRequest& request,
                         const DataFolders& folders, std::map<std::string, std::string>& digests) {
  std::string files, numbers;
  VisitFields(part, [&]<class Role, class T>(Role, const T& value) {
    if constexpr (std::same_as<T, std::vector<DataFile>>)
      for (const DataFile& file : value) files += FileIdentity(file, request, folders, digests);
    else if constexpr (std::same_as<Role, identity::Always>)
      numbers += ":" + std::to_string(value);
    else if constexpr (std::same_as<Role, identity::WhenSet>)
      if (!value.empty()) numbers += ":" + value;
  });
  return files + name + numbers + ";";
}

// How a user gets a missing file.
std::string RemedyFor(const DataSet& set, const DataFile& file) {
  if (file.name.starts_with("replacements/"))
    return "try okbench run --replace --fetch, or okbench data fetch --replacements all";
  return "try okbench data fetch " + set.name;
}

}  // namespace

std::vector<std::string> PartsOf(const DataSet& set, const DataRequest& request) {
  std::vector<std::string> parts = {request.part};
  if (request.part == "all") parts = {"train", "test"};
  for (const auto& part : parts)
    if (!set.parts.contains(part)) throw DataError("data set '" + set.name + "' has no part '" + part + "'");
  return parts;
}

DataPlan PlanData(const DataSet& set, const DataRequest& request, const DataFolders& folders) {
  DataPlan plan;
  plan.synthetic = request.force_synthetic;
  const bool has_fallback = set.generated() || !set.generator.name.empty();
  if (request.force_synthetic && !has_fallback)
    throw DataError("data set '" + set.name + "' has no synthetic fallback");
  plan.image = set.image;
  plan.documents = set.documents();
  plan.margin = set.generator.margin;
  Sha256 digest;
  digest.Update(IdentityText(set));
  plan.integers = IntegerScaleOf(set, request).has_value();
  const std::string integers = "whole " + std::to_string(set.integer_scale) + ";";
  if (plan.integers) digest.Update(integers);
  for (const auto& name : PartsOf(set, request)) {
    const DataPart& part = set.parts.at(name);
    for (const DataFile& file : part.files) {
      const bool missing = !Locate(file, folders);
      if (missing && !has_fallback && folders.generated_only)
        throw DataError(
            "data set '" + set.name +
            "' has no generated rows, and no files are used here; okbench run and compare use them");
      if (missing && !has_fallback)
        throw DataError("data set '" + set.name + "': " + file.name + " not found in " + folders.Names() +
                        "; the set has no synthetic fallback; " + RemedyFor(set, file));
      plan.synthetic = plan.synthetic || missing;
    }
    digest.Update(PartIdentity(name, part, request, folders, plan.files));
    plan.rows += part.rows;
  }
  // Generated rows are rounded to multiples of 1 / integer_scale even if the request destroys the integers.
  if (!plan.integers && set.integer_scale > 0 && (plan.synthetic || set.generated())) digest.Update(integers);
  if (set.generated()) plan.synthetic = false;
  if (plan.synthetic) plan.files.clear();
  if (!plan.synthetic && !set.generated()) {
    plan.digest = "sha256:" + digest.Hex();
    return plan;
  }
  if (request.rows > 0) plan.rows = request.rows * PartsOf(set, request).size();
  // The number of rows does not change the rows, but it changes streams.
  plan.digest = (set.generated() ? "generated:v" : "synthetic:v") + std::to_string(kGeneratorVersion) + ":" +
                std::to_string(plan.rows) + ":" + digest.Hex();
  return plan;
}

}  // namespace okbench
