#pragma once
// Every key of a spec. A TomlReader gets its keys from here and nowhere else, so that what is listed is what
// is read.

#include <cstdint>
#include <string>
#include <vector>

#include "harness/spec/spec_key.h"

namespace okbench {

inline constexpr std::int64_t kSpecFormat = 2;

/// All tables, in the order of a spec. Names in capitals stand for any: learners.KEY.
const std::vector<KeyTable>& SpecTables();

/// Of a file of learners that specs share.
const KeyTable& SharedFileKeys();

/// The keys of the table at this path; `of` is as in KeyTable. Throws std::logic_error for one that is not
/// listed.
const KeyTable& KeysOf(const std::string& path, const std::string& of = "");

/// What tiers may change besides grids: paths of keys.
bool TierMayChangeKey(const std::string& path);

}  // namespace okbench
