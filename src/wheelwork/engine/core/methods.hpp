// Explicit Runge-Kutta methods, one struct each: `stages` fills in k and the new state, `error` compares with the embedded
// method, `dense` interpolates inside the step. K[0] is the derivative at the start, `last` the derivative at the new
// state after projection (so that a step costs no evaluation twice).
#pragma once

#include <cmath>
#include <vector>

namespace ww {

struct Step {
    double t = 0, h = 0;
    std::vector<double> y0, y1, first, last;
    std::vector<double> cap;  // sizes from which on an entry counts as no larger: angles over many turns

    // What an error of entry i is measured by.
    double scale(size_t i, double rtol, double atol) const {
        return atol + rtol * std::fmin(cap[i], std::fmax(std::fabs(y0[i]), std::fabs(y1[i])));
    }
};

// Cubic Hermite interpolation of a step: error O(h^4).
inline void hermite(const Step& s, double theta, double* out) {
    const double a = 1 - theta;
    const double h00 = (1 + 2 * theta) * a * a, h10 = theta * a * a * s.h;
    const double h01 = theta * theta * (3 - 2 * theta), h11 = -theta * theta * a * s.h;
    for (size_t i = 0; i < s.y0.size(); ++i)
        out[i] = h00 * s.y0[i] + h10 * s.first[i] + h01 * s.y1[i] + h11 * s.last[i];
}

// The classical method of order 4 (Kutta 1901) with fixed step.
class Rk4 {
  public:
    static constexpr bool adaptive = false;
    static constexpr int order = 4;
    static constexpr bool dense_evaluates = false;
    static constexpr double stable_rate = 2.7;  // bounded up to 2.78 along the real axis, 2.83 along the imaginary one

    template <class Rhs>
    bool stages(Rhs&& rhs, Step& s) {
        const size_t n = s.y0.size();
        k2_.resize(n), k3_.resize(n), k4_.resize(n), w_.resize(n);
        const double h = s.h;
        for (size_t i = 0; i < n; ++i) w_[i] = s.y0[i] + 0.5 * h * s.first[i];
        rhs(s.t + 0.5 * h, w_.data(), k2_.data());
        for (size_t i = 0; i < n; ++i) w_[i] = s.y0[i] + 0.5 * h * k2_[i];
        rhs(s.t + 0.5 * h, w_.data(), k3_.data());
        for (size_t i = 0; i < n; ++i) w_[i] = s.y0[i] + h * k3_[i];
        rhs(s.t + h, w_.data(), k4_.data());
        for (size_t i = 0; i < n; ++i)
            s.y1[i] = s.y0[i] + h / 6 * (s.first[i] + 2 * (k2_[i] + k3_[i]) + k4_[i]);
        return true;
    }

    // Step times the fastest rate that the accelerations show: for a spring or a damper alone, 4 |k3 - k2| = (h rate)^2 |k1|.
    double rate(const Step& s, int first, int count, double* acceleration) const {
        double change = 0, size = 0;
        for (int i = first; i < first + count; ++i) {
            change += (k3_[i] - k2_[i]) * (k3_[i] - k2_[i]);
            size += s.first[i] * s.first[i];
        }
        *acceleration = std::sqrt(size);
        return size > 0 ? 2 * std::sqrt(std::sqrt(change / size)) : 0.0;
    }

    bool failed() const { return false; }
    double error(const Step&, double, double) const { return 0.0; }
    void dense(const Step& s, double theta, double* out) const { hermite(s, theta, out); }

  private:
    std::vector<double> k2_, k3_, k4_, w_;
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
        const size_t n = s.y0.size();
        for (auto* k : {&k2_, &k3_, &k4_, &k5_, &k6_, &w_}) k->resize(n);
        const double h = s.h;
        const double *k1 = s.first.data(), *y = s.y0.data();
        for (size_t i = 0; i < n; ++i) w_[i] = y[i] + h * (1.0 / 5 * k1[i]);
        rhs(s.t + h / 5, w_.data(), k2_.data());
        for (size_t i = 0; i < n; ++i) w_[i] = y[i] + h * (3.0 / 40 * k1[i] + 9.0 / 40 * k2_[i]);
        rhs(s.t + 3 * h / 10, w_.data(), k3_.data());
        for (size_t i = 0; i < n; ++i)
            w_[i] = y[i] + h * (44.0 / 45 * k1[i] - 56.0 / 15 * k2_[i] + 32.0 / 9 * k3_[i]);
        rhs(s.t + 4 * h / 5, w_.data(), k4_.data());
        for (size_t i = 0; i < n; ++i)
            w_[i] = y[i] + h * (19372.0 / 6561 * k1[i] - 25360.0 / 2187 * k2_[i] + 64448.0 / 6561 * k3_[i] -
                                212.0 / 729 * k4_[i]);
        rhs(s.t + 8 * h / 9, w_.data(), k5_.data());
        for (size_t i = 0; i < n; ++i)
            w_[i] = y[i] + h * (9017.0 / 3168 * k1[i] - 355.0 / 33 * k2_[i] + 46732.0 / 5247 * k3_[i] +
                                49.0 / 176 * k4_[i] - 5103.0 / 18656 * k5_[i]);
        rhs(s.t + h, w_.data(), k6_.data());
        for (size_t i = 0; i < n; ++i)
            s.y1[i] = y[i] + h * (35.0 / 384 * k1[i] + 500.0 / 1113 * k3_[i] + 125.0 / 192 * k4_[i] -
                                  2187.0 / 6784 * k5_[i] + 11.0 / 84 * k6_[i]);
        return true;
    }

    bool failed() const { return false; }

    // Root mean square of the local error over its tolerance.
    double error(const Step& s, double rtol, double atol) const {
        const size_t n = s.y0.size();
        double total = 0;
        for (size_t i = 0; i < n; ++i) {
            const double e = s.h * (71.0 / 57600 * s.first[i] - 71.0 / 16695 * k3_[i] + 71.0 / 1920 * k4_[i] -
                                    17253.0 / 339200 * k5_[i] + 22.0 / 525 * k6_[i] - 1.0 / 40 * s.last[i]);
            const double over = e / s.scale(i, rtol, atol);
            total += over * over;
        }
        return std::sqrt(total / n);
    }

    void dense(const Step& s, double theta, double* out) const {
        const double a = 1 - theta;
        for (size_t i = 0; i < s.y0.size(); ++i) {
            const double difference = s.y1[i] - s.y0[i];
            const double bump = s.h * s.first[i] - difference;
            const double c4 = difference - s.h * s.last[i] - bump;
            const double c5 = s.h * (-12715105075.0 / 11282082432.0 * s.first[i] +
                                     87487479700.0 / 32700410799.0 * k3_[i] -
                                     10690763975.0 / 1880347072.0 * k4_[i] +
                                     701980252875.0 / 199316789632.0 * k5_[i] -
                                     1453857185.0 / 822651844.0 * k6_[i] + 69997945.0 / 29380423.0 * s.last[i]);
            out[i] = s.y0[i] + theta * (difference + a * (bump + theta * (c4 + a * c5)));
        }
    }

  private:
    std::vector<double> k2_, k3_, k4_, k5_, k6_, w_;
};

}  // namespace ww
