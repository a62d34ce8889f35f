// Explicit Runge-Kutta methods, one struct each: `stages` fills in k and the new state, `error` compares with the embedded
// method, `dense` interpolates inside the step. K[0] is the derivative at the start, `last` the derivative at the new
// state after projection (so that a step costs no evaluation twice).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace ww {

// Eight numbers at a time, anywhere in memory.
typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));

inline const Eight& eight(const double* x) { return *reinterpret_cast<const Eight*>(x); }
inline double sum(const Eight& x) { return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])); }

// States and derivatives have n entries, and zeros behind them up to a multiple of eight.
struct Step {
    double t = 0, h = 0;
    size_t n = 0;
    std::vector<double> y0, y1, first, last;
    std::vector<double> cap;  // sizes from which on an entry counts as no larger: angles over many turns

    void begin(const double* y, size_t count) {
        n = count;
        y0.assign((n + 7) / 8 * 8, 0.0);
        std::copy(y, y + n, y0.begin());
        y1 = first = last = y0;
        cap.assign(n, INFINITY);
    }

    // Root mean square of an error over its tolerance.
    double over_tolerance(const std::vector<double>& e, double rtol, double atol) const {
        return std::sqrt(mean_square(e.data(), rtol, atol));
    }

    double mean_square(const double* e, double rtol, double atol) const {
        double total = 0;
        size_t i = 0;
        for (; i + 8 <= n; i += 8) total += sum(square(eight(e + i), eight(&y0[i]), eight(&y1[i]), eight(&cap[i]), rtol, atol));
        for (; i < n; ++i) total += square(e[i], y0[i], y1[i], cap[i], rtol, atol);
        return total / n;
    }

  private:
    template <class T>
    static T square(T error, T a, T b, T most, double rtol, double atol) {
        a = a < 0 ? -a : a, b = b < 0 ? -b : b;
        const T larger = a > b ? a : b, over = error / (atol + rtol * (larger < most ? larger : most));
        return over * over;
    }
};

// Cubic Hermite interpolation of a step: error O(h^4).
inline void hermite(const Step& s, double theta, double* out) {
    const double a = 1 - theta;
    const double h00 = (1 + 2 * theta) * a * a, h10 = theta * a * a * s.h;
    const double h01 = theta * theta * (3 - 2 * theta), h11 = -theta * theta * a * s.h;
    for (size_t i = 0; i < s.n; ++i)
        out[i] = h00 * s.y0[i] + h10 * s.first[i] + h01 * s.y1[i] + h11 * s.last[i];
}

// Derivatives of the stages of a method, and sums of them.
class Stages {
  public:
    struct Row {
        int count, at[12];
        double c[12];
    };

    // For a step: its state, and the derivative there as the first row.
    void begin(const Step& s, int rows) {
        packs_ = s.y0.size() / 8;
        own_.resize(size_t(rows) * s.y0.size()), w_.resize(s.y0.size());
        for (int i = 0; i < rows; ++i) row_[i] = &own_[i * s.y0.size()];
        set(0, s.first);
        y_ = s.y0.data(), n_ = s.n, h_ = s.h;
    }

    void set(int row, const std::vector<double>& k) { row_[row] = k.data(); }  // which stays where it is
    double* operator[](int row) { return &own_[8 * packs_ * row]; }

    // y + h sum of c k. The last row of a sum was written a moment ago, a number at a time: eight at a time are read only when all
    // of them have arrived in memory, for which a small system would have to wait.
    const double* to(const Row& row) { return to(row, w_.data()); }
    const double* to(const Row& row, double* out) {
        const int last = row.count - 1, early = packs_ > 4 ? row.count : last;
        for (size_t i = 0; i < 8 * packs_; i += 8) at(out, i) = early ? at(y_, i) + h_ * sum(row, i, early) : at(y_, i);
        if (early == row.count) return out;
        const double *k = row_[row.at[last]], c = h_ * row.c[last];
        for (size_t j = 0; j < n_; ++j) out[j] += c * k[j];
        return out;
    }

    // h sum of c k
    void sum(const Row& row, double* out) const {
        for (size_t i = 0; i < 8 * packs_; i += 8) at(out, i) = h_ * sum(row, i, row.count);
    }

  private:
    static Eight& at(double* x, size_t i) { return *reinterpret_cast<Eight*>(x + i); }
    static const Eight& at(const double* x, size_t i) { return eight(x + i); }

    Eight sum(const Row& row, size_t i, int count) const {
        Eight total = row.c[0] * at(row_[row.at[0]], i), other{};
        int m = 1;
        for (; m + 1 < count; m += 2) {  // two sums, which do not wait for each other
            total += row.c[m] * at(row_[row.at[m]], i);
            other += row.c[m + 1] * at(row_[row.at[m + 1]], i);
        }
        if (m < count) total += row.c[m] * at(row_[row.at[m]], i);
        return total + other;
    }

    std::vector<double> own_, w_;
    const double *row_[16], *y_ = nullptr;
    size_t n_ = 0, packs_ = 0;
    double h_ = 0;
};

// The classical method of order 4 (Kutta 1901) with fixed step.
class Rk4 {
  public:
    static constexpr bool adaptive = false;
    static constexpr int order = 4;
    static constexpr bool dense_evaluates = false;
    static constexpr double stable_rate = 2.7;  // bounded up to 2.78 along the real axis, 2.83 along the imaginary one

