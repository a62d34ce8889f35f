// Modes: joints that stick or slide, contacts that are open or closed, kinks in forces; and how modes change.
//
// Each mode has a value that is positive while it lasts:
//   sliding joint    rate of the joint coordinate in the direction of sliding
//   sticking joint   largest friction minus the friction needed; with dogs that are closed it lasts until they open
//   joint that gave way: its friction is at the limit of rest, but what else holds, other joints that stick or the
//                    mechanism itself, keeps it at rest; the same with what round-off may be, so as not to be moved the
//                    other way
//   open contact     gap
//   closed contact   pushing force
//   kinks of forces  as the force says; there a change of either sign counts
// A mode that begins on the edge (a joint that has just broken loose, a ball that has just left the ground) has a value of zero
// or, by round-off, less. It ends when it is clearly past its end: `worse`.
#pragma once

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "system.hpp"

namespace ww {

enum EventKind { FORCE_EVENT = 0, STICK = 1, SLIDE = 2, IMPACT = 3, REST = 4, RELEASE = 5, SKIPPED = 6, DEEP = 7, LOCKED = 8, CLOSED = 9, OPENED = 10, TOUCHES = 11, PARTS = 12, TRANSITION = 20 };

// What a value that a force's events are read from means: it changes its sign at a kink; jumps by 1 where a tooth skips; falls
// below zero where teeth are pressed deeper than their model holds; limits friction, and is no event; falls below zero
// where a block changes its mode.
enum EventType { KINK = 0, SKIP = 1, TOO_DEEP = 2, LIMIT = 3, CHANGE = 10 };

// The values of a force that dogs go by, each positive where it is so: they are asked to close; and can, at this speed and position; and
// are no faster than they may be where they are asked to.
enum DogValue { ASKED = 0, READY = 1, SLOW = 2 };

struct EventRecord {
    double t, kind, index, size;  // size: impulse (N s, N m s) of an impact or of dogs that close; 1 or -1 where a went ahead or fell behind by a tooth
    double lost;                  // kinetic energy (J) that an impulse took; that of several at once is in the first
};

struct Readings {
    std::vector<double> values;
    std::vector<char> worse;
};

class Switching {
  public:
    explicit Switching(EquationsOfMotion& equations) : E(equations), S(equations.absolute), P(S.P) {}

    static constexpr double touches = 1e-9;      // m; gap of a contact that touches
    static constexpr double approaches = 1e-10;  // m/s; speed from which on a touching contact approaches
    static constexpr double at_rest = 1e-9;      // rad/s or m/s; a joint slower than this sticks at the start
    static constexpr double still_moves = 1e-11;
    static constexpr double reversed = 1e-8;
    static constexpr double no_acceleration = 1e-11;  // rad/s^2 or m/s^2; what round-off may be where all accelerations are zero
    static constexpr double pulls = 1e-14;       // N s
    static constexpr double at_kink = 1e-13;     // m, rad/s, ...; what round-off makes of a value that stays at zero

    std::vector<EventRecord> log;

    int count() const { return P.events + P.frictions + P.contacts; }
    bool any() const { return count() > 0; }
    bool any_modes() const {  // besides the limits of teeth
        bool kinks = false;
        for (int k = 0; k < P.events; ++k) kinks = kinks || P.event_kind[k].type == KINK || P.event_kind[k].type == CHANGE;
        return kinks || needs_samples();
    }
    bool needs_samples() const { return P.contacts + P.frictions > 0; }

    // Whether at a moment that is no end of a mode one may yet change: where a force or a function of time jumps.
    bool any_to_keep() const {
        bool changes = false;
        for (int k = 0; k < P.events; ++k) changes = changes || P.event_kind[k].type == CHANGE;
        return changes || needs_samples();
    }

    // All modes at hand, and how many events have been noted: what makes a moment one to keep both sides of.
    using Modes = std::tuple<std::vector<int>, std::vector<char>, std::vector<char>, std::vector<char>, size_t>;
    Modes modes() const { return {S.loads.slip, S.loads.engaged, S.constraints.active, gave_way_, log.size()}; }

