// The table of SDIRK4 (sdirk4.hpp), for absolute and for minimal coordinates.
#pragma once

#include <cstddef>

namespace ww::sdirk4_table {

constexpr double a[6][5] = {
    {},
    {1.0 / 4},
    {8611.0 / 62500, -1743.0 / 31250},
    {5012029.0 / 34652500, -654441.0 / 2922500, 174375.0 / 388108},
    {15267082809.0 / 155376265600, -71443401.0 / 120774400, 730878875.0 / 902184768, 2285395.0 / 8070912},
    {82889.0 / 524892, 0.0, 15625.0 / 83664, 69875.0 / 102672, -2260.0 / 8211}};
constexpr double c[6] = {0.0, 1.0 / 2, 83.0 / 250, 31.0 / 50, 17.0 / 20, 1.0};

// What the derivatives of the stages k give for entry j: the slope of stage i, and the difference of the two methods.
template <class Stages>
double slope(const Stages& k, int i, size_t j) {
    double sum = 0;
    for (int l = 0; l < i; ++l) sum += a[i][l] * k[l][j];
    return sum;
}
template <class Stages>
double difference(const Stages& k, size_t j) {
    return 31666707.0 / 9881966720 * k[0][j] - 256875.0 / 105007616 * k[2][j] - 2768025.0 / 128864768 * k[3][j] +
           169839.0 / 3864644 * k[4][j] - 5247.0 / 225920 * k[5][j];
}

}  // namespace ww::sdirk4_table