    template <class Rhs>
    bool stages(Rhs&& rhs, Step& s) {
        k_.begin(s, 4);
        for (int i = 1; i < 4; ++i) rhs(s.t + stage_[i - 1].c[0] * s.h, k_.to(stage_[i - 1]), k_[i]);
        k_.to(stage_[3], s.y1.data());
        return true;
    }

    // Step times the fastest rate that the accelerations show: for a spring or a damper alone, 4 |k3 - k2| = (h rate)^2 |k1|.
    double rate(const Step& s, int first, int count, double* acceleration) {
        const double *k2 = k_[1] + first, *k3 = k_[2] + first, *k1 = &s.first[first];
        Eight changes{}, sizes{};
        int i = 0;
        for (; i + 8 <= count; i += 8) {
            const Eight difference = eight(k3 + i) - eight(k2 + i);
            changes += difference * difference;
            sizes += eight(k1 + i) * eight(k1 + i);
        }
        double change = ww::sum(changes), size = ww::sum(sizes);
        for (; i < count; ++i) {
            change += (k3[i] - k2[i]) * (k3[i] - k2[i]);
            size += k1[i] * k1[i];
        }
        *acceleration = std::sqrt(size);
        return size > 0 ? 2 * std::sqrt(std::sqrt(change / size)) : 0.0;
    }

    // Whether the last stage has seen accelerations jump, beside the end of the step, which has not: for a spring or a damper alone
    // |k4 - last| is 2/3 (h rate)^2/4 of |k3 - k2|, and this (h rate)^2/4 of |k1|. `lands`: at the very jump the end may have seen it too.
    bool last_stage_jumps(const Step& s, int first, int count, bool lands) {
        const double *k2 = k_[1] + first, *k3 = k_[2] + first, *k4 = k_[3] + first, *k1 = &s.first[first], *end = &s.last[first];
        double off = 0, change = 0, size = 0;
        for (int i = 0; i < count; ++i) {
            off += (k4[i] - end[i]) * (k4[i] - end[i]);
            change += (k3[i] - k2[i]) * (k3[i] - k2[i]);
            size += k1[i] * k1[i];
        }
        off = std::sqrt(off), change = std::sqrt(change), size = std::sqrt(size);
        return (lands || size == 0 || off * size > change * (0.1 * size + 2 * change)) && change <= size;  // else it is too long in any case
    }

    bool failed() const { return false; }
    double error(const Step&, double, double) const { return 0.0; }
    void dense(const Step& s, double theta, double* out) const { hermite(s, theta, out); }

  private:
    static constexpr Stages::Row stage_[4] = {
        {1, {0}, {1.0 / 2}},
        {1, {1}, {1.0 / 2}},
        {1, {2}, {1.0}},
        {4, {0, 1, 2, 3}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
    };

    Stages k_;
};

// Dormand and Prince 5(4) (J. Comp. Appl. Math. 6, 1980), with the continuous extension of Hairer, Norsett, Wanner,
// Solving Ordinary Differential Equations I, sec. II.6.
class Dopri5 {
  public:
    static constexpr bool adaptive = true;
    static constexpr int order = 5;
    static constexpr bool dense_evaluates = false;

    template <class Rhs>
    bool stages(Rhs&& rhs, Step& s) {
        k_.begin(s, 7);
        for (int i = 1; i < 6; ++i) rhs(s.t + place_[i - 1] * s.h, k_.to(stage_[i - 1]), k_[i]);
        k_.to(stage_[5], s.y1.data());
        return true;
    }

    bool failed() const { return false; }

    // Root mean square of the local error over its tolerance.
    double error(const Step& s, double rtol, double atol) {
        k_.set(6, s.last);
        e_.resize(s.y0.size());
        k_.sum(error_, e_.data());
        return s.over_tolerance(e_, rtol, atol);
    }

    void dense(const Step& s, double theta, double* out) {
        const double a = 1 - theta;
        k_.set(6, s.last);
        e_.resize(s.y0.size());
        k_.sum(dense_, e_.data());
        for (size_t i = 0; i < s.n; ++i) {
            const double difference = s.y1[i] - s.y0[i];
            const double bump = s.h * s.first[i] - difference;
            const double c4 = difference - s.h * s.last[i] - bump;
            out[i] = s.y0[i] + theta * (difference + a * (bump + theta * (c4 + a * e_[i])));
        }
    }

  private:
    static constexpr double place_[5] = {1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0};
    static constexpr Stages::Row stage_[6] = {
        {1, {0}, {1.0 / 5}},
        {2, {0, 1}, {3.0 / 40, 9.0 / 40}},
        {3, {0, 1, 2}, {44.0 / 45, -56.0 / 15, 32.0 / 9}},
        {4, {0, 1, 2, 3}, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729}},
        {5, {0, 1, 2, 3, 4}, {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}},
        {5, {0, 2, 3, 4, 5}, {35.0 / 384, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
    };
    static constexpr Stages::Row error_ = {6, {0, 2, 3, 4, 5, 6}, {71.0 / 57600, -71.0 / 16695, 71.0 / 1920,
        -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};
    static constexpr Stages::Row dense_ = {6, {0, 2, 3, 4, 5, 6}, {-12715105075.0 / 11282082432.0,
        87487479700.0 / 32700410799.0, -10690763975.0 / 1880347072.0, 701980252875.0 / 199316789632.0,
        -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0}};

    Stages k_;
    std::vector<double> e_;
};

}  // namespace ww
