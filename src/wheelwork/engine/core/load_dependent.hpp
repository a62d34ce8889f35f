// Forces that depend on the multipliers: friction of sliding joints, and what pushes the teeth of meshes apart.
#pragma once

#include "fixed_point.hpp"
#include "kkt.hpp"

namespace ww {

// The values of a force that limits friction: of the size of friction while the joint slides up, down; that holds it from sliding up, down.
enum FrictionLimit { SLIDES_UP = 0, SLIDES_DOWN = 1, STARTS_UP = 2, STARTS_DOWN = 3 };

class LoadDependent {
  public:
    explicit LoadDependent(Kkt& solver)
        : kkt(solver), forces(kkt.forces), schur(kkt.schur), constraints(kkt.constraints), frames(kkt.frames), P(kkt.P) {
        base_force.assign(V * (P.bodies + 1), 0.0);
        slip.assign(P.frictions, 0);
        friction_force.assign(P.frictions, 0.0);
        engaged.assign(P.frictions, 0);
        rests.assign(P.frictions, 0);
        newtons_.assign(P.constraints, spread(1.0));
        tooth_force_.assign(P.meshes, 0.0);
        sense_.assign(P.frictions, 0);
    }

    std::vector<double> base_force;       // V per body: without those that depend on the multipliers
    std::vector<int> slip;                // of each friction: -1, 1 sliding, 0 sticking
    std::vector<double> friction_force;   // along the joint coordinate, on b
    std::vector<char> engaged;            // of each friction: whether dogs hold it, with any force
    std::vector<char> rests;              // of each that slides: whether it has given way, at the limit of friction at rest, and not moved yet
    static constexpr double unlimited = 1e30;
    static constexpr double least_left = 1e-12;  // of the square of a row, beside others that hold: as in minimal coordinates
    bool friction_converged = true;
    bool friction_failed_since = false;  // whether it did not converge in any evaluation since this was last set to false
    bool teeth_move_wheels = false;  // whether what pushes teeth apart can move something

    // a and lambda for the forces in `force`, and for those that depend on lambda: friction of sliding joints, and what pushes
    // the teeth of meshes apart. The latter does no work where the wheels' axes are held, and so changes only the reactions: it is
    // left out unless `complete`, or unless it can move something, press on a joint with friction, or be measured.
    void solve_accelerations(bool complete = false) {
        friction_converged = true;
        const bool teeth = P.meshes && (complete || teeth_move_wheels || P.frictions || P.measured);
        if (P.frictions == 0 && P.meshes == 0) {
            kkt.solve_for_force();
            return;
        }
        base_force = forces.total;
        complete_ = teeth;
        if (arm_ == 0.0) find_arms();
        if (P.frictions == 0 && !teeth) {
            kkt.solve_for_force();
            return;
        }
        friction_converged = fit_loads(teeth, [this] { kkt.solve_for_force(); });
        friction_failed_since = friction_failed_since || !friction_converged;
    }

    // Forget the friction and tooth forces of the last evaluation: the next one starts from those without friction, and so finds the
    // forces that grow out of them as friction does. Others that fit, where friction causes more friction than it is itself, are no
    // limit of elastic teeth or guides: the least deviation grows (P. Painleve, C. R. Acad. Sci. 121 (1895) 112; A. R. Champneys,
    // P. L. Varkonyi, IMA J. Appl. Math. 81 (2016) 538).
    void forget_friction() {
        std::fill(sense_.begin(), sense_.end(), 0);
        std::fill(friction_force.begin(), friction_force.end(), 0.0);
        std::fill(tooth_force_.begin(), tooth_force_.end(), 0.0);
        afresh_ = true;
    }

    // By how much the friction of a sliding joint grows for each newton of it, with the friction of the others as it is.
    double amplification(int k) {
        const std::vector<double> force_kept = forces.total, acceleration_kept = kkt.acceleration, friction_kept = friction_force;
        const std::vector<Pack> multiplier_kept = kkt.multiplier;
        std::fill(base_force.begin(), base_force.end(), 0.0);
        std::fill(friction_force.begin(), friction_force.end(), 0.0);
        load_.clear();
        for (int j = 0; j < P.frictions; ++j)
            if (slip[j]) load_.push_back(j == k ? -slip[k] * in_newtons(P.friction[k].row) : 0.0);
        add_load_dependent(load_.data(), false);
        kkt.solve_with([](int) { return spread(0.0); });
        const double out = pressed_friction(k, slip[k]);
        forces.total = force_kept, kkt.acceleration = acceleration_kept, friction_force = friction_kept, kkt.multiplier = multiplier_kept;
        return out;
    }

