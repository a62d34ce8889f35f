"""Which meshes can have compliant teeth, and what the others say."""

import pytest

import wheelwork as ww

KINDS = {
    "bevel": {"teeth": (20, 30), "module": 3e-3},
    "worm": {"teeth": (1, 40), "module": 2e-3},
    "crossed": {"teeth": (20, 30), "module": 2e-3, "helix_angles": (0.7, 0.7)},
    "belt": {"radii": (0.05, 0.1)},
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_that_have_ideal_teeth_only_say_so(kind):
    """With the element, what was given, and what may be; before anything is computed."""
    sizes = "".join(
        f"    {name}: {list(value) if isinstance(value, tuple) else value}\n"
        for name, value in KINDS[kind].items()
    )
    text = f"""
bodies:
  a: {{type: rotor, inertia: 1e-3}}
  b: {{type: rotor, inertia: 1e-3, position: [0.3, 0, 0]}}
meshes:
  pair:
    type: {kind}
    bodies: [a, b]
{sizes}    model: {{type: compliant, stiffness: 1e8 N/m}}
"""
    with pytest.raises(ww.ModelError) as caught:
        ww.loads(text)
    found = str(caught.value)
    assert "meshes.pair" in found
    assert "rigid" in found
    assert "compliant" in found


@pytest.mark.parametrize("kind", ["external", "internal", "rack"])
def test_kinds_that_can(kind):
    place = {"external": 0.06, "internal": -0.02, "rack": 0.0}[kind]
    m = ww.Mechanism("pair", kind="planar", gravity=(0, 0))
    m.add("a", ww.Rotor(inertia=1e-3))
    model = ww.CompliantTeeth(stiffness="energy", damping_ratio=0.05)
    if kind == "rack":
        m.add("b", ww.Body(mass=1, inertia=0.1, position=(0, -0.02)))
        m.add("guide", ww.Prismatic(bodies=("ground", "b"), point=(0, -0.02), axis=(1, 0)))
        m.add("mesh", ww.RackMesh(bodies=("a", "b"), teeth=20, module=2e-3, face_width=0.02, model=model))
    else:
        m.add("b", ww.Rotor(inertia=1e-3, position=(place, 0)))
        mesh = ww.ExternalMesh if kind == "external" else ww.InternalMesh
        m.add("mesh", mesh(bodies=("a", "b"), teeth=(20, 40), module=2e-3, face_width=0.02, model=model))
    at = m.assemble()
    assert 1e8 < float(at["mesh.stiffness"]) < 1e9