    // Whether a mode ended between two readings, or teeth skipped: not only a kink of a force was crossed that is no change of its mode.
    bool ends_mode(const Readings& before, const Readings& now) const {
        for (int k = 0; k < count(); ++k)
            if (ended(k, before, now) && (k >= P.events || P.event_kind[k].type != KINK || P.event_kind[k].mode)) return true;
        return false;
    }

    // In how many places of a step of h a change of mode is to be looked for, so that a short contact is not stepped over, nor a place where
    // dogs fit that wait for one; needs E.derivative in the step first.
    int places(double h) {
        if (!needs_samples()) return 1;
        double most = 4;
        for (int k = 0; k < P.frictions; ++k) {
            if (!bare_dogs(k) || S.loads.engaged[k] || !(S.forces.events[P.friction[k].dogs + ASKED] > 0)) continue;
            const double play = dogs_of(P, P.friction[k]).play;
            if (play > 0) most = std::fmax(most, std::ceil(2 * std::fabs(rate_of(k)) * h / play));
        }
        return int(std::fmin(most, 1e5));
    }

    // The values of all modes; needs E.derivative at (t, y) first.
    void read(double t, Readings& out) {
        out.values.resize(count());
        out.worse.assign(count(), 0);
        if (!E.read_events(out.values.data())) {
            for (int k = 0; k < P.forces; ++k) {
                if (P.force[k].events) S.forces.read_events(k, t, out.values.data());
            }
        }
        for (int k = 0; k < P.frictions; ++k) {
            double& value = out.values[P.events + k];
            char& worse = out.worse[P.events + k];
            if (S.loads.slip[k] && gave_way_[k]) {
                value = S.loads.slip[k] * rate_of(k) + 2 * reversed;
            } else if (S.loads.slip[k]) {
                value = S.loads.slip[k] * rate_of(k);
                worse = value < -still_moves;
            } else {
                const double up = S.loads.friction_limit(k, 1, true), down = S.loads.friction_limit(k, -1, true), needed = needed_of(k);
                value = std::fmin(up - needed, down + needed) + E.round_off(P.friction[k].row);
                worse = gives_way(k);
            }
        }
        for (int k = 0; k < P.contacts; ++k) {
            const int c = P.contact[k].constraint, place = P.events + P.frictions + k;
            out.values[place] = S.constraints.active[c] ? -S.kkt.multiplier[c][0] : E.gap_of(c);
            out.worse[place] = S.constraints.active[c] ? out.values[place] < 0 : E.rate_along(c) < -approaches;
        }
    }

    // A kink at which something stays, as a motor's corner at zero speed while a brake holds it, is not crossed by round-off: there
    // its value keeps the side that it had before.
    void keep_sides(const Readings& before, Readings& now) const {
        for (int k = 0; k < P.events; ++k) {
            const double side = before.values[k];
            if (P.event_kind[k].type == KINK && std::fabs(now.values[k]) <= at_kink)
                now.values[k] = side == 0 ? 0.0 : std::copysign(at_kink, side);
        }
    }

    // Whether a kink that is crossed between two readings is one at which the first is already, but for the side that it keeps.
    bool at_kink_between(const Readings& before, const Readings& now) const {
        for (int k = 0; k < P.events; ++k)
            if (P.event_kind[k].type == KINK && std::fabs(before.values[k]) <= at_kink && ended(k, before, now)) return true;
        return false;
    }

    // Whether mode k ended between two readings.
    bool ended(int k, const Readings& before, const Readings& now) const {
        const double a = before.values[k], b = now.values[k];
        if (k < P.events) {
            const int type = P.event_kind[k].type;
            if (type == LIMIT) return false;
            if (type == SKIP) return std::fabs(a - b) > 0.5;
            return (a > 0 && b <= 0) || (type == KINK && a < 0 && b >= 0);
        }
        return b <= 0 && (a > 0 || now.worse[k]);
    }

    bool any_ended(const Readings& before, const Readings& now) const {
        for (int k = 0; k < count(); ++k)
            if (ended(k, before, now)) return true;
        return false;
    }

