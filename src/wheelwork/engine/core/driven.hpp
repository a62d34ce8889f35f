// A mechanism that its drivers move: position, velocity and acceleration at given times, one after the other.
//
// From each time to the next the motion is extrapolated with velocities, accelerations and their last change; Newton's method
// brings positions onto g(q, t) = 0, G v = nu gives velocities, and the equations of motion accelerations and multipliers. Where
// Newton's method fails, or jumps to another branch or tooth, the way is gone in halved steps; where that fails too, the
// mechanism cannot follow its drivers, and the sweep ends.
#pragma once

#include "run.hpp"

namespace ww {

class DrivenMotion {
  public:
    // tooth_angle [rad], tooth_length [m]: of the finest wheel and rack; rigid meshes close in every tooth alike, so no body may be
    // found further from where it was expected than a quarter of a tooth. spans: of the outline of each followed parameter.
    DrivenMotion(System& system, double tolerance, double tooth_angle, double tooth_length, const double* spans)
        : S(system), tolerance_(tolerance), most_turn_(tooth_angle / 4), most_shift_(tooth_length / 4), spans_(spans) {
        y_.resize(S.n), work_.resize(S.n), dy_.resize(S.n);
        a_.resize(S.frames.nv), jerk_.assign(S.frames.nv, 0.0);
    }

    // Start at a state on the constraints.
    void start(double t, const double* y) {
        std::copy(y, y + S.n, y_.begin());
        t_ = t;
        evaluate(t, y_);
        a_.assign(S.kkt.acceleration.begin(), S.kkt.acceleration.begin() + S.frames.nv);
        rate_.assign(dy_.begin() + S.frames.nq + S.frames.nv, dy_.end());
    }

    // Go to a time; false if the mechanism cannot follow. Afterwards `t` and `state` say how far it got.
    bool advance(double target) {
        double step = target - t_;
        while (t_ < target) {
            step = std::fmin(step, target - t_);
            if (extrapolate(step) <= pi / 4 && solve(t_ + step) && continuous()) {
                accept(t_ + step, step);
                if (target - t_ < 1e-14 * std::fmax(1.0, std::fabs(target))) t_ = target;
                step *= 2;
                continue;
            }
            step /= 2;
            if (step < std::fmax(1e-9, 1e-14 * std::fabs(target))) {
                evaluate(t_, y_);
                return false;
            }
        }
        return true;
    }

    double t() const { return t_; }
    const std::vector<double>& state() const { return y_; }
    long long rounds = 0;  // of Newton's method

    // One output record at the present time; see `record_size`.
    void store(double* out) {
        S.loads.complete_reactions();
        *out++ = t_;
        out = std::copy(y_.begin(), y_.end(), out);
        out = std::copy(S.kkt.acceleration.begin(), S.kkt.acceleration.begin() + S.frames.nv, out);
        for (int c = 0; c < S.P.constraints; ++c)
            for (int p = 0; p < S.constraints.rows[c]; ++p) *out++ = S.constraints.active[c] ? lane(S.kkt.multiplier[c], p) : 0.0;
        for (int k = 0; k < S.P.frictions; ++k) *out++ = 0.0;
    }

    // How far from a singular position: root of the least pivot of S over its row's own entry. Goes to zero like the distance.
    double soundness() const { return std::sqrt(std::fmax(0.0, S.schur.factor->smallest_pivot)); }

  private:
    // Where the bodies will be after a step, from what is known now; returns the largest rotation of a body.
    double extrapolate(double h) {
        work_ = y_;
        double largest = 0;
        const double half = 0.5 * h * h, sixth = h * h * h / 6;
        for (int k = 0; k < S.P.bodies; ++k) {
            double step[V];
            for (int j = 0; j < V; ++j) {
                const int i = V * k + j;
                step[j] = h * y_[S.frames.nq + i] + half * a_[i] + sixth * jerk_[i];
            }
            displace(&work_[Q * k], step);
            double turn = 0;
            for (int j = LINEAR; j < V; ++j) turn += step[j] * step[j];
            largest = std::fmax(largest, std::sqrt(turn));
        }
        for (int i = 0; i < S.frames.nv; ++i) work_[S.frames.nq + i] += h * a_[i] + half * jerk_[i];
        for (int i = 0; i < S.frames.nz; ++i) work_[S.frames.nq + S.frames.nv + i] += h * rate_[i];
        expected_ = work_;
        return largest;
    }