    // The jump of all velocities (in `acceleration`) with which the sliding joint k comes to rest, where finite friction has no
    // answer: forces that grow without bound for a vanishing time leave impulses (in `multiplier`) in the proportions of friction.
    // The impulse along the joint must be less than what friction can give it; nor may others that slide be turned round.
    bool stop(int k, double* impulse) {
        const int stopped = P.friction[k].row, direction = slip[k];
        slip[k] = 0;
        constraints.active[stopped] = 1;
        kkt.assemble();
        std::fill(base_force.begin(), base_force.end(), 0.0);
        forget_friction();
        impulsive_ = true;
        bool possible = fit_loads(P.meshes > 0, [&] {
            kkt.solve_with([&](int c) { return c == stopped ? -constraints.speed_of(c) : spread(0.0); });
        });
        impulsive_ = false;
        *impulse = std::fabs(kkt.multiplier[stopped][0]);
        possible = possible && *impulse <= pressed_friction(k, direction) * (1 + 1e-9);
        possible = possible && std::fabs(constraints.row_product(stopped, kkt.acceleration.data())[0] + constraints.speed_of(stopped)[0]) <=
                                   1e-6 * std::fabs(constraints.speed_of(stopped)[0]);
        for (int j = 0; j < P.frictions && possible; ++j) {
            const int c = P.friction[j].row;
            if (slip[j]) possible = slip[j] * (constraints.speed_of(c)[0] + constraints.row_product(c, kkt.acceleration.data())[0]) > -1e-9;
        }
        slip[k] = direction;
        constraints.active[stopped] = 0;
        forget_friction();
        return possible;
    }

    // Find out whether what pushes teeth apart can move anything at the position at hand, as with wheels on springs. Where the
    // axes are held by joints it cannot: M a + G^T lambda = w with G a = 0 has a = 0. Told by the part of w in directions that
    // are free, in the metric of the kinetic energy: a.M a beside w.M^-1 w.
    void examine_meshes_here() {
        teeth_move_wheels = false;
        std::fill(base_force.begin(), base_force.end(), 0.0);
        const std::vector<int> slipping = slip;
        std::fill(slip.begin(), slip.end(), 0);
        std::vector<double> unit(P.meshes, 0.0);
        for (int m = 0; m < P.meshes && !teeth_move_wheels; ++m) {
            unit[m] = 1.0;
            add_load_dependent(unit.data(), true);
            unit[m] = 0.0;
            double before = 0, after = 0, other[V];
            kkt.solve_with([](int) { return spread(0.0); });
            for (int k = 0; k < P.bodies; ++k) {
                frames.over_mass(k, &forces.total[V * k], other);
                for (int j = 0; j < V; ++j) before += forces.total[V * k + j] * other[j];
                frames.times_mass(k, &kkt.acceleration[V * k], other);
                for (int j = 0; j < V; ++j) after += kkt.acceleration[V * k + j] * other[j];
            }
            teeth_move_wheels = after > 1e-12 * before;
        }
        std::fill(tooth_force_.begin(), tooth_force_.end(), 0.0);
        slip = slipping;
    }

    // Whether the first row of a constraint that is not active is held by those that are: whether a unit force along it moves nothing.
    // Told by a.M a, which beside G a has an error of multipliers squared: a light body that is geared to a heavy one is moved by a millionth
    // of what it would be alone. Accelerations and multipliers stay as they are.
    bool is_held(int c) {
        const std::vector<double> force_kept = forces.total, acceleration_kept = kkt.acceleration;
        const std::vector<Pack> multiplier_kept = kkt.multiplier;
        std::fill(forces.total.begin(), forces.total.end(), 0.0);
        double alone = 0;
        for (const auto& [body, G] : constraints.sides(c)) {
            if (body < 0) continue;
            double step[V];
            for (int j = 0; j < V; ++j) forces.total[V * body + j] = G[j][0];
            frames.over_mass(body, &forces.total[V * body], step);
            for (int j = 0; j < V; ++j) alone += forces.total[V * body + j] * step[j];
        }
        kkt.solve_with([](int) { return spread(0.0); });
        double left = 0, momentum[V];
        for (int k = 0; k < P.bodies; ++k) {
            frames.times_mass(k, &kkt.acceleration[V * k], momentum);
            for (int j = 0; j < V; ++j) left += kkt.acceleration[V * k + j] * momentum[j];
        }
        forces.total = force_kept, kkt.acceleration = acceleration_kept, kkt.multiplier = multiplier_kept;
        return left < least_left * alone;
    }

