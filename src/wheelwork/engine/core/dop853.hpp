// Dormand and Prince 8(5,3): twelve stages of order 8, a step's error from embedded methods of orders 5 and 3, an interpolation of
// order 7 that takes three evaluations more where something inside a step is asked for (Hairer, Norsett, Wanner, Solving Ordinary
// Differential Equations I, sec. II.5, II.6 and II.10, whose coefficients these are). Fewer evaluations than `Dopri5`
// takes where motion between events is smooth and tolerances are tight.
#pragma once

#include "methods.hpp"

namespace ww {

class Dop853 {
  public:
    static constexpr bool adaptive = true;
    static constexpr int order = 8;
    static constexpr bool dense_evaluates = true;

    template <class Rhs>
    bool stages(Rhs&& rhs, Step& s) {
        k_.begin(s, 16);
        prepared_ = false;
        for (int i = 1; i < 12; ++i) rhs(s.t + place_[i - 1] * s.h, k_.to(stage_[i - 1]), k_[i]);
        k_.to(stage_[11], s.y1.data());
        return true;
    }

    bool failed() const { return false; }

    // The estimate of order 5, corrected by that of order 3 (eq. II.10.17); root mean square over its tolerance.
    double error(const Step& s, double rtol, double atol) {
        const size_t n = s.n, wide = s.y0.size();
        k_.set(12, s.last);
        inner_.resize(4 * wide);
        k_.sum(fifth_, &inner_[0]);
        k_.sum(third_, &inner_[wide]);
        double fifth = 0, third = 0;
        for (size_t j = 0; j < n; ++j) {
            const double scale = s.scale(j, rtol, atol), a = inner_[j] / scale, b = inner_[wide + j] / scale;
            fifth += a * a, third += b * b;
        }
        const double below = fifth + 0.01 * third;
        return below > 0 ? fifth / std::sqrt(below * n) : below;  // what is no number stays so
    }

    // What `dense` needs beyond a step; `last` belongs to the state that the step ends at.
    template <class Rhs>
    void prepare_dense(Rhs&& rhs, const Step& s) {
        if (prepared_) return;
        prepared_ = true;
        k_.set(12, s.last);
        for (int i = 13; i < 16; ++i) rhs(s.t + place_[i - 1] * s.h, k_.to(stage_[i - 1]), k_[i]);
        inner_.resize(4 * s.y0.size());
        for (int m = 0; m < 4; ++m) k_.sum(dense_[m], &inner_[m * s.y0.size()]);
    }

    void dense(const Step& s, double theta, double* out) const {
        const double a = 1 - theta;
        const size_t n = s.y0.size();
        for (size_t j = 0; j < s.n; ++j) {
            const double difference = s.y1[j] - s.y0[j];
            const double bump = s.h * s.first[j] - difference, rest = 2 * difference - s.h * (s.first[j] + s.last[j]);
            const double* c = &inner_[j];
            const double within = c[0] + theta * (c[n] + a * (c[2 * n] + theta * c[3 * n]));
            out[j] = s.y0[j] + theta * (difference + a * (bump + theta * (rest + a * within)));
        }
    }

  private:
    using Row = Stages::Row;

    // Of stages 2 to 12, of the new state, and of the three stages of the interpolation.
    static constexpr double place_[15] = {
        0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726, 0.3333333333333333, 0.25,
        0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1.0, 0.1, 0.2, 0.7777777777777778};
    static constexpr Row stage_[15] = {
        {1, {0}, {0.05260015195876773}},
        {2, {0, 1}, {0.0197250569845379, 0.0591751709536137}},
        {2, {0, 2}, {0.02958758547680685, 0.08876275643042054}},
        {3, {0, 2, 3}, {0.2413651341592667, -0.8845494793282861, 0.924834003261792}},
        {3, {0, 3, 4}, {0.037037037037037035, 0.17082860872947386, 0.12546768756682242}},
        {4, {0, 3, 4, 5}, {0.037109375, 0.17025221101954405, 0.06021653898045596, -0.017578125}},
        {5, {0, 3, 4, 5, 6}, {0.03709200011850479, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
         0.008273789163814023}},
        {6, {0, 3, 4, 5, 6, 7}, {0.6241109587160757, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
         20.154067550477894, -43.48988418106996}},
        {7, {0, 3, 4, 5, 6, 7, 8}, {0.47766253643826434, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
         15.279233632882423, -33.28821096898486, -0.020331201708508627}},
        {8, {0, 3, 4, 5, 6, 7, 8, 9}, {-0.9371424300859873, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
         -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196}},
        {9, {0, 3, 4, 5, 6, 7, 8, 9, 10}, {2.273310147516538, -10.53449546673725, -2.0008720582248625,
         -17.9589318631188, 27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303,
         0.6433927460157636}},
        {8, {0, 5, 6, 7, 8, 9, 10, 11}, {0.054293734116568765, 4.450312892752409, 1.8915178993145003,
         -5.801203960010585, 0.3111643669578199, -0.1521609496625161, 0.20136540080403034, 0.04471061572777259}},
        {8, {0, 6, 7, 8, 9, 10, 11, 12}, {0.056167502283047954, 0.25350021021662483, -0.2462390374708025,
         -0.12419142326381637, 0.15329179827876568, 0.00820105229563469, 0.007567897660545699, -0.008298}},
        {8, {0, 5, 6, 7, 10, 11, 12, 13}, {0.03183464816350214, 0.028300909672366776, 0.053541988307438566,
         -0.05492374857139099, -0.00010834732869724932, 0.0003825710908356584, -0.00034046500868740456,
         0.1413124436746325}},
        {8, {0, 5, 6, 7, 8, 12, 13, 14}, {-0.42889630158379194, -4.697621415361164, 7.683421196062599,
         4.06898981839711, 0.3567271874552811, -0.0013990241651590145, 2.9475147891527724, -9.15095847217987}},
    };
    static constexpr Row fifth_ = {8, {0, 5, 6, 7, 8, 9, 10, 11}, {0.01312004499419488, -1.2251564463762044,
        -0.4957589496572502, 1.6643771824549864, -0.35032884874997366, 0.3341791187130175, 0.08192320648511571,
        -0.022355307863886294}};
    static constexpr Row third_ = {8, {0, 5, 6, 7, 8, 9, 10, 11}, {-0.18980075407240762, 4.450312892752409,
        1.8915178993145003, -5.801203960010585, -0.4226823213237919, -0.1521609496625161, 0.20136540080403034,
        0.02265179219836082}};
    static constexpr Row dense_[4] = {
        {12, {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {-8.428938276109013, 0.5667149535193777, -3.0689499459498917,
         2.38466765651207, 2.117034582445028, -0.871391583777973, 2.2404374302607883, 0.6315787787694688,
         -0.08899033645133331, 18.148505520854727, -9.194632392478356, -4.436036387594894}},
        {12, {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {10.427508642579134, 242.28349177525817, 165.20045171727028,
         -374.5467547226902, -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229,
         15.697238121770845, -31.139403219565178, -9.35292435884448, 35.81684148639408}},
        {12, {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {19.985053242002433, -387.0373087493518, -189.17813819516758,
         527.8081592054236, -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443,
         -2.778205752353508, -60.19669523126412, 84.32040550667716, 11.99229113618279}},
        {12, {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {-25.69393346270375, -154.18974869023643, -231.5293791760455,
         357.6391179106141, 93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605,
         -43.53345659001114, 96.32455395918828, -39.17726167561544, -149.72683625798564}},
    };

    bool prepared_ = false;
    Stages k_;
    std::vector<double> inner_;
};

}  // namespace ww
