#pragma once
// ReadMeasures: the table [measures] of a spec.

#include "harness/spec/spec.h"
#include "harness/spec/toml_reader.h"

namespace okbench {

/// Reads the measures of predictions, windows and reaction into `spec`. Each name stands for the measure over
/// all predictions so far and over each window; NAME@WINDOW for that window only. Throws SpecError.
void ReadMeasures(TomlReader reader, Spec& spec);

}  // namespace okbench
