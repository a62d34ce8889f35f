// Accelerations of an open tree of joints, each free by itself (no gear ratios), in time proportional to the number of nodes:
// Featherstone's articulated-body algorithm (Rigid Body Dynamics Algorithms, 2008, sec. 7.3) in world axes, about each node's
// origin, for the deviation of the accelerations from those with all coordinates' accelerations zero:
//
//     inward     U = A S,  D = S.U,  r = S.w,   A - U U^T/D and w - U r/D go to the parent
//     outward    q'' = (r - U.X a_p)/D,  a = X a_p + S q''
//
// A, an articulated inertia, is kept as three blocks: f = L a + H alpha, m = H^T a + C alpha.
#pragma once

#include "tree.hpp"

// Arithmetic of small matrices: a quarter faster with O3, which the rest of the runtime is compiled without for a quicker first run.
#ifdef __GNUC__
#pragma GCC push_options
#pragma GCC optimize("O3")
#endif

namespace ww {

struct ArticulatedInertia {
    double L[6], H[9], C[6];  // symmetric ones as xx, yy, zz, xy, xz, yz; H by rows
};

class ArticulatedBodies {
  public:
    explicit ArticulatedBodies(Tree& tree) : tree_(tree), T(tree.T) {
        inertia_.resize(T.nodes);
        int steps = 0;
        for (int i = 0; i < T.nodes; ++i) first_.push_back(steps), steps += T.node[i].type == BALL ? 3 : 1;
        joint_.resize(steps);
        deviation_.resize(T.nodes + 1);
        column_.assign(T.rows, -1);
        applies_ = T.rows == tree.nu;
        for (int r = 0; r < T.rows && applies_; ++r) {
            const double* b = reinterpret_cast<const double*>(tree.row(r));
            for (int j = 0; j < tree.nu; ++j) {
                if (b[j] == 0.0) continue;
                applies_ = applies_ && b[j] == 1.0 && column_[r] < 0;
                column_[r] = j;
            }
            applies_ = applies_ && column_[r] >= 0;
        }
    }

    // Whether every coordinate of the tree is free by itself.
    bool applies() const { return applies_; }

    // `wrench`: of each node, of all forces and of inertia with the coordinates' accelerations zero; changed on the way. `tensor`: of each
    // node, inertia in world axes. `spin_force`: on each spin, along its axis, likewise. -> accelerations by column.
    void solve(Six* wrench, const Six* tensor, const double* spin_force, double* out) {
        for (int i = 0; i < T.nodes; ++i) {
            ArticulatedInertia& A = inertia_[i];
            const double m = T.inertia[i].mass;
            A.L[0] = A.L[1] = A.L[2] = m, A.L[3] = A.L[4] = A.L[5] = 0.0;
            for (double& h : A.H) h = 0.0;
            std::copy(tensor[i].begin(), tensor[i].end(), A.C);
        }
        for (int k = 0; k < T.ground_spins; ++k) out[column_[T.spin_row[k]]] = spin_force[k] / T.spin[k].polar;
        for (int i = T.nodes - 1; i >= 0; --i) inward(i, wrench, spin_force);
        deviation_[T.nodes].fill(0.0);
        for (int i = 0; i < T.nodes; ++i) outward(i, spin_force, out);
    }

  private:
    struct Joint {
        double linear[3], angular[3], U[6], over, r;
    };

    static void symmetric(const double* S, const double* a, double* out) {
        out[0] = S[0] * a[0] + S[3] * a[1] + S[4] * a[2];
        out[1] = S[3] * a[0] + S[1] * a[1] + S[5] * a[2];
        out[2] = S[4] * a[0] + S[5] * a[1] + S[2] * a[2];
    }

