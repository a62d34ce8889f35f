// Pinocchio's algorithms on a tree of hinges, many times over.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <Eigen/Cholesky>

#include <string>

using namespace pinocchio;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Geared {
    Model model;
    Data data;
    Matrix ratios;  // of all angles by the independent ones
    Eigen::VectorXd q, v, tau, a;
};

extern "C" {

// Frames of all joints are parallel to the world's at zero angles. place: of each joint in the frame of its parent (3);
// body: mass, centre of mass in the joint's frame (3), inertia about it (9).
void* tree_make(int joints, int coordinates, const int* parent, const double* axis, const double* place, const double* body,
                const double* armature, const double* ratios, const double* gravity) {
    Model m;
    for (int k = 0; k < joints; ++k) {
        const Eigen::Vector3d e(axis + 3 * k);
        const SE3 at(Eigen::Matrix3d::Identity(), Eigen::Vector3d(place + 3 * k));
        const std::string name = std::to_string(k);
        const JointIndex on = parent[k] + 1;
        const JointIndex j = e.x() == 1   ? m.addJoint(on, JointModelRX(), at, name)
                             : e.y() == 1 ? m.addJoint(on, JointModelRY(), at, name)
                             : e.z() == 1 ? m.addJoint(on, JointModelRZ(), at, name)
                                          : m.addJoint(on, JointModelRevoluteUnaligned(e), at, name);
        const double* b = body + 13 * k;
        const Eigen::Matrix3d I = Eigen::Map<const Matrix>(b + 4, 3, 3);
        m.appendBodyToJoint(j, Inertia(b[0], Eigen::Vector3d(b + 1), Symmetric3(I)), SE3::Identity());
        m.armature[k] = armature[k];
    }
    m.gravity.linear() = Eigen::Vector3d(gravity);
    auto* g = new Geared{m, Data(m), Eigen::Map<const Matrix>(ratios, joints, coordinates)};
    g->q = g->v = g->tau = Eigen::VectorXd::Zero(joints);
    g->a = Eigen::VectorXd::Zero(coordinates);
    return g;
}

void tree_free(void* handle) { delete static_cast<Geared*>(handle); }

// Accelerations of all joints, gears ignored, no torques.
void tree_aba(void* handle, const double* q, const double* v, double* a, int world, int times) {
    Geared& g = *static_cast<Geared*>(handle);
    const int n = g.model.nv;
    g.q = Eigen::Map<const Eigen::VectorXd>(q, n), g.v = Eigen::Map<const Eigen::VectorXd>(v, n);
    for (int k = 0; k < times; ++k) aba(g.model, g.data, g.q, g.v, g.tau, world ? Convention::WORLD : Convention::LOCAL);
    Eigen::Map<Eigen::VectorXd>(a, n) = g.data.ddq;
}

// Accelerations of the independent coordinates, from their angles and rates: mass matrix and bias forces of the tree brought onto
// the coordinates by the constant ratios.
void tree_geared(void* handle, const double* q, const double* v, double* a, int world, int times) {
    Geared& g = *static_cast<Geared*>(handle);
    const int n = g.ratios.cols();
    const Eigen::Map<const Eigen::VectorXd> u(q, n), du(v, n);
    const Convention convention = world ? Convention::WORLD : Convention::LOCAL;
    Eigen::MatrixXd MB(g.ratios.rows(), n), M(n, n);
    Eigen::LLT<Eigen::MatrixXd> factor(n);
    for (int k = 0; k < times; ++k) {
        g.q.noalias() = g.ratios * u;
        g.v.noalias() = g.ratios * du;
        crba(g.model, g.data, g.q, convention);
        nonLinearEffects(g.model, g.data, g.q, g.v);
        MB.noalias() = g.data.M.selfadjointView<Eigen::Upper>() * g.ratios;
        M.noalias() = g.ratios.transpose() * MB;
        g.a.noalias() = -(g.ratios.transpose() * g.data.nle);
        factor.compute(M);
        factor.solveInPlace(g.a);
    }
    Eigen::Map<Eigen::VectorXd>(a, n) = g.a;
}
}
