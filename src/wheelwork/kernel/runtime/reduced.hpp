// Equations of motion in minimal coordinates: the wrenches of the elements and of inertia, brought onto the coordinates by the
// Jacobian of every node (principle of virtual power),
//
//     sum over nodes of J^T (M J) u'' = sum over nodes of J^T (f - M J' u' - w x I w)
//
// Elements know only frames, so they serve here as they are. Joint reactions and accelerations of the bodies are those of the
// equations in absolute coordinates at the same state, which are solved at output times only.
#pragma once

#include "articulated.hpp"
#include "run.hpp"

namespace ww {

class ReducedSystem : public System {
  public:
    ReducedSystem(const Program& program, const TreeTables& tables,
                  std::unique_ptr<Factor> (*make_factor)(const Plan&, const int*))
        : System(program, make_factor), tree(tables), T(tree.T), articulated_(tree) {
        coordinates_ = T.scalars + 4 * T.balls;
        absolute_size_ = n;
        n = coordinates_ + tree.nu + T.turn_states;
        turns_at_start_.assign(P.turns + 1, 0.0);
        for (int k = 0; k < P.turns; ++k)
            if (T.turn_state[k] >= 0) looked_at_.push_back(k);
        for (int k = 0; k < P.forces; ++k)
            for (int i = 0; i < P.force[8 * k + 4]; ++i) looked_at_.push_back(P.force_turn[P.force[8 * k + 5] + i]);
        M_.assign(size_t(T.columns) * tree.packs, spread(0.0));
        f_.assign(tree.packs, spread(0.0));
        absolute_.resize(absolute_size_), rates_.resize(absolute_size_);
        lower_.resize(size_t(tree.nu) * tree.nu), solution_.resize(tree.nu);
        spin_of_body_.assign(P.bodies, -1);
        for (int k = 0; k < P.bodies; ++k) {
            if (T.body[3 * k + 2]) framed_.push_back(k);
            for (int m = 0; m < T.spins; ++m)
                if (T.body[3 * k + 1] >= 0 && T.spin_row[m] == T.body[3 * k + 1]) spin_of_body_[k] = m;
        }
    }

    Tree tree;

    void derivative(double t, const double* y, double* dy) override {
        ++evaluations;
        tree.place(y, !articulated_.applies());
        for (int k : framed_) place_body_frame(k);
        functions_of_time(t);
        for (int k : looked_at_) count_turn(k, y);
        std::fill(force.begin(), force.end(), 0.0);
        add_element_forces(t);
        collect_wrenches();
        if (articulated_.applies()) {
            articulated_.solve(wrench_of_node_.data(), tensors_.data(), spin_force_.data(), solution_.data());
        } else {
            assemble_reduced();
            solve_reduced();
        }
        const double* rates = y + coordinates_;
        for (int j = 0; j < T.scalars; ++j) dy[j] = rates[j];
        for (int b = 0; b < T.balls; ++b) {
            double rate[7];
            const double none[3] = {};
            rates_of_pose(y + T.scalars + 4 * b, none, rates + T.scalars + 3 * b, rate);
            std::memcpy(dy + T.scalars + 4 * b, rate + 3, 4 * sizeof(double));
        }
        std::memcpy(dy + coordinates_, solution_.data(), tree.nu * sizeof(double));
        for (int k : looked_at_)
            if (T.turn_state[k] >= 0) dy[coordinates_ + tree.nu + T.turn_state[k]] = rate_of_turn(k);
    }

    void derivative_on_manifold(double t, double* y, double* dy) override { derivative(t, y, dy); }

    // Minimal coordinates are on the constraints wherever they are.
    bool arrive(double t, double* y, double* dy, double) override {
        derivative(t, y, dy);
        return true;
    }

    void normalise_all(double* y) const override {
        for (int b = 0; b < T.balls; ++b) normalise(y + T.scalars + 4 * b);
    }

    void settle(double*) const override {}
    void examine_meshes() override {}  // axes are held by the tree itself
    bool near_singular_position() const override { return false; }
    size_t stored_state_size() const override { return absolute_size_; }

