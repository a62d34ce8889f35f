// SDIRK4 (sdirk4.hpp) for equations in minimal coordinates: an ordinary differential equation with few unknowns, whose
// Jacobian is full. It is taken from differences at the start of every step, which straight-line code gives in microseconds; Newton's
// method needs no more of it than that it converges.
#pragma once

#include <algorithm>

#include "methods.hpp"
#include "sdirk4_table.hpp"

namespace ww {

class ReducedSdirk4 {
  public:
    static constexpr bool adaptive = true;
    static constexpr int order = 4;
    static constexpr bool dense_evaluates = false;

    ReducedSdirk4(double rtol, double atol) : rtol_(rtol), atol_(atol) {}

    long long newton_iterations = 0;
    bool failed() const { return failed_ && !not_finite_; }

    template <class Rhs>
    bool stages(Rhs&& rhs, Step& s) {
        n_ = s.n;
        const double hg = 0.25 * s.h;
        for (auto& k : k_) k.resize(n_);
        base_.resize(n_), stage_.resize(n_), x_.resize(n_);
        failed_ = true, not_finite_ = false;
        k_[0] = s.first;
        if (!form(rhs, s, hg)) return false;
        for (int i = 1; i < 6; ++i) {
            for (size_t j = 0; j < n_; ++j) base_[j] = s.y0[j] + s.h * sdirk4_table::slope(k_, i, j);
            k_[i] = k_[i - 1];
            if (!solve_stage(rhs, s.t + sdirk4_table::c[i] * s.h, hg, k_[i])) return false;
        }
        s.y1 = stage_;  // stiffly accurate: the last stage is the new state
        failed_ = false;
        return true;
    }

    // Through (1 - hg J)^-1, so that what is stiff and has died out by itself does not count.
    double error(const Step& s, double rtol, double atol) {
        std::vector<double>& e = base_;
        for (size_t j = 0; j < n_; ++j) e[j] = s.h * sdirk4_table::difference(k_, j);
        solve(e.data());
        return s.over_tolerance(e, rtol, atol);
    }

    void dense(const Step& s, double theta, double* out) const { hermite(s, theta, out); }

  private:
    // Factors of 1 - hg J at the start of the step.
    template <class Rhs>
    bool form(Rhs&& rhs, const Step& s, double hg) {
        lu_.resize(n_ * n_), pivot_.resize(n_);
        std::vector<double>&w = stage_, &f = x_;
        w = s.y0;
        for (size_t j = 0; j < n_; ++j) {
            const double d = std::sqrt(2.2e-16 * std::fmax(1e-5, std::fabs(w[j])));
            w[j] = s.y0[j] + d;
            rhs(s.t, w.data(), f.data());
            const double over = 1.0 / (w[j] - s.y0[j]);
            w[j] = s.y0[j];
            for (size_t i = 0; i < n_; ++i) lu_[i * n_ + j] = (i == j) - hg * over * (f[i] - s.first[i]);
        }
        for (size_t k = 0; k < n_; ++k) {
            size_t best = k;
            for (size_t i = k + 1; i < n_; ++i)
                if (std::fabs(lu_[i * n_ + k]) > std::fabs(lu_[best * n_ + k])) best = i;
            pivot_[k] = best;
            not_finite_ = !(std::fabs(lu_[best * n_ + k]) < 1e300);
            if (not_finite_ || lu_[best * n_ + k] == 0) return false;
            if (best != k) std::swap_ranges(&lu_[k * n_], &lu_[k * n_] + n_, &lu_[best * n_]);
            for (size_t i = k + 1; i < n_; ++i) {
                const double factor = lu_[i * n_ + k] /= lu_[k * n_ + k];
                if (factor == 0.0) continue;
                for (size_t j = k + 1; j < n_; ++j) lu_[i * n_ + j] -= factor * lu_[k * n_ + j];
            }
        }
        return true;
    }

    void solve(double* x) const {
        for (size_t k = 0; k < n_; ++k)  // rows are exchanged whole, so the right-hand side is too, before
            if (pivot_[k] != k) std::swap(x[k], x[pivot_[k]]);
        for (size_t i = 1; i < n_; ++i)
            for (size_t j = 0; j < i; ++j) x[i] -= lu_[i * n_ + j] * x[j];
        for (size_t i = n_; i-- > 0;) {
            for (size_t j = i + 1; j < n_; ++j) x[i] -= lu_[i * n_ + j] * x[j];
            x[i] /= lu_[i * n_ + i];
        }
    }

    // k = f(t, base + hg k); the state is left in stage_.
    template <class Rhs>
    bool solve_stage(Rhs&& rhs, double t, double hg, std::vector<double>& k) {
        double last = 1e300;
        for (int round = 0; round < 12; ++round) {
            ++newton_iterations;
            for (size_t j = 0; j < n_; ++j) stage_[j] = base_[j] + hg * k[j];
            rhs(t, stage_.data(), x_.data());
            for (size_t j = 0; j < n_; ++j) x_[j] -= k[j];
            solve(x_.data());
            double total = 0;
            for (size_t j = 0; j < n_; ++j) {
                k[j] += x_[j];
                const double over = hg * x_[j] / (atol_ + rtol_ * std::fabs(stage_[j]));
                total += over * over;
            }
            const double size = std::sqrt(total / n_);
            not_finite_ = !(size < 1e300);
            if (not_finite_) return false;
            if (size < 1e-3 || (round > 0 && size < last && size * size / (last - size) < 1e-3)) {
                for (size_t j = 0; j < n_; ++j) stage_[j] = base_[j] + hg * k[j];
                return true;
            }
            if (round > 1 && size > 0.9 * last) return false;
            last = size;
        }
        return false;
    }

    double rtol_, atol_;
    size_t n_ = 0;
    bool failed_ = false, not_finite_ = false;
    std::vector<double> k_[6], base_, stage_, x_, lu_;
    std::vector<size_t> pivot_;
};

}  // namespace ww
