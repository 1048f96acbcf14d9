#pragma once
// The tables of all spec keys. TomlReader takes its keys only from here, so `okbench help keys` is complete.

#include <cstdint>
#include <string>
#include <vector>

#include "harness/spec/spec_key.h"

namespace okbench {

/// Format version that spec files must declare.
inline constexpr std::int64_t kSpecFormat = 2;

/// All tables, in the order of a spec. Names in capitals are placeholders, e.g. learners.KEY.
const std::vector<KeyTable>& SpecTables();

/// Keys of a shared learner file.
const KeyTable& SharedFileKeys();

/// Keys of the table at `path`; `of` as in KeyTable. Throws std::logic_error if there is no such table.
const KeyTable& KeysOf(const std::string& path, const std::string& of = "");

/// True if tiers may change the key at this dotted path. Does not cover grid, tune and lists.
bool TierMayChangeKey(const std::string& path);

}  // namespace okbench
