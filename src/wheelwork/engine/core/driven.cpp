#include "driven.hpp"
#include "guarded.hpp"

// Follows the drivers through `count` times, from the state y on the constraints at the first of them. Fills one record and one
// measure of soundness a time; y becomes the last state reached, `reached` its time. Returns how many times were reached.
extern "C" int ww_follow(ww::System* system, const double* times, int count, double* y, double tolerance, double tooth_angle,
                         double tooth_length, const double* spans, double* records, double* soundness, double* reached, long long* rounds) {
    return ww::guarded([&] {
        const size_t size = ww::record_size(*system);
        system->reset();
        ww::DrivenMotion driven(*system, tolerance, tooth_angle, tooth_length, spans);
        int done = 0;
        for (; done < count; ++done) {
            if (done == 0) {
                driven.start(times[0], y);
            } else if (!driven.advance(times[done])) {
                break;
            }
            soundness[done] = driven.soundness();
            driven.store(records + size * done);
        }
        std::copy(driven.state().begin(), driven.state().end(), y);
        *reached = driven.t();
        *rounds += driven.rounds;
        return done;
    });
}