    // What began or ceased to touch between two readings, teeth that skipped, and teeth that are pressed too deep for the first time.
    // Returns the force whose teeth skipped, or -1.
    int note_forces(double t, const Readings& before, const Readings& now) {
        int skipped = -1;
        for (int k = 0; k < P.events; ++k) {
            const int type = P.event_kind[k].type, force = P.event_kind[k].force;
            const double moved = before.values[k] - now.values[k];
            if (P.event_kind[k].mode == 2 && ended(k, before, now)) note(t, before.values[k] < 0 ? TOUCHES : PARTS, k);
            if (type == SKIP && std::fabs(moved) > 0.5) {
                note(t, SKIPPED, k, moved > 0 ? 1.0 : -1.0);
                if (skipped < 0) skipped = force;
            }
            if (type == TOO_DEEP && now.values[k] <= 0 && !deep_.count(k)) {
                note(t, DEEP, k);
                deep_.insert(k);
                if (too_deep_ < 0) too_deep_ = force;
            }
        }
        return skipped;
    }

    // The first block that changes its mode at a reading, as an event; or -1.
    int changing(const Readings& now) const {
        for (int k = 0; k < P.events; ++k)
            if (P.event_kind[k].type == CHANGE && now.values[k] <= 0) return k;
        return -1;
    }

    // The first condition of a block that is no number at a reading; or -1.
    int undecided(const Readings& now) const {
        for (int k = 0; k < P.events; ++k)
            if (P.event_kind[k].type == CHANGE && now.values[k] != now.values[k]) return k;
        return -1;
    }

    void note_change(double t, int k, double mode) { note(t, TRANSITION, k, mode); }

    // The first force whose teeth were pressed too deep, or -1.
    int too_deep() const { return too_deep_; }

    // The friction that could neither slide nor be stopped, or -1.
    int jammed() const { return jammed_; }

    // The friction whose dogs were asked to close at too high a speed, or that began against the direction in which it can turn, or -1; and
    // that speed.
    int refused() const { return refused_; }
    double refused_speed() const { return refused_speed_; }

    // What stays from one step to the next.
    void carry(Carried& c) {
        std::vector<int> deep(deep_.begin(), deep_.end());
        c(broke_loose_), c(gave_way_), c(deep), c(too_deep_);
        deep_ = {deep.begin(), deep.end()};
    }

    // Modes that fit the state at the start; false if there are none.
    bool start(double t, double* y, double* dy) {
        E.derivative(t, y, dy);
        gave_way_.assign(P.frictions, 0);
        for (int k = 0; k < P.frictions; ++k) {
            const double rate = rate_of(k);
            set_slip(k, std::fabs(rate) < at_rest ? 0 : (rate > 0 ? 1 : -1));
            if (S.loads.slip[k] && S.loads.blocks(k, S.loads.slip[k])) return refuse(k, rate);
        }
        std::vector<int> touching;
        for (int k = 0; k < P.contacts; ++k)
            if (touches_slower_than(k, approaches) && !touches_slower_than(k, -approaches)) touching.push_back(k);
        for (int k : touching) S.constraints.active[P.contact[k].constraint] = 1;
        return settle(t, y, dy);
    }

    // Change modes until they fit the state: impacts first, then contacts that pull, then friction. False if no fitting
    // modes were found.
    bool settle(double t, double* y, double* dy) {
        jammed_ = -1;
        broke_loose_ = gave_way_;
        std::vector<char> slid(P.frictions);
        for (int k = 0; k < P.frictions; ++k) slid[k] = S.loads.slip[k] && !gave_way_[k];
        for (int round = 0; round < 60 + 6 * P.frictions; ++round) {
            const bool hit = P.contacts && collide(t, y, -1);
            if (hit) after_impact(t, y);
            if (P.frictions) S.loads.forget_friction();
            E.derivative_on_manifold(t, y, dy);
            if (release(t) || hit || shift_dogs(t, y)) continue;
            if (refused_ >= 0) return false;
            if (!S.loads.friction_converged) {
                if (lock(t, y)) continue;
                return false;
            }
            if (settle_friction()) continue;
            for (int k = 0; k < P.frictions; ++k) {
                gave_way_[k] = S.loads.slip[k] && std::fabs(rate_of(k)) <= reversed && stays_at_rest(k);
                const bool slides = S.loads.slip[k] && !gave_way_[k];
                if (slides != bool(slid[k]) && !S.loads.engaged[k] && !bare_dogs(k)) note(t, slides ? SLIDE : STICK, k);
            }
            return true;
        }
        return false;
    }

