#pragma once
// Time series as rows: the last L values of each input, and a coming value of the first input as the target.

#include <cstddef>
#include <string>
#include <vector>

#include "datasets/catalog/catalog.h"
#include "datasets/rows/raw_rows.h"
#include "datasets/rows/request.h"

namespace okbench {

/// Rows first .. first + count - 1 of an embedded series. Row t has the values u_i(t - L + 1) .. u_i(t) of
/// every input i, oldest first, input by input, and the target u_0(t + horizon); t counts from 0. Values
/// before the start are 0. `series` holds all values, [step][input]. REQUIRES: first + count + horizon <=
/// steps, and features = L * inputs.
template <class T>
RawRows<T> Embed(const std::vector<double>& series, std::size_t inputs, std::size_t features,
                 std::size_t horizon, std::size_t first, std::size_t count);

/// Whether the rows of a data set come from a time series.
bool IsSeries(const DataSet& set);
/// The data set with the embedding and the horizon of a request. A longer horizon leaves fewer rows, a
/// shorter one more. Throws DataError if none is left. REQUIRES: IsSeries(set).
DataSet Embedded(DataSet set, const DataRequest& request);

/// The first `steps` values of a generated series.
///   "lorenz"        third component; Euler's rule with step 0.01, sigma 10, rho 28, beta 8/3, from
///                   (10, 7, 35)
///   "mackey-glass"  dx/dt = 0.2 x(t - 30) / (1 + x(t - 30)^10) - 0.1 x(t), from the constant 0.9;
///                   Euler's rule with step 0.1, every sixth unit of time, after 1000 units
/// Throws DataError for another name.
std::vector<double> GeneratedSeries(const std::string& name, std::size_t steps);

/// Whether GeneratedSeries() knows the name.
bool IsSeriesGenerator(const std::string& name);

}  // namespace okbench
