// Times at which a step has to end: corners of functions of time, and samples of elements. A step ends just before one and the next begins
// just behind it, so that each sees only one side of a jump.
#pragma once

#include "run_options.hpp"

namespace ww {

class StopTimes {
  public:
    StopTimes(const System& system, const Options& options) : S(system), P(S.P), corners_(options.corners), corner_count_(options.corner_count) {
        for (int k = 0; k < P.forces; ++k)
            if (P.force[k].sample >= 0) sampled_.push_back(k);
    }

    double past(double corner) const { return 1e-15 * std::fmax(1.0, std::fabs(S.frames.origin + corner)); }

    // Where a run begins that is to start at a time: behind a corner that is there.
    double behind(double start) const { return corner_count_ && corners_[0] <= start + past(start) ? start + past(start) : start; }

    void begin(double start) {
        next_sample.assign(sampled_.size(), 0.0);
        for (size_t i = 0; i < sampled_.size(); ++i) {
            const SampleNumbers& every = of(i);
            next_sample[i] = std::ceil((S.frames.origin + start - every.first) / every.period - same);
        }
    }

    // The next one behind t.
    double next(double t) {
        while (corner_ < corner_count_ && corners_[corner_] <= t + past(corners_[corner_])) ++corner_;
        double next = corner_ < corner_count_ ? corners_[corner_] : INFINITY;
        for (size_t i = 0; i < sampled_.size(); ++i) next = std::fmin(next, sample_time(i));
        return next;
    }

    // Whether the one that `next` gave last is a corner of a function of time, and no sample alone.
    bool is_corner(double time) const { return corner_ < corner_count_ && corners_[corner_] == time; }

    // Forces whose samples are due at a time, which then have their next ones before them.
    std::vector<int> due(double when) {
        std::vector<int> forces;
        for (size_t i = 0; i < sampled_.size(); ++i) {
            if (sample_time(i) > when + same * of(i).period) continue;
            forces.push_back(sampled_[i]);
            next_sample[i] += 1;
        }
        return forces;
    }

    // Other corners.
    void set_corners(const std::vector<double>& times) {
        corners_ = times.data(), corner_count_ = int(times.size());
        look_from_the_first();
    }
    void look_from_the_first() { corner_ = 0; }

    std::vector<double> next_sample;  // number of the next sample of each

  private:
    static constexpr double same = 1e-9;  // of a period: what times may differ by that are meant to be the same

    const SampleNumbers& of(size_t i) const { return numbers_at<SampleNumbers>(P, P.force[sampled_[i]].sample); }

    double sample_time(size_t i) const { return of(i).first + next_sample[i] * of(i).period - S.frames.origin; }

    const System& S;
    const Program& P;
    const double* corners_;
    int corner_count_, corner_ = 0;
    std::vector<int> sampled_;  // forces with samples
};

}  // namespace ww
