// Solves x = F(x) for a few numbers by Anderson's iteration: the next x is the combination of the last images F(x) whose
// residuals F(x) - x cancel best. For a linear F of n numbers it ends after n + 1 rounds, also where plain iteration runs away
// (friction in a worm drive), and where F is nearly constant it is as quick as plain iteration.
// D. G. Anderson, J. ACM 12 (1965) 547; H. F. Walker, P. Ni, SIAM J. Numer. Anal. 49 (2011) 1715.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace ww {

class FixedPoint {
  public:
    static constexpr int memory = 12;

    void start(int n) {
        n_ = n;
        count_ = 0;
    }

    // Iterate until x and its image agree, relative to each of them or to a part of the largest. `evaluate` makes the image from x,
    // and returns a size below which differences do not count. False: they do not come closer than `acceptable`. `further`: rounds made in
    // any case, where x is good from the start but can be better.
    template <class Evaluate>
    bool solve(std::vector<double>& x, std::vector<double>& image, double same, double acceptable, int further, Evaluate&& evaluate) {
        start(int(x.size()));
        double last = 0;
        for (int round = 0;; ++round) {
            double floor = evaluate(), change = 0, largest = 0;
            for (double value : image) largest = std::fmax(largest, std::fabs(value));
            floor = std::fmax(floor, 1e-6 * largest);
            for (size_t i = 0; i < x.size(); ++i) {
                const double size = std::fabs(image[i] - x[i]) / (std::fabs(image[i]) + floor + 1e-30);
                if (!(size <= change)) change = size;
            }
            if (change <= same && round >= further) return true;
            if (round > 200 || (round > 50 && change > last) || !(change < 1e300)) return change <= acceptable;
            last = change;
            next(x.data(), image.data());
        }
    }

    // One step of Newton's method from x and its image, which are at hand, with differences for derivatives.
    template <class Evaluate>
    void newton_step(std::vector<double>& x, std::vector<double>& image, Evaluate&& evaluate) {
        const int n = int(x.size());
        const std::vector<double> from = x, there = image;
        double largest = 0;
        for (int i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(there[i]) + std::fabs(from[i]));
        if (!(largest > 0 && largest < 1e300)) return;
        const double change = 1e-5 * largest;
        std::vector<std::vector<double>> row(n, std::vector<double>(n + 1));
        for (int j = 0; j < n; ++j) {
            x[j] += change;
            evaluate();
            x[j] = from[j];
            for (int i = 0; i < n; ++i) row[i][j] = (i == j) - (image[i] - there[i]) / change;
        }
        for (int i = 0; i < n; ++i) row[i][n] = there[i] - from[i];
        for (int j = 0; j < n; ++j) {  // Gauss and Jordan, with pivots
            int best = j;
            for (int i = j; i < n; ++i)
                if (std::fabs(row[i][j]) > std::fabs(row[best][j])) best = i;
            if (!(std::fabs(row[best][j]) > 1e-12)) return;
            std::swap(row[j], row[best]);
            for (int i = 0; i < n; ++i)
                for (int k = n; i != j && k >= j; --k) row[i][k] -= row[i][j] / row[j][j] * row[j][k];
        }
        for (int i = 0; i < n; ++i) x[i] += row[i][n] / row[i][i];
    }

    // x, F(x) -> the next x, in place
    void next(double* x, const double* image) {
        residual_.resize(n_);
        for (int i = 0; i < n_; ++i) residual_[i] = image[i] - x[i];
        if (count_ > 0) {
            const int slot = (count_ - 1) % memory;
            auto &dr = change_of_residual_[slot], &df = change_of_image_[slot];
            dr.resize(n_), df.resize(n_);
            for (int i = 0; i < n_; ++i) {
                dr[i] = residual_[i] - last_residual_[i];
                df[i] = image[i] - last_image_[i];
            }
        }
        last_residual_ = residual_;
        last_image_.assign(image, image + n_);
        // newest changes first: they are the most telling, and a column that adds nothing new is left out
        const int depth = std::min({count_, memory, n_});
        for (int i = 0; i < n_; ++i) x[i] = image[i];
        orthogonal_.clear();
        images_.clear();
        for (int k = 1; k <= depth; ++k) {
            const int slot = (count_ - k) % memory;
            std::vector<double> q = change_of_residual_[slot], f = change_of_image_[slot];
            const double size = norm(q);
            for (int pass = 0; pass < 2; ++pass)
                for (size_t j = 0; j < orthogonal_.size(); ++j) subtract(q, f, j, dot(orthogonal_[j], q));
            const double left = norm(q);
            if (!(left > 1e-10 * size)) continue;
            for (int i = 0; i < n_; ++i) q[i] /= left, f[i] /= left;
            const double along = dot(q, residual_);
            for (int i = 0; i < n_; ++i) x[i] -= along * f[i];
            orthogonal_.push_back(q);
            images_.push_back(f);
        }
        ++count_;
    }

  private:
    void subtract(std::vector<double>& q, std::vector<double>& f, size_t j, double factor) const {
        for (int i = 0; i < n_; ++i) {
            q[i] -= factor * orthogonal_[j][i];
            f[i] -= factor * images_[j][i];
        }
    }
    static double dot(const std::vector<double>& a, const std::vector<double>& b) {
        double total = 0;
        for (size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
        return total;
    }
    static double norm(const std::vector<double>& a) { return std::sqrt(dot(a, a)); }

    int n_ = 0, count_ = 0;
    std::vector<double> residual_, last_residual_, last_image_;
    std::vector<double> change_of_residual_[memory], change_of_image_[memory];
    std::vector<std::vector<double>> orthogonal_, images_;
};

}  // namespace ww
