"""Teeth of other materials than steel, and of two: stiffness, contact and pressure against sums written by hand."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.gears import GearPair
from wheelwork.gears.sheet import sheet
from wheelwork.gears.stiffness import (
    STEEL,
    BeamSlices,
    EnergyMethod,
    Iso6336,
    Material,
    static_transmission_error,
)

MODULE, WIDTH, DEPTH = 2e-3, 20e-3, 5e-6
PLASTIC = Material(3e9, 0.4)
ALMOST_RIGID = 1e18
METHODS = {"energy": EnergyMethod, "beam": BeamSlices, "iso": Iso6336}


def pressed(model, **settings) -> ww.Mechanism:
    """A 20/40 pair whose front flanks are pressed by DEPTH at the start."""
    m = ww.Mechanism("pressed", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=1e-3))
    m.add("b", ww.Rotor(inertia=2e-3, position=(60e-3, 0, 0)))
    m.add(
        "mesh",
        ww.ExternalMesh(
            bodies=("a", "b"), teeth=(20, 40), module=MODULE, face_width=WIDTH, model=model, **settings
        ),
    )
    return m


def at_start(model, *names: str) -> list[float]:
    r = pressed(model).simulate(end=1e-7, output=1)
    return [float(r[name].to_numpy()[0]) for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["energy", "beam"])
def test_contact_of_soft_teeth(method):
    """The force of `teeth` is in proportion to E, and with two materials each wheel yields by its own."""

    def force(E, nu=0.3):
        law = {"type": "teeth", "method": method, "line_load": 1.0}
        model = ww.ContactTeeth(elastic=law, youngs_modulus=E, poisson_ratio=nu, offset=DEPTH, phase=0.8)
        force, pairs = at_start(model, "mesh.force.transverse", "mesh.pairs")
        assert pairs == 1
        return force

    steel = force(206e9)
    if method == "energy":
        assert force(3e9) == pytest.approx(steel * 3 / 206, rel=1e-9)
    else:  # the contact goes with the logarithm of the load, which is the same here for all
        assert 0.5 * steel * 3 / 206 < force(3e9) < 2 * steel * 3 / 206
    both, first, second = force((206e9, 3e9)), force((206e9, ALMOST_RIGID)), force((ALMOST_RIGID, 3e9))
    if method == "energy":
        assert 1 / both == pytest.approx(1 / first + 1 / second, rel=1e-6)
    assert force((3e9, 206e9)) != pytest.approx(both, rel=1e-3)


@pytest.mark.parametrize("method", list(METHODS))
def test_stiffness_of_soft_teeth(method):
    """The stiffness of the mesh is that of `wheelwork.gears` with the same materials, in either spelling."""
    pair = GearPair.of((20, 40), MODULE, face_width=WIDTH, centre_distance=60e-3)
    nu = {} if method == "iso" else {"poisson_ratio": (0.3, 0.4)}
    for given, materials in (((206e9, 3e9), (STEEL, PLASTIC)), ((3e9, 206e9), None)):
        choice = {"type": method, "youngs_modulus": given, **nu}
        if method != "iso":
            choice["harmonics"] = 0
        (found,) = at_start(ww.CompliantTeeth(stiffness=choice, offset=DEPTH), "mesh.stiffness")
        if materials is not None:
            exact = METHODS[method](pair, materials).cycle(512).mean
            assert found == pytest.approx(exact, rel=1e-12)
            assert found < 0.1 * METHODS[method](pair).cycle(8).mean
            first = found
    if method == "iso":  # 2 E_a E_b/(E_a + E_b): which wheel is which does not matter
        assert found == pytest.approx(first, rel=1e-12)
        assert found == pytest.approx(Iso6336(pair).mean * WIDTH * 2 * 206 * 3 / (209 * 206), rel=1e-12)
    else:
        assert abs(found / first - 1) > 1e-3


def test_compliances_add_up():
    """1/k of a pair is the sum over wheels, each with its own material, and of the contact, by Yang and Sun."""
    pair = GearPair.of((20, 40), MODULE, face_width=WIDTH)
    middle = pair.path.pitch_point

    def compliance(a, b):
        return sum(float(part) for part in EnergyMethod(pair, (a, b)).parts(middle).values())

    def contact(a, b):
        return 2 / (np.pi * WIDTH) * sum((1 - m.poisson_ratio**2) / m.youngs_modulus for m in (a, b))

    stiff = Material(ALMOST_RIGID, 0.3)
    own = [
        compliance(STEEL, stiff) - contact(STEEL, stiff),
        compliance(stiff, PLASTIC) - contact(stiff, PLASTIC),
    ]
    assert compliance(STEEL, PLASTIC) == pytest.approx(sum(own) + contact(STEEL, PLASTIC), rel=1e-6)


def test_static_transmission_error_of_soft_teeth():
    """With the material of the method, and so in proportion to 1/E."""
    pair = GearPair.of((20, 40), MODULE, face_width=WIDTH)
    angle = np.linspace(0, 0.3, 7)
    steel, soft = (
        static_transmission_error(EnergyMethod(pair, Material(E)), 100.0, angle).error for E in (206e9, 3e9)
    )
    assert soft == pytest.approx(steel * 206 / 3, rel=1e-9)


def hertz(force: float, radius: float, materials) -> float:
    """p = sqrt(P E*/(pi rho)), P for unit length (Johnson, eq. 4.45)."""
    modulus = 1 / sum((1 - m.poisson_ratio**2) / m.youngs_modulus for m in materials)
    return np.sqrt(force / WIDTH * modulus / (np.pi * radius))


@pytest.mark.slow
@pytest.mark.parametrize("law", ["weber", "johnson"])
def test_pressure_and_approach_of_two_materials(law):
    """Pressure is Hertz's; the approach is what each body yields by itself (Johnson, sec. 5.6; Weber)."""
    materials = STEEL, PLASTIC
    model = ww.ContactTeeth(
        elastic=law, youngs_modulus=(206e9, 3e9), poisson_ratio=(0.3, 0.4), offset=DEPTH, phase=0.7
    )
    names = ("depth", "force.normal", "position", "pressure")
    for slot in (1, 2):
        depth, force, place, pressure = at_start(model, *(f"mesh.front.{slot}.{name}" for name in names))
        if force > 0:
            break
    path = GearPair.of((20, 40), MODULE).path
    rho = [place, path.tangent_length - place]
    reduced = rho[0] * rho[1] / sum(rho)
    assert pressure == pytest.approx(hertz(force, reduced, materials), rel=1e-9)
    line = force / WIDTH
    c = [(1 - m.poisson_ratio**2) / m.youngs_modulus for m in materials]
    half = np.sqrt(4 * line * reduced * sum(c) / np.pi)
    approach = 0.0
    for c_i, rho_i, m in zip(c, rho, materials, strict=True):
        nu = m.poisson_ratio
        if law == "johnson":
            approach += line * c_i / np.pi * (2 * np.log(4 * rho_i / half) - 1)
        else:
            t = path.base_pitch / 4
            approach += 2 * line * c_i / np.pi * (np.log(2 * t / half) - nu / (2 * (1 - nu)))
    assert approach == pytest.approx(depth, rel=1e-8)


