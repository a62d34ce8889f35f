// Straight-line code of a mechanism in minimal coordinates (wheelwork.analyses.reduction.straight_line): one function for the derivative
// and events, and for what it takes to close loops that are cut.
#pragma once

#include "cut_meshes.hpp"

namespace ww {

class StraightLine {
  public:
    StraightLine(CutRows& cut_rows, CutMeshes& cut_meshes, ReducedFrames& reduced_frames, ReducedMass& reduced_mass)
        : rows(cut_rows), meshes(cut_meshes), bodies(reduced_frames), mass(reduced_mass), P(bodies.P), T(bodies.T) {
        events.assign(P.events + 1, 0.0);
    }

    std::vector<double> events;

    // The derivative, where loops are cut but for the accelerations; then M, f and the rows are at hand.
    void evaluate(double t, const double* y, double* dy) {
        Frames& frames = bodies.frames;
        const double now = t + frames.origin;
        if (P.tables) frames.functions_of_time(t);
        if (P.follows) frames.take_parameters(y + bodies.at.followed);
        const double* in[4] = {&now, y, frames.input.data(), T.direct_numbers};
        double* out[11] = {dy, events.data()};
        if (T.cuts) {
            const size_t nu = bodies.tree.nu;
            M_.resize(nu * nu), f_.resize(nu);
            rows.make_room();
            double* more[9] = {M_.data(),       f_.data(), rows.G.data(), rows.natural.data(), rows.g.data(), rows.nu.data(),
                               rows.wanted.data(), &frames.counted[P.turns], meshes.of_wheels()};
            std::copy(more, more + 9, out + 2);  // cams are cut, so that their parameters come with the rows
        }
        T.direct[0](in, out);
        if (P.follows) frames.note_parted(y, bodies.at.n);
        meshes.take_records();
        if (T.cuts) mass.take(M_.data(), f_.data());
    }

  private:
    CutRows& rows;
    CutMeshes& meshes;
    ReducedFrames& bodies;
    ReducedMass& mass;
    const Program& P;
    const TreeTables& T;
    std::vector<double> M_, f_;
};

}  // namespace ww