    // After `solve_accelerations`, for output: reactions with what the teeth of meshes press on the bearings, and with redundant
    // constraints to round-off.
    void complete_reactions() {
        const bool teeth = P.meshes && !complete_;
        if (!teeth && !schur.shifted() && !schur.leaves_out()) return;
        schur.rounds = Schur::proximal_rounds + 3;
        if ((schur.shifted() || schur.leaves_out()) && kkt.stabilisation.method != AUGMENTED_LAGRANGIAN) schur.assemble_regularised(true);
        if (teeth || P.frictions) {
            forces.total = base_force;
            const bool converged = friction_converged;
            solve_accelerations(true);
            friction_converged = converged;
        } else {
            kkt.solve_for_force();
        }
        schur.rounds = Schur::proximal_rounds;
    }

    // Largest friction force of joint k against motion in a direction (1, -1), from the multipliers as they are.
    double friction_limit(int k, int direction, bool sticking) {
        if (engaged[k]) return unlimited;
        return (own_limit(k, direction, sticking) + pressed_friction(k, direction)) * ratio_of(k, sticking);
    }

    // Whether joint k cannot be moved in a direction (1, -1) by any force.
    bool blocks(int k, int direction) const { return engaged[k] || own_limit(k, direction, true) >= unlimited; }

    // What the multiplier of a constraint with one row is wrong by from round-off: of bearings under weight beside a mesh that carries
    // nothing, for instance; more where S is nearly singular, by redundant rows or a light body geared to a heavy one.
    double round_off(int c) const {
        const double part = schur.shifted() ? 1e-7 : std::fmin(std::fmax(1e-11, 1e-15 / schur.factor->smallest_pivot), 1e-3);
        return part * largest_load() / in_newtons(c);
    }

    // Forces that depend on the multipliers into `force`, from the multipliers as they are.
    void add_load_dependent_forces() {
        const bool teeth = P.meshes && (teeth_move_wheels || P.frictions);
        if (P.frictions == 0 && !teeth) return;
        base_force = forces.total;
        read_load(teeth, false);
        add_load_dependent(image_.data(), teeth);
    }

    // What pushes the teeth of mesh k apart when they carry a force: wrenches (V each) on its wheels a and b.
    void separating_wrenches(int k, double tooth_force, double* wrench) {
        const int c = P.mesh[k];
        const Constraints::Sides wheels = constraints.sides(c);
        const double* in[4] = {frames.record(wheels[0].body), frames.record(wheels[1].body), P.data + P.constraint[c].data, &tooth_force};
        double* out[1] = {wrench};
        P.separating[k](in, out);
    }

    void carry(Carried& c) { c(slip), c(engaged), c(rests), c(sense_), c(friction_force), c(tooth_force_), c(teeth_move_wheels), c(afresh_), c(arm_), c(newtons_); }

    void forget() {
        std::fill(slip.begin(), slip.end(), 0);
        std::fill(engaged.begin(), engaged.end(), 0);
        std::fill(rests.begin(), rests.end(), 0);
        arm_ = 0.0;
        forget_friction();
    }

    // Whether friction depends on the size of a multiplier, as that of meshes and ratios does.
    bool goes_with_size(int k) const { return !P.load[k] || P.friction[k].geared; }

    // By how much such friction grows with the size of the multiplier, which has this sense.
    double growth(int k, int sense) {
        if (!P.friction[k].geared) return numbers_of(P, P.friction[k]).coefficient * ratio_of(k, rests[k]);
        const double size = std::fabs(kkt.multiplier[P.friction[k].joint][0]);
        return size > 0 ? geared_friction(k, slip[k], sense) / size : 0.0;
    }

  private:
    double ratio_of(int k, bool sticking) const { return sticking ? numbers_of(P, P.friction[k]).static_ratio : 1.0; }

    // The part of the friction of joint k that does not depend on its load.
    double own_limit(int k, int direction, bool sticking) const {
        const FrictionRow& F = P.friction[k];
        return F.limits < 0 ? numbers_of(P, F).constant : forces.events[F.limits + (sticking ? STARTS_UP : SLIDES_UP) + (direction < 0)];
    }