    void inward(int i, Six* wrench, const double* spin_force) {
        const NodeRow& N = T.node[i];
        ArticulatedInertia& A = inertia_[i];
        const NodeState& s = tree_.at(i);
        const NodeState& p = tree_.at(N.parent);
        double* w = wrench[i].data();
        for (int k = N.first_spin; k < N.first_spin + N.spins; ++k) {  // a spin takes its own part of the inertia along
            double a[3];
            rotate(s.R, T.spin[k].axis, a);
            const double polar = T.spin[k].polar;
            A.C[0] -= polar * a[0] * a[0], A.C[1] -= polar * a[1] * a[1], A.C[2] -= polar * a[2] * a[2];
            A.C[3] -= polar * a[0] * a[1], A.C[4] -= polar * a[0] * a[2], A.C[5] -= polar * a[1] * a[2];
            for (int c = 0; c < 3; ++c) w[3 + c] -= spin_force[k] * a[c];
        }
        const int count = N.type == BALL ? 3 : 1;
        double out[3], arm[3];
        rotate(s.R, T.geometry[i].out, arm);
        for (int k = count - 1; k >= 0; --k) {
            Joint& j = joint_[first_[i] + k];
            if (N.type == BALL) {
                for (int c = 0; c < 3; ++c) j.angular[c] = p.R[3 * c + k];
                cross(j.angular, arm, j.linear);
            } else {
                rotate(p.R, T.geometry[i].axis, out);
                if (N.type == TURNS) {
                    std::memcpy(j.angular, out, sizeof out);
                    cross(out, arm, j.linear);
                } else {
                    std::memcpy(j.linear, out, sizeof out);
                    for (double& c : j.angular) c = 0.0;
                }
            }
            eliminate(A, w, j, N.type == SLIDES);
        }
        if (N.parent < 0) return;
        double d[3];
        for (int c = 0; c < 3; ++c) d[c] = s.x[c] - p.x[c];
        add_to_parent(A, w, d, inertia_[N.parent], wrench[N.parent].data());
    }

    void eliminate(ArticulatedInertia& A, double* w, Joint& j, bool slides) {
        double a[3], b[3];
        symmetric(A.L, j.linear, j.U);
        const double* H = A.H;
        if (slides) {
            for (int c = 0; c < 3; ++c) j.U[3 + c] = H[c] * j.linear[0] + H[3 + c] * j.linear[1] + H[6 + c] * j.linear[2];
        } else {
            rotate(H, j.angular, a);
            symmetric(A.C, j.angular, b);
            for (int c = 0; c < 3; ++c) {
                j.U[c] += a[c];
                j.U[3 + c] = b[c] + H[c] * j.linear[0] + H[3 + c] * j.linear[1] + H[6 + c] * j.linear[2];
            }
        }
        double D = 0, r = 0;
        for (int c = 0; c < 3; ++c) {
            D += j.linear[c] * j.U[c] + j.angular[c] * j.U[3 + c];
            r += j.linear[c] * w[c] + j.angular[c] * w[3 + c];
        }
        j.over = 1.0 / D;
        j.r = r;
        const double* U = j.U;
        double V_[6];
        for (int c = 0; c < 6; ++c) V_[c] = U[c] * j.over;
        A.L[0] -= U[0] * V_[0], A.L[1] -= U[1] * V_[1], A.L[2] -= U[2] * V_[2];
        A.L[3] -= U[0] * V_[1], A.L[4] -= U[0] * V_[2], A.L[5] -= U[1] * V_[2];
        for (int c = 0; c < 3; ++c)
            for (int e = 0; e < 3; ++e) A.H[3 * c + e] -= U[c] * V_[3 + e];
        A.C[0] -= U[3] * V_[3], A.C[1] -= U[4] * V_[4], A.C[2] -= U[5] * V_[5];
        A.C[3] -= U[3] * V_[4], A.C[4] -= U[3] * V_[5], A.C[5] -= U[4] * V_[5];
        for (int c = 0; c < 6; ++c) w[c] -= V_[c] * r;
    }

