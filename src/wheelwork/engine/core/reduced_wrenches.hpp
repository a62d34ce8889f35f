// Forces on the bodies, weight and inertia as wrenches on the nodes of a tree, about their origins, and forces along the axes of spins.
#pragma once

#include "reduced_frames.hpp"
#include "reduced_mass.hpp"

namespace ww {

class ReducedWrenches {
  public:
    ReducedWrenches(ReducedFrames& reduced_frames, ReducedMass& reduced_mass)
        : bodies(reduced_frames), mass(reduced_mass), tree(bodies.tree), T(tree.T) {}

    // Of forces on some bodies alone (V each).
    void collect_forces(const double* forces, const std::vector<int>& on) {
        mass.wrench.assign(T.nodes, Six{});
        mass.spin_force.assign(T.spins + 1, 0.0);
        for (int k : on) {
            const int node = T.body[k].node;
            double f[3], torque[3];
            as_vectors(&forces[V * k], f, torque);
            if (node >= 0) {
                double arm[3], moment[3];
                for (int i = 0; i < 3; ++i) arm[i] = bodies.center[k][i] - tree.at(node).x[i];
                cross(arm, f, moment);
                for (int i = 0; i < 3; ++i) {
                    mass.wrench[node][i] += f[i];
                    mass.wrench[node][3 + i] += torque[i] + moment[i];
                }
            }
            if (bodies.spin_of_body[k] >= 0) {  // forces on a spin turn it as well
                double a[3];
                rotate(tree.at(node).R, T.body_pose[k].axis, a);
                mass.spin_force[bodies.spin_of_body[k]] += a[0] * torque[0] + a[1] * torque[1] + a[2] * torque[2];
            }
        }
    }

    // The same with weight, and inertia with the coordinates' accelerations zero; inertia tensors in world axes. Forces act on the bodies
    // that elements look at, or on all.
    void collect(const double* forces, bool on_all = false) {
        collect_forces(forces, on_all ? bodies.all : bodies.framed);
        mass.tensor.resize(T.nodes);
        for (int i = 0; i < T.nodes; ++i) {
            if (T.inertia[i].mass == 0.0) {
                mass.tensor[i].fill(0.0);
            } else {
                add_node(i);
            }
        }
    }

  private:
    void add_node(int i) {
        const NodeRow& N = T.node[i];
        const InertiaRow& I = T.inertia[i];
        const NodeState& s = tree.at(i);
        double *w = mass.wrench[i].data(), tensor[9], h[3], gyro[3], Ia[3], moment[3], first[3];
        rotate_tensor(s.R, I.tensor, tensor);
        mass.tensor[i] = {tensor[0], tensor[4], tensor[8], tensor[1], tensor[2], tensor[5]};
        rotate(tensor, s.w, h);
        cross(s.w, h, gyro);
        rotate(tensor, s.alpha, Ia);
        for (int c = 0; c < 3; ++c) {
            w[c] += I.weight * T.gravity[c] - I.mass * s.a[c];
            w[3 + c] -= Ia[c] + gyro[c];
        }
        if (I.moment[0] != 0.0 || I.moment[1] != 0.0 || I.moment[2] != 0.0) {
            rotate(s.R, I.moment, first);
            cross(first, T.gravity, moment);
            for (int c = 0; c < 3; ++c) w[3 + c] += moment[c];
        }
        // a wheel that spins in the node at the rate q' about a: angular momentum I q' a besides that of being carried; of
        // Chen (4) what Lagrange's equations give besides accelerations, as below his (12)
        for (int k = N.first_spin; k < N.first_spin + N.spins; ++k) {
            double a[3], turning[3];
            rotate(s.R, T.spin[k].axis, a);
            cross(s.w, a, turning);
            const double polar = T.spin[k].polar, momentum = polar * tree.rate[T.spin_row[k]];
            for (int c = 0; c < 3; ++c) w[3 + c] -= momentum * turning[c];
            mass.spin_force[k] -= polar * (a[0] * s.alpha[0] + a[1] * s.alpha[1] + a[2] * s.alpha[2]);
        }
    }

    ReducedFrames& bodies;
    ReducedMass& mass;
    Tree& tree;
    const TreeTables& T;
};

}  // namespace ww