  private:
    void note(double t, int kind, int index, double size = 0.0, double lost = 0.0) {
        log.push_back({t, double(kind), double(index), size, lost});
    }

    void set_slip(int k, int direction) {
        S.loads.slip[k] = direction;
        S.loads.rests[k] = 0;
        S.constraints.active[P.friction[k].row] = direction == 0;
    }

    // Whether a joint that does not stick is at rest all the same: held by others that stick, or by a mechanism in which it cannot move.
    // (At a dead centre a joint cannot move for a moment either, but is accelerated.)
    bool stays_at_rest(int k) { return !accelerated(k) && E.held(P.friction[k].row); }

    // Whether the force that a sticking joint needs is more than its limit, by more than round-off.
    bool gives_way(int k) {
        const double needed = std::fabs(needed_of(k)), limit = S.loads.friction_limit(k, needed_of(k) > 0 ? 1 : -1, true);
        return needed - limit > 1e-12 * (needed + limit) + E.round_off(P.friction[k].row);
    }

    bool refuse(int k, double speed) {
        refused_ = k, refused_speed_ = speed;
        return false;
    }

    // Dogs open as they are told to; they close where their speed and position let them, and the impulse takes the rest of the speed.
    bool shift_dogs(double t, double* y) {
        for (int k = 0; k < P.frictions; ++k) {
            if (P.friction[k].dogs < 0) continue;
            const double* dogs = &S.forces.events[P.friction[k].dogs];
            if (S.loads.engaged[k]) {
                if (dogs[ASKED] > 0) continue;
                S.loads.engaged[k] = 0;
                note(t, OPENED, k);
                return true;
            }
            if (!(dogs[ASKED] > 0)) continue;
            if (dogs[READY] > 0) {
                // drivers or other rigid parts may keep the shafts turning on each other
                if (std::fabs(rate_of(k)) > reversed && E.held(P.friction[k].row)) return refuse(k, rate_of(k));
                collide(t, y, k);
                after_impact(t, y);
                return true;
            }
            if (!(dogs[SLOW] > 0) && bare_dogs(k)) return refuse(k, rate_of(k));
        }
        return false;
    }

    // Dogs without a cone, which slide on nothing while they are open.
    bool bare_dogs(int k) const { return P.friction[k].dogs >= 0 && dogs_of(P, P.friction[k]).waits == 0.0; }

    double rate_of(int k) { return E.rate_along(P.friction[k].row); }
    double needed_of(int k) const { return S.kkt.multiplier[P.friction[k].row][0]; }

    bool touches_slower_than(int k, double speed) {
        const int c = P.contact[k].constraint;
        return !S.constraints.active[c] && E.gap_of(c) <= touches && E.rate_along(c) < speed;
    }

    // Open the contact that pulls most.
    bool release(double t) {
        int worst = -1;
        double pull = 0;
        for (int k = 0; k < P.contacts; ++k) {
            const int c = P.contact[k].constraint;
            if (S.constraints.active[c] && S.kkt.multiplier[c][0] > pull) pull = S.kkt.multiplier[c][0], worst = k;
        }
        if (worst < 0) return false;
        S.constraints.active[P.contact[worst].constraint] = 0;
        note(t, RELEASE, worst);
        return true;
    }

    // Change the first joint whose mode does not fit: one that has come to rest, else one whose load is beyond its limit, which from then on
    // holds with that limit (always the first, so that it does not go round in circles: K. G. Murty, see `fit_loads`; the one most beyond
    // its limit does, where teeth with losses share a load with bearings). Where all fit, those that move after all fall to the friction
    // of sliding together.
    bool settle_friction() {
        for (int k = 0; k < P.frictions; ++k)
            if (come_to_rest(k)) return true;
        for (int k = 0; k < P.frictions; ++k) {
            const bool carried_along = !S.loads.slip[k] && accelerated(k);
            if (S.loads.slip[k] || !(carried_along || gives_way(k))) continue;
            set_slip(k, (carried_along ? acceleration_of(k) : needed_of(k)) > 0 ? 1 : -1);
            broke_loose_[k] = S.loads.rests[k] = 1;
            return true;
        }
        bool changed = false;
        for (int k = 0; k < P.frictions; ++k) {
            if (!S.loads.rests[k] || stays_at_rest(k)) continue;
            changed = changed || S.loads.friction_limit(k, S.loads.slip[k], true) != S.loads.friction_limit(k, S.loads.slip[k], false);
            S.loads.rests[k] = 0;
        }
        return changed;
    }

