// Small dense symmetric systems: L D L^T.
#pragma once

#include <cmath>
#include <vector>

namespace ww {

class DenseLdl {
  public:
    // The lower triangle of A (by rows, `stride` apart). What has no positive pivot gets the solution zero.
    void factorise(const double* A, int n, int stride) {
        n_ = n;
        L_.resize(size_t(n) * n);
        over_.resize(n);
        double* L = L_.data();
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j) {
                double sum = A[size_t(i) * stride + j];
                for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k] * L[k * n + k];
                if (i == j) {
                    L[i * n + i] = sum > 0.0 ? sum : 0.0;
                    over_[i] = sum > 0.0 ? 1.0 / sum : 0.0;
                } else {
                    L[i * n + j] = sum * over_[j];
                }
            }
        }
    }

    void solve(double* x) const {
        const int n = n_;
        const double* L = L_.data();
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
        for (int i = n - 1; i >= 0; --i) {
            x[i] *= over_[i];
            for (int k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
        }
    }

    // The two halves of `solve`: D^-1/2 L^-1 x, then L^-T D^-1/2 x.
    void half_solve(double* x) const {
        for (int i = 0; i < n_; ++i)
            for (int k = 0; k < i; ++k) x[i] -= L_[i * n_ + k] * x[k];
        for (int i = 0; i < n_; ++i) x[i] *= std::sqrt(over_[i]);
    }

    void other_half(double* x) const {
        for (int i = n_ - 1; i >= 0; --i) {
            x[i] *= std::sqrt(over_[i]);
            for (int k = i + 1; k < n_; ++k) x[i] -= L_[k * n_ + i] * x[k];
        }
    }

  private:
    int n_ = 0;
    std::vector<double> L_, over_;
};

}  // namespace ww
