// The mechanism of an FMU: its model in memory, the equations of motion in the coordinates in which it was exported, and the numbers of
// its elements, which follow from the parameters.
#pragma once

#include "fmu.hpp"
#include "fmu_image.hpp"
#include "integrators.hpp"
#include "reduced.hpp"

namespace ww {

class FmuMechanism {
  public:
    explicit FmuMechanism(std::unique_ptr<Image> image)
        : image_(std::move(image)), M(*reinterpret_cast<const FmuModel*>(image_->root)), P(*M.program), system_(make_system(P)),
          reduced_(M.tree ? std::make_unique<ReducedSystem>(P, *M.tree, system_->schur.factor_maker) : nullptr),
          E(reduced_ ? static_cast<EquationsOfMotion&>(*reduced_) : *system_), S(E.absolute) {
        S.kkt.stabilisation = {*M.stabilisation_values, M.stabilisation, M.stabilisation_iterations};
        initial_data_.assign(P.data, P.data + M.data_size);
        if (M.renewed) initial_direct_.assign(M.tree->direct_numbers, M.tree->direct_numbers + M.direct_size);
        forget_numbers();
    }

  private:
    std::unique_ptr<Image> image_;

  public:
    const FmuModel& M;
    const Program& P;

  private:
    std::unique_ptr<System> system_;
    std::unique_ptr<ReducedSystem> reduced_;

  public:
    EquationsOfMotion& E;
    System& S;

    // Numbers as they were at the export.
    void reset() {
        std::copy(initial_data_.begin(), initial_data_.end(), const_cast<double*>(P.data));
        if (M.renewed) std::copy(initial_direct_.begin(), initial_direct_.end(), const_cast<double*>(M.tree->direct_numbers));
        forget_numbers();
    }

    // Numbers of all elements from parameters.
    void set_parameters(const std::vector<double>& parameters) {
        if (!M.numbers || parameters == applied_) return;
        double* data = const_cast<double*>(P.data);
        const double* in[1] = {parameters.data()};
        double* out[1] = {data};
        M.numbers[0](in, out);
        applied_ = parameters;
        if (!M.renewed) return;
        renewal_.assign(M.renewal, M.renewal + M.renewal_size);
        std::copy(data, data + M.data_size, renewal_.begin());
        const double* numbers[4] = {nullptr, nullptr, nullptr, renewal_.data()};
        double* direct[1] = {const_cast<double*>(M.tree->direct_numbers)};
        M.renewed[0](numbers, direct);
    }

    // The state at the start, with inputs as they are given: own states of the elements.
    std::vector<double> start_state(const std::vector<double>& inputs) {
        std::vector<double> absolute(M.state, M.state + S.n), y(E.n);
        std::copy(inputs.begin(), inputs.end(), absolute.end() - P.states);
        if (!reduced_) return absolute;
        reduced_->start(absolute.data(), M.rates, y.data());
        return y;
    }

    int integrate(const Options& options, const double* grid, int size, double* y, Report& report, Finished*& finished) {
        return method()(&E, &options, M.implicit, grid, size, y, &report, &finished);
    }

  private:
    void forget_numbers() { applied_.assign(M.parameter, M.parameter + M.parameters); }

    Integrate* method() const {
        switch (M.method) {
            case DOP853: return ww_integrate_dop853;
            case RK4: return ww_integrate_rk4;
            case SDIRK4: return reduced_ ? ww_integrate_reduced_sdirk4 : ww_integrate_sdirk4;
            default: return ww_integrate_dopri5;
        }
    }

    std::vector<double> initial_data_, initial_direct_, applied_, renewal_;  // applied_: parameters of which the numbers are
};

}  // namespace ww