    // Whether the mode of a joint that slides is changed: to the other direction, or to rest.
    bool come_to_rest(int k) {
        const int slip = S.loads.slip[k];
        const double rate = rate_of(k);
        if (slip == 0 || slip * rate > still_moves) return false;
        // an event is located to 1e-10 s: what a hard brake overshoots in that time is no reversal
        if (std::fabs(rate) > std::fmax(reversed, 1e-9 * std::fabs(acceleration_of(k)))) {
            set_slip(k, -slip);
            return true;
        }
        const bool rests = broke_loose_[k] && stays_at_rest(k);
        if (!rests && broke_loose_[k] && slip * acceleration_of(k) > 0) return false;
        if (rests && S.loads.rests[k]) return false;
        if (rests)
            S.loads.rests[k] = 1;
        else
            set_slip(k, 0);
        return true;
    }

    // Where no finite friction fits, as with a self-locking worm that its wheel would drive, forces grow until a joint is at rest:
    // stop the first that friction can stop. False: none, because something rigid keeps it moving.
    bool lock(double t, double* y) {
        for (int k = 0; k < P.frictions; ++k) {
            if (!S.loads.slip[k] || gave_way_[k]) continue;
            jammed_ = k;
            if (std::fabs(rate_of(k)) <= still_moves && broke_loose_[k]) continue;  // it was at rest and could not stay so
            double impulse;
            const double before = E.kinetic_energy(y);
            if (!E.stop_sliding(k, y, &impulse)) continue;
            set_slip(k, 0);
            note(t, LOCKED, k, impulse, before - E.kinetic_energy(y));
            return true;
        }
        return false;
    }

    // Second derivative of the joint coordinate, and whether it is more than round-off.
    double acceleration_of(int k) const { return E.acceleration_along(P.friction[k].row); }
    bool accelerated(int k) { return std::fabs(acceleration_of(k)) > no_acceleration && E.accelerated(P.friction[k].row); }

    // An impact moves joints that stuck: friction forces are finite and carry no impulse.
    void after_impact(double t, double* y) {
        if (!P.frictions) return;
        E.look(t, y);
        for (int k = 0; k < P.frictions; ++k) {
            const double rate = rate_of(k);
            if ((S.loads.slip[k] == 0 || S.loads.rests[k]) && std::fabs(rate) > reversed) set_slip(k, rate > 0 ? 1 : -1);
        }
    }