    // The same motion in absolute coordinates, with accelerations and reactions; leaves it in the system.
    const double* stored_state(double t, const double* y) override {
        tree.place(y);
        to_absolute(y);
        System::derivative(t, absolute_.data(), rates_.data());
        complete_reactions();
        return absolute_.data();
    }

    // Residuals of the joints and meshes that were taken for granted.
    double final_residual(double t, const double* y, int* where) override {
        stored_state(t, y);
        return largest_residual(where);
    }

    void cap_sizes(double* cap) const override {
        for (int j = 0; j < T.scalars; ++j)
            if (T.turning[j]) cap[j] = 1.0;
    }

    // Reduced state from an absolute one at the position where the tree is at rest: velocities of the coordinates are given.
    void start(const double* absolute, const double* rates, double* y) {
        std::fill(y, y + n, 0.0);
        std::copy(absolute + nq + nv, absolute + nq + nv + P.turns, turns_at_start_.begin());
        for (int k = 0; k < P.turns; ++k)
            if (T.turn_state[k] >= 0) y[coordinates_ + tree.nu + T.turn_state[k]] = turns_at_start_[k];
        for (int b = 0; b < T.balls; ++b) y[T.scalars + 4 * b] = 1.0;
        std::memcpy(y + coordinates_, rates, tree.nu * sizeof(double));
    }

    // Mass matrix (by rows) and generalised forces f of M u'' = f.
    void equations(double t, const double* y, double* M, double* f) {
        std::vector<double> dy(n);
        derivative(t, y, dy.data());
        tree.place(y);
        collect_wrenches();
        assemble_reduced();
        const double *lower = reinterpret_cast<const double*>(M_.data()), *force = reinterpret_cast<const double*>(f_.data());
        for (int i = 0; i < tree.nu; ++i) {
            f[i] = force[i];
            for (int j = 0; j <= i; ++j) M[i * tree.nu + j] = M[j * tree.nu + i] = lower[size_t(i) * T.columns + j];
        }
    }

  private:
    // A rotation counted over whole turns: in proportion to the coordinates, or integrated.
    void count_turn(int k, const double* y) {
        if (T.turn_state[k] >= 0) {
            counted[k] = y[coordinates_ + tree.nu + T.turn_state[k]];
            return;
        }
        double sum = turns_at_start_[k];
        const double* ratio = T.turn_ratio + size_t(k) * T.columns;
        for (int j = 0; j < T.scalars; ++j) sum += ratio[j] * y[j];
        counted[k] = sum;
    }

    void place_body_frame(int k) {
        const int node = T.body[3 * k], spin = T.body[3 * k + 1];
        const double *pose = T.body_pose + 18 * k, *R0 = pose, *x0 = pose + 9;  // R0 is that of the world at rest
        const NodeState& s = tree.at(node);
        double* r = record(k);
        double arm[3], carried[3];
        if (spin < 0) {
            product(s.R, R0, r + 3);
            rotate(s.R, x0, arm);
            for (int i = 0; i < 3; ++i) r[15 + i] = s.w[i];
        } else {
            const double *axis = pose + 12, *point = pose + 15;
            double local[9], turned[9], a[3], offset[3], moved[3];
            about_axis(axis, tree.q[spin], local);
            product(local, R0, turned);
            product(s.R, turned, r + 3);
            for (int i = 0; i < 3; ++i) offset[i] = x0[i] - point[i];
            rotate(local, offset, moved);
            for (int i = 0; i < 3; ++i) moved[i] += point[i];
            rotate(s.R, moved, arm);
            rotate(s.R, axis, a);
            for (int i = 0; i < 3; ++i) r[15 + i] = s.w[i] + a[i] * tree.rate[spin];
        }
        cross(s.w, arm, carried);  // the centre of mass of a spin is on its axis
        for (int i = 0; i < 3; ++i) {
            r[i] = s.x[i] + arm[i];
            r[12 + i] = s.v[i] + carried[i];
        }
    }