    // The inertia and wrench of a child about the parent's origin, d before the child's: H - L d~, C + d~ H' - H^T d~.
    static void add_to_parent(const ArticulatedInertia& A, const double* w, const double* d, ArticulatedInertia& P, double* wp) {
        const double L[9] = {A.L[0], A.L[3], A.L[4], A.L[3], A.L[1], A.L[5], A.L[4], A.L[5], A.L[2]};
        double H[9];
        for (int c = 0; c < 3; ++c) {
            // row c of L d~
            const double *l = L + 3 * c, *h = A.H + 3 * c;
            H[3 * c] = h[0] - (l[1] * d[2] - l[2] * d[1]);
            H[3 * c + 1] = h[1] - (l[2] * d[0] - l[0] * d[2]);
            H[3 * c + 2] = h[2] - (l[0] * d[1] - l[1] * d[0]);
        }
        for (int c = 0; c < 6; ++c) P.L[c] += A.L[c];
        for (int c = 0; c < 9; ++c) P.H[c] += H[c];
        // d~ H' and H^T d~ (of the child's own H)
        const double* h = A.H;
        auto dH = [&](int r, int c) {
            const int u = (r + 1) % 3, v = (r + 2) % 3;
            return d[u] * H[3 * v + c] - d[v] * H[3 * u + c];
        };
        auto Hd = [&](int r, int c) {
            const int u = (c + 1) % 3, v = (c + 2) % 3;
            return h[3 * u + r] * d[v] - h[3 * v + r] * d[u];
        };
        P.C[0] += A.C[0] + dH(0, 0) - Hd(0, 0);
        P.C[1] += A.C[1] + dH(1, 1) - Hd(1, 1);
        P.C[2] += A.C[2] + dH(2, 2) - Hd(2, 2);
        P.C[3] += A.C[3] + dH(0, 1) - Hd(0, 1);
        P.C[4] += A.C[4] + dH(0, 2) - Hd(0, 2);
        P.C[5] += A.C[5] + dH(1, 2) - Hd(1, 2);
        double moment[3];
        cross(d, w, moment);
        for (int c = 0; c < 3; ++c) wp[c] += w[c], wp[3 + c] += w[3 + c] + moment[c];
    }

    void outward(int i, const double* spin_force, double* out) {
        const NodeRow& N = T.node[i];
        const NodeState &s = tree_.at(i), &p = tree_.at(N.parent);
        const double* ap = deviation_[N.parent < 0 ? T.nodes : N.parent].data();
        double* a = deviation_[i].data();
        double d[3], turned[3];
        for (int c = 0; c < 3; ++c) d[c] = s.x[c] - p.x[c];
        cross(ap + 3, d, turned);
        for (int c = 0; c < 3; ++c) a[c] = ap[c] + turned[c], a[3 + c] = ap[3 + c];
        const int count = N.type == BALL ? 3 : 1;
        for (int k = 0; k < count; ++k) {
            const Joint& j = joint_[first_[i] + k];
            double sum = j.r;
            for (int c = 0; c < 6; ++c) sum -= j.U[c] * a[c];
            const double q = sum * j.over;
            out[column_[N.row + k]] = q;
            for (int c = 0; c < 3; ++c) a[c] += j.linear[c] * q, a[3 + c] += j.angular[c] * q;
        }
        for (int k = N.first_spin; k < N.first_spin + N.spins; ++k) {
            double axis[3];
            rotate(s.R, T.spin[k].axis, axis);
            out[column_[T.spin_row[k]]] =
                spin_force[k] / T.spin[k].polar - (axis[0] * a[3] + axis[1] * a[4] + axis[2] * a[5]);
        }
    }

    Tree& tree_;
    const TreeTables& T;
    std::vector<ArticulatedInertia> inertia_;
    std::vector<Joint> joint_;
    std::vector<int> first_, column_;
    std::vector<Six> deviation_;  // of each node: linear, angular; of ground
    bool applies_ = false;
};

}  // namespace ww

#ifdef __GNUC__
#pragma GCC pop_options
#endif