    // The size (N) of which multipliers have an error of round-off: the largest of them, and with redundant constraints the largest force, of
    // which there is round-off over the shift of S also where reactions are zero, as in free fall.
    double largest_load() const {
        double largest = 0;
        for (int c = 0; c < P.constraints; ++c)
            if (constraints.active[c]) largest = std::fmax(largest, max_abs(kkt.multiplier[c] * newtons_[c]));
        if (schur.shifted())
            for (int i = 0; i < V * P.bodies; ++i) largest = std::fmax(largest, std::fabs(forces.total[i]) / (i % V < LINEAR ? 1.0 : arm_));
        return largest;
    }

    // What a unit of the multiplier of a constraint with one row is in newtons.
    double in_newtons(int c) const { return newtons_[c][0]; }

    // The longest arm at which a row holds a body: torques are measured as forces there, so that what counts as small beside both is the
    // same in a mechanism of another size.
    void find_arms() {
        arm_ = 0.0;
        newtons_.assign(P.constraints, spread(1.0));
        std::vector<Pack> turning = newtons_;
        for (int c = 0; c < P.constraints; ++c)
            for (int p = 0; p < constraints.rows[c]; ++p) {
                double pulls = 0, turns = 0;
                for (const Side& side : constraints.sides(c)) {
                    if (side.body < 0) continue;
                    const Hold hold = constraints.hold(side, p);
                    arm_ = std::fmax(arm_, hold.arm());
                    pulls += hold.pull, turns += hold.turn;
                }
                lane(turning[c], p) = pulls == 0 && turns > 0 ? 0.0 : 1.0;
            }
        if (!(arm_ > 0)) arm_ = 1.0;
        for (int c = 0; c < P.constraints; ++c) newtons_[c] = turning[c] + (spread(1.0) - turning[c]) * spread(1.0 / arm_);
    }

    // The part of the friction of joint k that its load gives, from the multipliers as they are, while it slides in a direction.
    double pressed_friction(int k, int direction) {
        const FrictionRow& F = P.friction[k];
        const double coefficient = numbers_of(P, F).coefficient;
        if (coefficient == 0.0) return 0.0;
        const int c = F.joint;
        if (F.geared) return geared_friction(k, direction, kkt.multiplier[c][0] < 0 ? -1 : 1);
        if (!P.load[k]) return coefficient * std::fabs(kkt.multiplier[c][0]);  // a mesh
        double wrench[V], load = 0;
        kkt.reaction_on_b(c, wrench);
        const double* in[3] = {frames.record(constraints.sides(c)[1].body), P.data + F.load_data, wrench};
        double* out[1] = {&load};
        P.load[k](in, out);
        return coefficient * load;  // Bai (1.20): mu times what Phi_q^T lambda presses with; Q_f(lambda) of (1.19)
    }

    // Friction of a ratio whose torque lambda has, or is assumed to have, a sense: shaft a drives where it turns that way.
    double geared_friction(int k, int direction, int sense) {
        const FrictionRow& F = P.friction[k];
        const double torque = sense * kkt.multiplier[F.joint][0];
        double friction[2];
        const double* in[2] = {&torque, P.data + F.load_data};
        double* out[1] = {friction};
        P.load[k](in, out);
        return friction[sense * direction < 0];
    }