    // Impacts by balance of momentum (Bai (1.21), (1.22)) with Newton's restitution: contacts that touch and approach get the
    // normal speed -e times what it was, or come to rest if that is less than the rest speed; joints keep theirs; closed
    // contacts stay closed unless they would have to pull and part faster than their rest speed; sticking joints are free
    // to move, but for those that hold with any force: dogs, those of friction `closing` from now on, and one-way clutches in their
    // direction. All at once.
    bool collide(double t, double* y, int closing) {
        E.look(t, y);
        std::vector<int> hitting, closed, let_go, held, locked, free;
        for (int k = 0; k < P.frictions; ++k)
            if (k == closing || (!S.loads.slip[k] && (S.loads.blocks(k, 1) || S.loads.blocks(k, -1)))) locked.push_back(k);
        for (int k = 0; k < P.contacts; ++k) {
            if (S.constraints.active[P.contact[k].constraint]) closed.push_back(k);
            if (touches_slower_than(k, -approaches)) hitting.push_back(k);
        }
        const std::vector<double> before(y, y + E.n);
        const std::vector<char> modes(S.constraints.active);
        while (!hitting.empty() || closing >= 0) {
            for (int c = 0; c < P.constraints; ++c) S.constraints.active[c] = S.constraints.kind_of(c) == BILATERAL;
            for (const auto* group : {&hitting, &closed, &held})
                for (int k : *group) S.constraints.active[P.contact[k].constraint] = 1;
            for (int k : locked) S.constraints.active[P.friction[k].row] = 1;
            std::copy(before.begin(), before.end(), y);
            E.look(t, y);
            std::vector<double> rebound(P.constraints, 0.0), impulse(P.constraints, 0.0), rate(P.constraints, 0.0);
            for (int k : hitting) rate[P.contact[k].constraint] = E.rate_along(P.contact[k].constraint);
            for (int k : locked) rate[P.friction[k].row] = rate_of(k);
            std::vector<char> stays(hitting.size(), 0);
            for (size_t i = 0; i < hitting.size(); ++i) {
                const int c = P.contact[hitting[i]].constraint;
                const ContactNumbers& law = numbers_of(P, P.contact[hitting[i]]);
                rebound[c] = -law.restitution * E.rate_along(c);
                stays[i] = !(rebound[c] > law.rest_speed);
                if (stays[i]) rebound[c] = 0.0;
            }
            E.strike(y, rebound, impulse);
            std::vector<int>* group = nullptr;
            size_t worst = 0;
            double pull = pulls;
            for (auto* candidates : {&hitting, &closed})
                for (size_t i = 0; i < candidates->size(); ++i) {
                    const double size = impulse[P.contact[(*candidates)[i]].constraint];
                    if (size > pull) pull = size, group = candidates, worst = i;
                }
            if (group) {
                if (group == &closed) let_go.push_back(closed[worst]);
                group->erase(group->begin() + worst);
                continue;
            }
            // one that would part more slowly than its rest speed is held after all: let go, it would only come back at once
            bool again = false;
            for (size_t i = let_go.size(); i-- > 0;) {
                const double rest_speed = numbers_of(P, P.contact[let_go[i]]).rest_speed;
                if (E.rate_along(P.contact[let_go[i]].constraint) > rest_speed) continue;
                held.push_back(let_go[i]);
                let_go.erase(let_go.begin() + i);
                again = true;
            }
            again = again || turn_free(locked, free, impulse, closing);
            if (again) continue;
            S.constraints.active = modes;
            // each takes the work of its own impulse p: dT = -p (v before + v after)/2
            const auto lost = [&](int c) { return impulse[c] * (rate[c] + E.rate_along(c)) / 2; };
            for (int k : locked) {
                const int c = P.friction[k].row;
                set_slip(k, 0);
                if (k == closing) S.loads.engaged[k] = 1;
                if (k == closing || std::fabs(rate[c]) > reversed) note(t, CLOSED, k, std::fabs(impulse[c]), lost(c));
            }
            for (size_t i = 0; i < hitting.size(); ++i) {
                const int c = P.contact[hitting[i]].constraint;
                S.constraints.active[c] = stays[i];
                note(t, stays[i] ? REST : IMPACT, hitting[i], -impulse[c], lost(c));
            }
            for (int k : let_go) {
                S.constraints.active[P.contact[k].constraint] = 0;
                note(t, RELEASE, k);
            }
            return true;
        }
        S.constraints.active = modes;
        std::copy(before.begin(), before.end(), y);
        return false;
    }

    // After a strike: one-way clutches that were held and would have to pull are set free, those that were free and would turn the wrong
    // way are held; each is set free at most once.
    bool turn_free(std::vector<int>& locked, std::vector<int>& free, const std::vector<double>& impulse, int closing) {
        for (size_t i = 0; i < locked.size(); ++i) {
            const int k = locked[i];
            const double size = impulse[P.friction[k].row];
            if (k == closing || std::fabs(size) <= pulls || S.loads.blocks(k, size > 0 ? 1 : -1)) continue;
            if (std::find(free.begin(), free.end(), k) != free.end()) continue;
            free.push_back(k);
            locked.erase(locked.begin() + i);
            return true;
        }
        for (int k = 0; k < P.frictions; ++k) {
            const double rate = rate_of(k);
            if (std::fabs(rate) <= reversed || !S.loads.blocks(k, rate > 0 ? 1 : -1)) continue;
            if (std::find(locked.begin(), locked.end(), k) != locked.end()) continue;
            locked.push_back(k);
            return true;
        }
        return false;
    }

    EquationsOfMotion& E;
    System& S;
    const Program& P;
    std::vector<char> broke_loose_, gave_way_;
    std::set<int> deep_;
    int too_deep_ = -1, jammed_ = -1, refused_ = -1;
    double refused_speed_ = 0.0;
};

}  // namespace ww
