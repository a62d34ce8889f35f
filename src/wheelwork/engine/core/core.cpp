// The C interface that wheelwork.engine.native_system calls through ctypes (a negative number: it failed, see guarded.hpp); integration methods have libraries of their own, so that
// each is compiled when first used, side by side.
#include "block_ldl.hpp"
#include "fmu.hpp"
#include "integrators.hpp"
#include "sdirk4.hpp"
#include "tree.hpp"

using namespace ww;

std::unique_ptr<System> ww::make_system(const Program& program) {
    return std::make_unique<System>(program, [](const Constraints& constraints) -> std::unique_ptr<Factor> {
        return std::make_unique<BlockLdl>(constraints);
    });
}

extern "C" {

// Sizes of what Python hands over, by name: it compares them with its own when it loads the core (-1: there is no such thing).
int ww_size(const char* name) {
#define OF(type) {#type, int(sizeof(type))}
    static const std::pair<const char*, int> sizes[] = {
        OF(ConstraintRow), OF(ForceRow), OF(TurnRow), OF(FollowRow), OF(CurveRow), OF(TableRow), OF(FrictionRow), OF(ContactRow),
        OF(EventRow), OF(CouplingRow), OF(HubTieRow), OF(UpdateRow), OF(EliminationPlan), OF(NodeRow), OF(GeometryRow), OF(InertiaRow), OF(SpinRow), OF(BodyRow), OF(PoseRow), OF(Program), OF(CubicPiece), OF(CurvePiece), OF(FrictionNumbers), OF(DogNumbers), OF(ContactNumbers), OF(SampleNumbers), OF(StabilisationNumbers), OF(ImplicitTables), OF(TreeTables), OF(Options), OF(Report), OF(EventRecord),
        OF(VariableRow), OF(PrescribedRow), OF(FmuModel),
        {"Q", Q}, {"V", V}, {"LANES", LANES}, {"INERTIA", INERTIA}, {"BODY_RECORD", BODY_RECORD},
    };
#undef OF
    for (const auto& [known, size] : sizes)
        if (!std::strcmp(known, name)) return size;
    return -1;
}

System* ww_create(const Program* program) {
    return made([&] { return make_system(*program).release(); });
}
void ww_destroy(System* system) { delete system; }

int ww_state_size(const System* system) { return system->n; }
long long ww_record_size(const System* system) { return (long long)record_size(*system); }

void ww_stabilise(System* system, int method, const StabilisationNumbers* numbers, int iterations) {
    system->kkt.stabilisation = {*numbers, method, iterations};
}

// Units of other programs, called from now on; with none, the outputs that states hold stay as they are.
int ww_set_units(System* system, const Unit* units, int count, UnitCall call) {
    return guarded([&] { system->forces.set_units(units, count, call); });
}

// Times given from now on are counted from this moment.
void ww_set_origin(EquationsOfMotion* equations, double origin) { equations->absolute.frames.origin = origin; }

// Derivative of the state; also accelerations and multipliers (packed by rows).
int ww_derivative(System* system, double t, const double* y, double* dy, double* acceleration, double* multipliers) {
    return guarded([&] {
        system->derivative(t, y, dy);
        system->loads.complete_reactions();
        std::memcpy(dy + system->frames.nq, system->kkt.acceleration.data(), system->frames.nv * sizeof(double));
        std::memcpy(acceleration, system->kkt.acceleration.data(), system->frames.nv * sizeof(double));
        for (int c = 0, k = 0; c < system->P.constraints; ++c)
            for (int p = 0; p < system->constraints.rows[c]; ++p) multipliers[k++] = system->kkt.multiplier[c][p];
    });
}

// What the equations of a whole motion depend on besides the state at hand: whether what pushes teeth apart moves anything, and how
// many rows depend on each other where the fewest do. Judged at some of its states, the first of which is its start.
int ww_survey(System* system, int count, const double* t, const double* y) {
    return guarded([&] {
        std::vector<double> dy(system->n);
        system->reset();
        for (int k = 0; k < count; ++k) {
            const double* state = y + size_t(k) * system->n;
            system->derivative(t[k], state, dy.data());
            if (k == 0 && system->P.meshes) system->examine_meshes(t[k], state);
        }
    });
}

// Accelerations and multipliers (packed by rows) at many states of a motion in which nothing switches, on a system of its own, each
// as if it were the only one: how they are shared out among threads leaves no trace. `like` was given a survey of the motion.
int ww_reactions(const System* like, int count, const double* t, const double* y, double* acceleration, double* multipliers) {
    return guarded([&] {
        System system(like->P, like->schur.factor_maker);
        std::vector<double> dy(system.n);
        for (int k = 0; k < count; ++k) {
            system.reset();
            system.expect(*like);
            system.derivative(t[k], y + size_t(k) * system.n, dy.data());
            system.loads.complete_reactions();
            acceleration = std::copy(system.kkt.acceleration.begin(), system.kkt.acceleration.begin() + system.frames.nv, acceleration);
            for (int c = 0; c < system.P.constraints; ++c)
                for (int p = 0; p < system.constraints.rows[c]; ++p) *multipliers++ = system.constraints.active[c] ? system.kkt.multiplier[c][p] : 0.0;
        }
    });
}

// A function at many points. `in` and `out` are where the arguments and results of the first are, the steps from each point to the
// next (0: the same for all).
int ww_evaluate(Kernel function, int count, int inputs, const double* const* in, const long long* in_step, int outputs, double* const* out,
                const long long* out_step) {
    return guarded([&] {
        std::vector<const double*> arguments(in, in + inputs);
        std::vector<double*> results(out, out + outputs);
        for (int k = 0; k < count; ++k) {
            function(arguments.data(), results.data());
            for (int i = 0; i < inputs; ++i) arguments[i] += in_step[i];
            for (int i = 0; i < outputs; ++i) results[i] += out_step[i];
        }
    });
}

// The derivative many times over, for measuring.
int ww_repeat_derivative(System* system, double t, const double* y, double* dy, int times) {
    return guarded([&] {
        for (int k = 0; k < times; ++k) system->derivative(t, y, dy);
    });
}

// Residuals, Jacobian rows (rows x V columns for as many bodies as any constraint has), gamma, nu of every constraint.
int ww_constraints(System* system, double t, const double* y, double* g, double* G, double* gamma, double* nu) {
    return guarded([&] {
        system->prepare(t, y);
        const int width = V * system->constraints.most_sides;
        for (int c = 0, k = 0; c < system->P.constraints; ++c) {
            const ConstraintState& S = system->constraints[c];
            const Constraints::Sides sides = system->constraints.sides(c);
            for (int p = 0; p < system->constraints.rows[c]; ++p, ++k) {
                g[k] = S.g[p], gamma[k] = S.gamma[p], nu[k] = S.nu[p];
                for (int i = 0; i < sides.count(); ++i)
                    for (int j = 0; j < V; ++j) G[width * k + V * i + j] = sides[i].G[j][p];
            }
        }
    });
}

// Position onto the constraints, with a new factor in every round; then velocity. 1: done, 0: not within tolerance.
int ww_project(System* system, double t, double* y, double tolerance, int iterations) {
    return guarded([&] {
        system->normalise(y);
        if (!system->project_position(t, y, tolerance, iterations)) return 0;
        system->prepare(t, y);
        system->settle(y);
        system->project_velocity(y);
        system->project_velocity(y);
        return 1;
    });
}

// Constraints that need the mass of a hub that is eliminated after them, one flag each; their number. At the state of the last
// projection, with all of those that hold at times only: where fewer hold, pivots are larger.
int ww_waiting(System* system, char* waits) {
    return guarded([&] {
        system->factorise_with_all();
        const std::vector<char>& found = system->schur.factor->waits;
        std::copy(found.begin(), found.end(), waits);
        return int(std::count(found.begin(), found.end(), 1));
    });
}

long long ww_finished_size(const Finished* finished) { return (long long)finished->records.size(); }
long long ww_finished_sides(const Finished* finished) { return (long long)finished->sides.size(); }
long long ww_finished_events(const Finished* finished) { return (long long)finished->events.size(); }
long long ww_finished_carried(const Finished* finished) { return (long long)finished->carried.size(); }
void ww_finished_copy(const Finished* finished, double* records, double* sides, double* events, char* carried) {
    std::copy(finished->sides.begin(), finished->sides.end(), sides);
    std::copy(finished->carried.begin(), finished->carried.end(), carried);
    if (!finished->records.empty())
        std::memcpy(records, finished->records.data(), finished->records.size() * sizeof(double));
    if (!finished->events.empty())
        std::memcpy(events, finished->events.data(), finished->events.size() * sizeof(EventRecord));
}
void ww_finished_free(Finished* finished) { delete finished; }
}
