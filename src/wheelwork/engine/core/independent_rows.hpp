// Rows of constraints brought onto minimal coordinates, in the metric of the kinetic energy: which of them say something new, and
// what it takes to meet those.
//
// With M = L D L^T and W = G L^-T D^-1/2, S = G M^-1 G^T is W W^T. The rows of W are made orthogonal one after the other, the one
// with most left first (Gram-Schmidt, each row twice). Unlike a factor of S this does not square the condition of the loops: rows
// that depend on others are left with round-off, 1e-15 of their length, and are told from those of a loop near a singular
// position.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace ww {

class IndependentRows {
  public:
    static constexpr double least = 1e-6;  // what must be left of a row, over its length, for it to say something new

    // rows x n, by rows; alive: 0: counts as zero, 1; 2, 3: taken after all of 1, of 2. Overwrites W. Needed: `least`, or more where rows are less well known.
    void factorise(double* W, int rows, int n, const std::vector<char>& alive, double needed) {
        rows_ = rows, n_ = n, W_ = W;
        order_.clear();
        R_.assign(size_t(rows) * rows, 0.0);
        length_.assign(rows, 0.0), left_.assign(rows, 0.0);
        for (int i = 0; i < rows; ++i) {
            if (alive[i]) length_[i] = std::sqrt(dot(row(i), row(i)));
            left_[i] = length_[i] > 0 ? 1.0 : 0.0;
        }
        std::fill(taken_, taken_ + groups, 0);
        for (int group = 1; int(order_.size()) < n && group <= groups;) {
            int best = -1;
            double most = needed;
            for (int i = 0; i < rows; ++i)
                if (alive[i] == group && left_[i] > most) most = left_[i], best = i;
            if (best < 0) {
                ++group;
                continue;
            }
            double* q = row(best);
            orthogonalise(best);  // once more, against all before it: what the first time left of round-off
            const double size = std::sqrt(dot(q, q));
            left_[best] = 0.0;
            if (!(size > needed * length_[best])) continue;
            for (int j = 0; j < n; ++j) q[j] /= size;
            R_[size_t(best) * rows_ + order_.size()] = size;
            order_.push_back(best);
            ++taken_[group - 1];
            for (int i = 0; i < rows; ++i)
                if (left_[i] > 0) take_out(i, int(order_.size()) - 1), left_[i] = std::sqrt(dot(row(i), row(i))) / length_[i];
        }
    }

    int rank() const { return int(order_.size()); }
    int rank_of_last() const { return taken_[groups - 1]; }

    // What is left of a row w (in the metric of W) beside those that say something new: the square of its length.
    double left_of(std::vector<double>& w) {
        for (int k = 0; k < rank(); ++k) {
            const double *q = row(order_[k]), along = dot(w.data(), q);
            for (int j = 0; j < n_; ++j) w[j] -= along * q[j];
        }
        return dot(w.data(), w.data());
    }

    // z = W^T S^-1 b, the shortest vector with W z = b in the rows that say something new. b becomes S^-1 b, zero in the others.
    void shortest(double* b, double* z) {
        const int r = rank();
        part_.resize(r);
        for (int j = 0; j < n_; ++j) z[j] = 0.0;
        for (int k = 0; k < r; ++k) {
            const double* q = row(order_[k]);
            double sum = b[order_[k]];
            for (int l = 0; l < k; ++l) sum -= R(k, l) * part_[l];
            part_[k] = sum / R(k, k);
            for (int j = 0; j < n_; ++j) z[j] += part_[k] * q[j];
        }
        for (int i = 0; i < rows_; ++i) b[i] = 0.0;
        for (int l = r - 1; l >= 0; --l) {
            double sum = part_[l];
            for (int k = l + 1; k < r; ++k) sum -= R(k, l) * b[order_[k]];
            b[order_[l]] = sum / R(l, l);
        }
    }

  private:
    double R(int k, int l) const { return R_[size_t(order_[k]) * rows_ + l]; }
    double* row(int i) { return W_ + size_t(i) * n_; }

    double dot(const double* a, const double* b) const {
        double sum = 0;
        for (int j = 0; j < n_; ++j) sum += a[j] * b[j];
        return sum;
    }

    void take_out(int i, int k) {
        const double* q = row(order_[k]);
        const double along = dot(row(i), q);
        R_[size_t(i) * rows_ + k] += along;
        for (int j = 0; j < n_; ++j) row(i)[j] -= along * q[j];
    }

    void orthogonalise(int i) {
        for (int k = 0; k < rank(); ++k) take_out(i, k);
    }

    static constexpr int groups = 3;
    int rows_ = 0, n_ = 0, taken_[groups] = {};
    double* W_ = nullptr;
    std::vector<int> order_;                    // rows that say something new; in W they are of length 1 and orthogonal
    std::vector<double> R_, length_, left_, part_;  // R_: of each row, its parts along those in order_
};

}  // namespace ww