def test_files_with_materials(tmp_path):
    """Written and read again, with units; refused where it cannot be."""
    m = pressed(ww.CompliantTeeth(stiffness={"type": "energy", "youngs_modulus": ["206 GPa", "3 GPa"]}))
    again = ww.load(m.save(tmp_path / "m.yaml") or tmp_path / "m.yaml")
    assert again.meshes["mesh"].model.stiffness.youngs_modulus == (206e9, 3e9)
    for wrong, words in (
        ((1e9, 2e9, 3e9), "or two, of wheel a and wheel b, but has 3"),
        ((1e9, -1.0), "youngs_modulus.1"),
    ):
        with pytest.raises(ww.ModelError, match=words):
            pressed(ww.ContactTeeth(youngs_modulus=wrong)).assemble()


@pytest.mark.slow
def test_parameters_change_the_material():
    """A parameter in a modulus: other values give other forces, without a new description."""
    m = pressed(ww.ContactTeeth(youngs_modulus="E", offset=DEPTH))
    m.parameters["E"] = 206e9
    force = [
        float(m.simulate(end=1e-7, output=1, parameters={"E": E})["mesh.force.transverse"].to_numpy()[0])
        for E in (206e9, 3e9)
    ]
    assert force[1] == pytest.approx(force[0] * 3 / 206, rel=1e-9)


def test_data_sheet_of_soft_teeth():
    pair = GearPair.of((20, 40), MODULE, face_width=WIDTH)
    steel, soft = (sheet(pair, materials=m).tables[-1] for m in ((STEEL, STEEL), (STEEL, PLASTIC)))
    assert steel.title == "Stiffness of steel teeth"
    assert soft.title == "Stiffness of teeth with E = 206 and 3 GPa"
    assert soft.entries[0].values[0] == pytest.approx(steel.entries[0].values[0] * 2 * 3 / 209, rel=1e-12)
