// Derivatives of an FMU's variables in a direction, by differences.
#pragma once

#include <cmath>

#include "fmu.hpp"

namespace ww {

// Of order four. The state is as it was afterwards.
inline bool directional_by_differences(Fmu& fmu, const unsigned* unknown, size_t unknowns, const unsigned* known, size_t knowns, const double* seed,
                                       double* sensitivity) {
    std::vector<double> at(knowns), moved(knowns), found(unknowns);
    if (!fmu.get(known, knowns, at.data())) return false;
    double size = 0;
    for (size_t i = 0; i < knowns; ++i) size = std::fmax(size, std::fabs(seed[i]));
    std::fill(sensitivity, sensitivity + unknowns, 0.0);
    if (size == 0) return true;
    double h = 1e-6;
    for (size_t i = 0; i < knowns; ++i)
        if (seed[i] != 0) h = std::fmax(h, 1e-6 * std::fmin(10.0, std::fabs(at[i])));
    h /= size;
    const double weights[4] = {-1.0 / 12, 8.0 / 12, -8.0 / 12, 1.0 / 12}, places[4] = {2, 1, -1, -2};
    bool good = true;
    for (int j = 0; j < 4 && good; ++j) {
        for (size_t i = 0; i < knowns; ++i) moved[i] = at[i] + places[j] * h * seed[i];
        good = fmu.set(known, knowns, moved.data()) && fmu.get(unknown, unknowns, found.data());
        for (size_t i = 0; i < unknowns; ++i) sensitivity[i] += weights[j] * found[i] / h;
    }
    return fmu.set(known, knowns, at.data()) && good;
}

}  // namespace ww