    // Friction and tooth forces that fit the multipliers which they themselves cause; `solve` gives these. False: there are none.
    //
    // Friction of a mesh or ratio is c |F|: with the sense of F assumed it is linear in F, and the iteration ends where it would otherwise
    // jump between both senses. A sense that turns out to be another is turned round, the first one first: where friction causes
    // less friction than it is itself, this ends (K. G. Murty, Linear Algebra Appl. 7 (1974) 65).
    template <class Solve>
    bool fit_loads(bool teeth, Solve&& solve) {
        // with redundant constraints the multipliers themselves have an error of round-off over the shift of S, in proportion to
        // the largest of them
        const double same = schur.shifted() ? 1e-7 : 1e-12, acceptable = schur.shifted() ? 1e-5 : 1e-9;
        const auto evaluate = [&] {
            add_load_dependent(load_.data(), teeth);
            solve();
            for (int k = 0; k < P.frictions; ++k)
                if (!slip[k]) friction_force[k] = -kkt.multiplier[P.friction[k].row][0];
            read_load(teeth);
            const double floor = largest_load();
            return schur.shifted() ? floor : 0.01 * floor;  // round-off of the largest (teeth at rest under weight) need not agree
        };
        load_.clear();
        for (int k = 0; k < P.frictions; ++k)
            if (slip[k]) load_.push_back(friction_force[k] * in_newtons(P.friction[k].row));
        for (int k = 0; k < P.meshes && teeth; ++k) load_.push_back(tooth_force_[k] * in_newtons(P.mesh[k]));
        for (double load : load_) afresh_ = afresh_ || !(std::fabs(load) < 1e300);  // left by a step that came to no numbers
        if (afresh_) {
            afresh_ = false;
            std::fill(load_.begin(), load_.end(), 0.0);
            evaluate();
            for (int k = 0; k < P.frictions; ++k) sense_[k] = kkt.multiplier[P.friction[k].joint][0] < 0 ? -1 : 1;
            fixed_point_.newton_step(load_, image_, evaluate);
        }
        const std::vector<int> assumed = sense_;
        const int further = schur.shifted() && schur.rounds > Schur::proximal_rounds ? 2 : 0;  // for output
        for (int turned = 0; turned <= 8 + 4 * P.frictions; ++turned) {
            if (!fixed_point_.solve(load_, image_, same, acceptable, further, evaluate)) break;
            int other = -1;
            for (int k = 0; k < P.frictions && other < 0; ++k)
                if (slip[k] && goes_with_size(k) && sense_[k] * kkt.multiplier[P.friction[k].joint][0] < -round_off(P.friction[k].joint)) other = k;
            if (other < 0) return true;
            sense_[other] = -sense_[other];
        }
        sense_ = assumed;  // of the last place that had an answer, from which a shorter step starts
        return false;
    }

    // What friction and teeth would be with the multipliers at hand, in newtons: friction of the sliding joints, then tooth forces.
    void read_load(bool teeth, bool sense_assumed = true) {
        image_.clear();
        for (int k = 0; k < P.frictions; ++k) {
            if (!slip[k]) continue;
            double limit = impulsive_ ? 0.0 : own_limit(k, slip[k], rests[k]);
            if (!goes_with_size(k) || sense_[k] == 0 || !sense_assumed)
                limit += pressed_friction(k, slip[k]);
            else if (P.friction[k].geared)
                limit += geared_friction(k, slip[k], sense_[k]);
            else
                limit += numbers_of(P, P.friction[k]).coefficient * sense_[k] * kkt.multiplier[P.friction[k].joint][0];
            image_.push_back(-slip[k] * limit * ratio_of(k, rests[k]) * in_newtons(P.friction[k].row));
        }
        for (int k = 0; k < P.meshes && teeth; ++k) image_.push_back(kkt.multiplier[P.mesh[k]][0] * in_newtons(P.mesh[k]));
    }

    // `force` = base_force with friction of the sliding joints and the separating forces of the teeth, given in `load`.
    void add_load_dependent(const double* load, bool teeth) {
        forces.total = base_force;
        for (int k = 0; k < P.frictions; ++k) {
            if (!slip[k]) continue;
            const double now = friction_force[k] = *load++ / in_newtons(P.friction[k].row);
            for (const auto& [body, G] : constraints.sides(P.friction[k].row))
                if (body >= 0)
                    for (int j = 0; j < V; ++j) forces.total[V * body + j] += now * G[j][0];
        }
        for (int k = 0; k < P.meshes && teeth; ++k) {
            tooth_force_[k] = load[k] / in_newtons(P.mesh[k]);
            const Constraints::Sides wheels = constraints.sides(P.mesh[k]);
            double wrench[2 * V];
            separating_wrenches(k, tooth_force_[k], wrench);
            for (int side = 0; side < 2; ++side)
                if (wheels[side].body >= 0)
                    for (int j = 0; j < V; ++j) forces.total[V * wheels[side].body + j] += wrench[V * side + j];
        }
    }

    Kkt& kkt;
    Forces& forces;
    Schur& schur;
    Constraints& constraints;
    Frames& frames;
    const Program& P;
    FixedPoint fixed_point_;
    std::vector<double> load_, image_, tooth_force_;  // the first two in newtons
    std::vector<Pack> newtons_;  // of each constraint: what a unit of its multipliers is in newtons
    double arm_ = 0.0;           // 0: not looked for yet
    std::vector<int> sense_;   // of each friction of a mesh: 1 or -1, of the tooth force; 0: not known yet
    bool afresh_ = true;       // whether the next evaluation starts from no friction
    bool impulsive_ = false;   // whether multipliers are impulses: constant friction has none
    bool complete_ = true;  // whether the multipliers know of the separating forces of the teeth
};

}  // namespace ww