    void to_absolute(const double* y) {
        for (int k = 0; k < P.bodies; ++k) {
            place_body_frame(k);
            const double* r = record(k);
            std::memcpy(&absolute_[Q * k], r, 3 * sizeof(double));
            euler_parameters(r + 3, &absolute_[Q * k + 3]);
            std::memcpy(&absolute_[nq + V * k], r + TWIST, V * sizeof(double));
        }
        for (int k = 0; k < P.turns; ++k) {
            count_turn(k, y);
            absolute_[nq + nv + k] = counted[k];
        }
    }

    // Wrenches on the nodes about their origins: of the elements, of weight, and of inertia with the coordinates' accelerations
    // zero; forces along the axes of spins likewise; inertia tensors in world axes.
    void collect_wrenches() {
        wrench_of_node_.assign(6 * T.nodes, 0.0);
        spin_force_.assign(T.spins + 1, 0.0);
        tensors_.resize(6 * T.nodes);
        for (int k : framed_) {
            const int node = T.body[3 * k];
            const double* w = &force[V * k];
            if (node >= 0) {
                double arm[3], moment[3];
                for (int i = 0; i < 3; ++i) arm[i] = record(k)[i] - tree.at(node).x[i];
                cross(arm, w, moment);
                for (int i = 0; i < 3; ++i) {
                    wrench_of_node_[6 * node + i] += w[i];
                    wrench_of_node_[6 * node + 3 + i] += w[3 + i] + moment[i];
                }
            }
            if (spin_of_body_[k] >= 0) {  // forces on a spin turn it as well
                double a[3];
                rotate(tree.at(node).R, T.body_pose + 18 * k + 12, a);
                spin_force_[spin_of_body_[k]] += a[0] * w[3] + a[1] * w[4] + a[2] * w[5];
            }
        }
        for (int i = 0; i < T.nodes; ++i) {
            const int* N = T.node + 5 * i;
            const double* I = T.inertia + 11 * i;
            const NodeState& s = tree.at(i);
            double *w = &wrench_of_node_[6 * i], tensor[9], h[3], gyro[3], Ia[3], moment[3], first[3];
            if (I[0] == 0.0) {
                for (int c = 0; c < 6; ++c) tensors_[6 * i + c] = 0.0;
                continue;
            }
            rotate_tensor(s.R, I + 1, tensor);
            double* kept = &tensors_[6 * i];
            kept[0] = tensor[0], kept[1] = tensor[4], kept[2] = tensor[8];
            kept[3] = tensor[1], kept[4] = tensor[2], kept[5] = tensor[5];
            rotate(tensor, s.w, h);
            cross(s.w, h, gyro);
            rotate(tensor, s.alpha, Ia);
            for (int c = 0; c < 3; ++c) {
                w[c] += I[7] * T.gravity[c] - I[0] * s.a[c];
                w[3 + c] -= Ia[c] + gyro[c];
            }
            if (I[8] != 0.0 || I[9] != 0.0 || I[10] != 0.0) {
                rotate(s.R, I + 8, first);
                cross(first, T.gravity, moment);
                for (int c = 0; c < 3; ++c) w[3 + c] += moment[c];
            }
            // a wheel that spins in the node at the rate q' about a: angular momentum I q' a besides that of being carried
            for (int k = N[3]; k < N[3] + N[4]; ++k) {
                double a[3], turning[3];
                rotate(s.R, T.spin + 4 * k, a);
                cross(s.w, a, turning);
                const double polar = T.spin[4 * k + 3], momentum = polar * tree.rate[T.spin_row[k]];
                for (int c = 0; c < 3; ++c) w[3 + c] -= momentum * turning[c];
                spin_force_[k] -= polar * (a[0] * s.alpha[0] + a[1] * s.alpha[1] + a[2] * s.alpha[2]);
            }
        }
    }

