// Small dense symmetric systems: L D L^T, with pivots that are nothing but round-off left out.
#pragma once

#include <cmath>
#include <vector>

namespace ww {

class DenseLdl {
  public:
    // The lower triangle of A (by rows, `stride` apart). A pivot below `least` times its own diagonal entry counts as none: its row
    // depends on those before it, and gets the solution zero.
    void factorise(const double* A, int n, int stride, double least = 0.0) {
        n_ = n;
        L_.resize(size_t(n) * n);
        over_.resize(n);
        double* L = L_.data();
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j) {
                double sum = A[size_t(i) * stride + j];
                for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k] * L[k * n + k];
                if (i == j) {
                    const bool sound = sum > least * std::fabs(A[size_t(i) * stride + i]) && sum > 0.0;
                    L[i * n + i] = sound ? sum : 0.0;
                    over_[i] = sound ? 1.0 / sum : 0.0;
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

  private:
    int n_ = 0;
    std::vector<double> L_, over_;
};

}  // namespace ww
