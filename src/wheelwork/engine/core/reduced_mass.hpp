// Mass matrix and generalised forces of a tree: what its nodes and spins weigh and feel, brought onto the coordinates,
//
//     M = sum of J^T M_node J,   f = sum of J^T w
#pragma once

#include "dense.hpp"
#include "tree.hpp"

namespace ww {

class ReducedMass {
  public:
    explicit ReducedMass(Tree& tree) : tree(tree), T(tree.T) {
        M_.assign(size_t(T.columns) * tree.packs, spread(0.0));
        f_.assign(tree.packs, spread(0.0));
    }

    std::vector<Six> wrench;         // of each node about its origin
    std::vector<double> spin_force;  // of each spin, along its axis
    std::vector<Six> tensor;         // inertia of each node in world axes

    // Mass matrix and generalised forces.
    void assemble() {
        const int packs = tree.packs;
        for (auto& m : M_) m = spread(0.0);
        for (auto& f : f_) f = spread(0.0);
        for (int k = 0; k < T.spins; ++k) {
            const Pack* b = tree.row(T.spin_row[k]);
            for (int m = 0; m < packs; ++m) f_[m] += spread(spin_force[k]) * b[m];
        }
        for (int k = 0; k < T.ground_spins; ++k) add_fixed_spin(k);
        for (int i = 0; i < T.nodes; ++i) add_node(i);
    }

    // The same from elsewhere: M by rows, f.
    void take(const double* M, const double* f) {
        const int n = tree.nu, columns = T.columns;
        double *own = reinterpret_cast<double*>(M_.data()), *force = reinterpret_cast<double*>(f_.data());
        for (int i = 0; i < n; ++i) {
            force[i] = f[i];
            for (int j = 0; j <= i; ++j) own[size_t(i) * columns + j] = M[size_t(i) * n + j];
        }
    }

    void factorise() { factor_.factorise(reinterpret_cast<const double*>(M_.data()), tree.nu, T.columns); }

    void solve(double* x) const { factor_.solve(x); }
    void half_solve(double* x) const { factor_.half_solve(x); }
    void other_half(double* x) const { factor_.other_half(x); }

    // Generalised forces, and mass matrix (lower half, rows of `columns`).
    const double* forces() const { return reinterpret_cast<const double*>(f_.data()); }
    const double* matrix() const { return reinterpret_cast<const double*>(M_.data()); }

  private:
    void add_node(int i) {
        const int packs = tree.packs;
        const NodeRow& N = T.node[i];
        const Pack* J = tree.jacobian(i);
        const Six &w = wrench[i], &t = tensor[i];
        const double mass = T.inertia[i].mass;
        for (int k = N.first_spin; k < N.first_spin + N.spins; ++k) add_spin(k, i);
        for (int m = 0; m < packs; ++m) {
            Pack sum = f_[m];
            for (int c = 0; c < 6; ++c) sum += spread(w[c]) * J[c * packs + m];
            f_[m] = sum;
        }
        if (mass == 0.0) return;
        MJ_.resize(6 * packs);
        const double world[9] = {t[0], t[3], t[4], t[3], t[1], t[5], t[4], t[5], t[2]};
        for (int m = 0; m < packs; ++m) {
            for (int c = 0; c < 3; ++c) {
                MJ_[c * packs + m] = spread(mass) * J[c * packs + m];
                MJ_[(3 + c) * packs + m] = spread(world[3 * c]) * J[3 * packs + m] +
                                           spread(world[3 * c + 1]) * J[4 * packs + m] +
                                           spread(world[3 * c + 2]) * J[5 * packs + m];
            }
        }
        for (int j : tree.support[i]) {
            const double* left = reinterpret_cast<const double*>(J) + j;
            for (int m = 0; m <= j / LANES; ++m) {
                Pack sum = M_[size_t(j) * packs + m];
                for (int c = 0; c < 6; ++c) sum += spread(left[size_t(c) * packs * LANES]) * MJ_[c * packs + m];
                M_[size_t(j) * packs + m] = sum;
            }
        }
    }

    // A wheel on a fixed axis.
    void add_fixed_spin(int k) {
        const int packs = tree.packs;
        const Pack* b = tree.row(T.spin_row[k]);
        const double* bj = reinterpret_cast<const double*>(b);
        const double polar = T.spin[k].polar;
        for (int j = 0; j < tree.nu; ++j) {
            if (bj[j] == 0.0) continue;
            for (int m = 0; m <= j / LANES; ++m) M_[size_t(j) * packs + m] += spread(polar * bj[j]) * b[m];
        }
    }

    // A wheel that spins in node i at the rate b u' about the axis a: kinetic energy besides that of being carried, Chen (4):
    // K_ij = J_i theta'^2/2 + J_i theta' (w_j . e_i), theta' = b u' by (3). His (6)-(12) are this for links 8, 10 and 11 of the
    // wrist, with mu_1 = N98, mu_2 = mu_1 N10,9 ... in b.
    void add_spin(int k, int i) {
        const int packs = tree.packs;
        const Pack *b = tree.row(T.spin_row[k]), *J = tree.jacobian(i);
        double a[3];
        rotate(tree.at(i).R, T.spin[k].axis, a);
        const double polar = T.spin[k].polar;
        d_.resize(packs);
        for (int m = 0; m < packs; ++m)
            d_[m] = spread(a[0]) * J[3 * packs + m] + spread(a[1]) * J[4 * packs + m] + spread(a[2]) * J[5 * packs + m];
        const double *bj = reinterpret_cast<const double*>(b), *dj = reinterpret_cast<const double*>(d_.data());
        for (int j : tree.support[i]) {
            if (bj[j] == 0.0 && dj[j] == 0.0) continue;
            for (int m = 0; m <= j / LANES; ++m)
                M_[size_t(j) * packs + m] += spread(polar * bj[j]) * (d_[m] + b[m]) + spread(polar * dj[j]) * b[m];
        }
    }

    Tree& tree;
    const TreeTables& T;
    std::vector<Pack> M_, f_, MJ_, d_;
    DenseLdl factor_;
};

}  // namespace ww