    // Mass matrix and generalised forces.
    void assemble_reduced() {
        const int packs = tree.packs;
        for (auto& m : M_) m = spread(0.0);
        for (auto& f : f_) f = spread(0.0);
        for (int k = 0; k < T.spins; ++k) {
            const Pack* b = tree.row(T.spin_row[k]);
            for (int m = 0; m < packs; ++m) f_[m] += spread(spin_force_[k]) * b[m];
        }
        for (int k = 0; k < T.ground_spins; ++k) add_fixed_spin(k);
        for (int i = 0; i < T.nodes; ++i) add_node(i);
    }

    void add_node(int i) {
        const int packs = tree.packs;
        const int* N = T.node + 5 * i;
        const double* I = T.inertia + 11 * i;
        const Pack* J = tree.jacobian(i);
        const double *w = &wrench_of_node_[6 * i], *t = &tensors_[6 * i];
        const double mass = I[0];
        for (int k = N[3]; k < N[3] + N[4]; ++k) add_spin(k, i);
        for (int m = 0; m < packs; ++m) {
            Pack sum = f_[m];
            for (int c = 0; c < 6; ++c) sum += spread(w[c]) * J[c * packs + m];
            f_[m] = sum;
        }
        if (mass == 0.0) return;
        MJ_.resize(6 * packs);
        const double tensor[9] = {t[0], t[3], t[4], t[3], t[1], t[5], t[4], t[5], t[2]};
        for (int m = 0; m < packs; ++m) {
            for (int c = 0; c < 3; ++c) {
                MJ_[c * packs + m] = spread(mass) * J[c * packs + m];
                MJ_[(3 + c) * packs + m] = spread(tensor[3 * c]) * J[3 * packs + m] +
                                           spread(tensor[3 * c + 1]) * J[4 * packs + m] +
                                           spread(tensor[3 * c + 2]) * J[5 * packs + m];
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
        const double polar = T.spin[4 * k + 3];
        for (int j = 0; j < tree.nu; ++j) {
            if (bj[j] == 0.0) continue;
            for (int m = 0; m <= j / LANES; ++m) M_[size_t(j) * packs + m] += spread(polar * bj[j]) * b[m];
        }
    }

    // A wheel that spins in node i at the rate b u' about the axis a: kinetic energy I (w.a b u' + (b u')^2/2) besides that of
    // being carried.
    void add_spin(int k, int i) {
        const int packs = tree.packs;
        const Pack *b = tree.row(T.spin_row[k]), *J = tree.jacobian(i);
        double a[3];
        rotate(tree.at(i).R, T.spin + 4 * k, a);
        const double polar = T.spin[4 * k + 3];
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

    // u'' by Cholesky's L D L^T.
    void solve_reduced() {
        const int n = tree.nu, stride = T.columns;
        const double *M = reinterpret_cast<const double*>(M_.data()), *f = reinterpret_cast<const double*>(f_.data());
        double* L = lower_.data();
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j) {
                double sum = M[size_t(i) * stride + j];
                for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k] * L[k * n + k];
                if (i == j) {
                    L[i * n + i] = sum;
                } else {
                    L[i * n + j] = sum / L[j * n + j];
                }
            }
        }
        for (int i = 0; i < n; ++i) {
            double sum = f[i];
            for (int k = 0; k < i; ++k) sum -= L[i * n + k] * solution_[k];
            solution_[i] = sum;
        }
        for (int i = n - 1; i >= 0; --i) {
            double sum = solution_[i] / L[i * n + i];
            for (int k = i + 1; k < n; ++k) sum -= L[k * n + i] * solution_[k];
            solution_[i] = sum;
        }
    }

    const TreeTables& T;
    int coordinates_;
    size_t absolute_size_;
    std::vector<Pack> M_, f_, MJ_, d_;
    std::vector<double> absolute_, rates_, lower_, solution_, wrench_of_node_, spin_force_, tensors_;
    std::vector<double> turns_at_start_;
    std::vector<int> looked_at_;  // turns that forces use or that are integrated
    std::vector<int> framed_, spin_of_body_;  // bodies whose frames elements look at; the spin of each body
    ArticulatedBodies articulated_;
};

}  // namespace ww