    bool solve(double t) {
        S.frames.functions_of_time(t);
        bool done = false;
        double last = 1e300;
        for (int round = 0; round < 30; ++round) {
            S.frames.place_positions(work_.data());
            S.frames.count_turns(work_.data());
            S.settle(work_.data());
            S.constraints.evaluate();
            const double size = S.constraints.largest_residual();
            if (size <= tolerance_) {
                done = true;
                break;
            }
            if (!(size < 1e300) || (round > 8 && size > last)) return false;
            last = size;
            ++rounds;
            S.kkt.assemble();
            S.correct_position(work_.data());
        }
        if (!done) return false;
        S.kkt.assemble();
        // What is left below the tolerance; the rows change by no more than that, which matters near singular positions only.
        S.correct_position(work_.data());
        S.frames.place(work_.data());
        if (S.schur.factor->smallest_pivot < 1e-3) {
            S.frames.count_turns(work_.data());
            S.constraints.evaluate();
            S.kkt.assemble();
        }
        finish(t, work_);
        for (double x : dy_)
            if (!(std::fabs(x) < 1e300)) return false;
        return true;
    }

    // Velocities and accelerations at a position whose rows and factor are at hand.
    void finish(double t, std::vector<double>& y) {
        S.project_velocity(y.data());
        if (S.schur.shifted()) S.project_velocity(y.data());
        for (int k = 0; k < S.P.turns; ++k) {
            double& counted = y[S.frames.nq + S.frames.nv + k];
            const double angle = S.frames.angle_of_turn(k);
            counted = angle + 2 * pi * std::round((counted - angle) / (2 * pi));
        }
        S.frames.count_turns(y.data());
        S.constraints.evaluate_gamma();
        S.finish(t, y.data(), dy_.data());
    }

    void evaluate(double t, std::vector<double>& y) {
        S.frames.functions_of_time(t);
        S.frames.place(y.data());
        S.frames.count_turns(y.data());
        S.constraints.evaluate();
        S.kkt.assemble();
        finish(t, y);
    }

    // No body turns by more than 45 degrees in a step, or is found on another tooth than it was expected on: a solution further away
    // may be that of another branch. Curve parameters of contacts go where their rates say: where a contact ends, because a hollow
    // closes over it, another one may be found further away.
    bool continuous() const {
        for (int k = 0; k < S.P.bodies; ++k) {
            if (turned(&y_[Q * k], &work_[Q * k]) > pi / 4) return false;
            if (turned(&expected_[Q * k], &work_[Q * k]) > most_turn_) return false;
            for (int j = 0; j < LINEAR; ++j)
                if (std::fabs(expected_[Q * k + j] - work_[Q * k + j]) > most_shift_) return false;
        }
        for (int k = 0; k < S.P.followed; ++k) {
            const int i = S.frames.nq + S.frames.nv + S.P.turns + k;
            const double off = std::fabs(work_[i] - expected_[i]), way = std::fabs(expected_[i] - y_[i]);
            if (!(off <= 0.5 * way + spans_[k] / 64)) return false;
        }
        return true;
    }

    void accept(double t, double h) {
        y_.swap(work_);
        t_ = t;
        for (int i = 0; i < S.frames.nv; ++i) {
            jerk_[i] = (S.kkt.acceleration[i] - a_[i]) / h;
            a_[i] = S.kkt.acceleration[i];
        }
        rate_.assign(dy_.begin() + S.frames.nq + S.frames.nv, dy_.end());
    }

    System& S;
    double tolerance_, most_turn_, most_shift_, t_ = 0;
    const double* spans_;
    std::vector<double> y_, work_, expected_, dy_, a_, jerk_, rate_;
};

}  // namespace ww
