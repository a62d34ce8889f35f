// Meshes that are cut from a tree because what pushes their teeth apart moves something: that force needs the multiplier of the mesh, the
// tooth force, and the tooth force depends on it.
#pragma once

#include "cut_rows.hpp"

namespace ww {

class CutMeshes {
  public:
    CutMeshes(CutRows& cut_rows, ReducedFrames& reduced_frames, ReducedMass& reduced_mass, System& system)
        : rows(cut_rows), bodies(reduced_frames), mass(reduced_mass), loads(system.loads), tree(bodies.tree), T(tree.T) {
        const Program& P = bodies.P;
        for (int i = 0; i < T.cuts; ++i)
            for (int k = 0; k < P.meshes; ++k)
                if (P.mesh[k] == T.cut[i]) {
                    const Constraints::Sides sides = system.constraints.sides(T.cut[i]);
                    meshes_.push_back({k, rows.first[T.cut[i]], {sides[0].body, sides[1].body}});
                }
        load_.resize(meshes_.size()), image_.resize(meshes_.size());
        of_wheels_.assign(2 * meshes_.size() * size_of_wheel(), 0.0);
    }

    bool any() const { return !meshes_.empty(); }

    // Where straight-line code puts what it tells of the wheels, one after the other: the record of each, then J by rows.
    double* of_wheels() { return of_wheels_.data(); }

    void take_records() {
        for (size_t i = 0; i < meshes_.size(); ++i)
            for (int side = 0; side < 2; ++side)
                if (meshes_[i].wheel[side] >= 0)
                    std::memcpy(bodies.frames.record(meshes_[i].wheel[side]), of_wheel(i, side), BODY_RECORD * sizeof(double));
    }

    // Rows met by these accelerations, and teeth pushed apart by forces that depend on the tooth forces. False: no such forces were found.
    bool push_apart(std::vector<double>& accelerations) {
        if (meshes_.empty()) {
            rows.meet(accelerations.data());
            return true;
        }
        const std::vector<double> without = accelerations;
        const double floor = least_load(without);
        return fixed_point_.solve(load_, image_, 1e-12, 1e-9, 0, [&] {
            std::vector<double> pushed(tree.nu, 0.0);
            for (size_t i = 0; i < meshes_.size(); ++i) {
                double wrench[2 * V];
                loads.separating_wrenches(meshes_[i].mesh, load_[i], wrench);
                for (int side = 0; side < 2; ++side) push(i, side, wrench + V * side, pushed.data());
            }
            mass.solve(pushed.data());
            for (int j = 0; j < tree.nu; ++j) accelerations[j] = without[j] + pushed[j];
            rows.meet(accelerations.data());
            for (size_t i = 0; i < meshes_.size(); ++i) image_[i] = rows.rhs[meshes_[i].row];
            return floor;
        });
    }

    void forget() { load_.assign(meshes_.size(), 0.0); }
    void carry(Carried& c) { c(load_); }

  private:
    struct CutMesh {
        int mesh, row;  // of P.mesh; its multiplier among the rows
        int wheel[2];   // bodies, or -1
    };

    // Of tooth forces: round-off of what their rows are made of need not agree, where they carry nothing (free fall).
    double least_load(const std::vector<double>& accelerations) const {
        double floor = 0;
        for (const CutMesh& cut : meshes_) {
            double size = std::fabs(rows.wanted[cut.row]), alone = 0;
            std::vector<double> half(rows.row(cut.row), rows.row(cut.row) + tree.nu);
            mass.half_solve(half.data());
            for (int j = 0; j < tree.nu; ++j) size += rows.natural_of(cut.row)[j] * std::fabs(accelerations[j]), alone += half[j] * half[j];
            if (alone > 0) floor = std::fmax(floor, size / alone);
        }
        return floor;
    }

    size_t size_of_wheel() const { return BODY_RECORD + V * tree.nu; }
    const double* of_wheel(size_t i, int side) const { return &of_wheels_[(2 * i + side) * size_of_wheel()]; }

    // out += J^T of a wrench on such a wheel.
    void push(size_t i, int side, const double* wrench, double* out) {
        const int body = meshes_[i].wheel[side];
        if (body < 0) return;
        if (!T.direct) return bodies.add_on_coordinates(body, wrench, out);
        const double* J = of_wheel(i, side) + BODY_RECORD;
        for (int c = 0; c < V; ++c)
            for (int j = 0; j < tree.nu; ++j) out[j] += wrench[c] * J[c * tree.nu + j];
    }

    CutRows& rows;
    ReducedFrames& bodies;
    ReducedMass& mass;
    LoadDependent& loads;
    Tree& tree;
    const TreeTables& T;
    std::vector<CutMesh> meshes_;
    std::vector<double> of_wheels_, load_, image_;  // load_: tooth forces
    FixedPoint fixed_point_;
};

}  // namespace ww
