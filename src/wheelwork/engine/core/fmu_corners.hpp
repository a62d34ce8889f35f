// Corners of functions of time, found as `wheelwork.system.corner_times` finds them: between samples, as many as it takes until twice no
// more are found.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fmu.hpp"

namespace ww {

class Corners {
  public:
    explicit Corners(const FmuModel& model) : M(model) {}

    // All from start to end, in order.
    std::vector<double> find(double start, double end) const {
        std::vector<double> found(M.knots, M.knots + M.knot_count);
        if (M.switch_count) zeros(start, end, found);
        std::sort(found.begin(), found.end());
        const double round_off = 1e-14 * std::fmax(std::fabs(start), std::fabs(end));
        std::vector<double> kept;
        for (double t : found)
            if (t >= start - round_off && t <= end + round_off && (kept.empty() || t - kept.back() > round_off)) kept.push_back(t);
        return kept;
    }

  private:
    static constexpr int fewest = 1 << 12, most = 1 << 18, halvings = 60;

    void evaluate(double t, double* values) const {
        const double* in[2] = {&t, M.program->data + M.program->formula_data};
        double* out[1] = {values};
        M.switches[0](in, out);
    }

    void zeros(double start, double end, std::vector<double>& found) const {
        const int rows = M.switch_count;
        std::vector<double> values, largest(rows), here(rows);
        std::vector<std::pair<int, int>> places;  // row, and interval in which it changes sign
        long before = -1;
        int samples = fewest;
        for (;; samples *= 4) {
            values.resize(size_t(samples + 1) * rows);
            places.clear();
            for (int i = 0; i <= samples; ++i) {
                evaluate(at(start, end, i, samples), &values[size_t(i) * rows]);
                for (int r = 0; i && r < rows; ++r)
                    if ((values[size_t(i) * rows + r] > 0) != (values[size_t(i - 1) * rows + r] > 0)) places.push_back({r, i - 1});
            }
            const long count = long(places.size());
            if (samples >= most || (count == 0 && before == 0) || (count == before && samples > fewest)) break;
            before = count;
        }
        for (int i = 0; i <= samples; ++i)
            for (int r = 0; r < rows; ++r) largest[r] = std::fmax(largest[r], std::fabs(values[size_t(i) * rows + r]));
        for (int i : {0, samples})
            for (int r = 0; r < rows; ++r)
                if (std::fabs(values[size_t(i) * rows + r]) <= 1e-14 * largest[r]) found.push_back(at(start, end, i, samples));
        for (const auto& [row, i] : places) {
            double low = at(start, end, i, samples), high = at(start, end, i + 1, samples);
            const bool first = values[size_t(i) * rows + row] > 0;
            for (int k = 0; k < halvings; ++k) {
                const double middle = 0.5 * (low + high);
                evaluate(middle, here.data());
                ((here[row] > 0) == first ? low : high) = middle;
            }
            found.push_back(high);
        }
    }

    static double at(double start, double end, int i, int samples) { return i == samples ? end : start + (end - start) * i / samples; }

    const FmuModel& M;
};

// Those ahead of a run, counted from its start: as far as it takes for its steps to be those of a longer run.
class CornersAhead {
  public:
    explicit CornersAhead(const FmuModel& model) : corners_(model) {}

    std::vector<double> times;

    void forget() { horizon_ = -1; }

    // stop: when the environment will end, or not a number.
    void find(double origin, double now, double end, double stop) {
        if (end + (end - now) <= horizon_) return;
        const double horizon = std::fmax(2 * std::fmax(end, std::fmax(2 * (end - now), 1e-3)), std::isfinite(stop) ? stop - origin : 0.0);
        times = corners_.find(origin, origin + horizon);
        for (double& t : times) t -= origin;
        horizon_ = horizon;
    }

    // Whether more of them had to be found.
    bool reach_beyond(double origin, double now, double stop) {
        if (now < 0.5 * horizon_) return false;
        find(origin, now, std::fmax(now, horizon_), stop);
        return true;
    }

  private:
    Corners corners_;
    double horizon_ = -1;
};

}  // namespace ww
