"""A force that lives in a user's project: by `register` in a program, or as an entry point of an installed package."""

import json
import os
import re

import numpy as np
import pytest
from processes import python

from wheelwork.description.registry import _families
from wheelwork.elements import family, register

DRAG = '''"""Drag of a body in a fluid: a force c |v| v against its velocity.

F = -c |v| v at the centre of mass, with v the velocity of that point in the world.
"""
from typing import Annotated, Literal

from wheelwork.description.base import Ref, not_negative
from wheelwork.description.values import Number
from wheelwork.elements import register
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import Binding, Effect, SignalExpression, at_marker
from wheelwork.lazy import casadi as ca


@register
class Drag(Load):
    """Drag against the velocity of a body's centre of mass.

    Fields:
        body: name of the body
        coefficient [1]: force in N for each (m/s)^2
        comment: free text
    """

    type: Literal["drag"] = "drag"
    body: Annotated[str, Ref("moving body")]
    coefficient: Number

    def issues(self, value):
        yield from not_negative(self, value, "coefficient")

    def bind(self, context):
        place = context.place
        return Binding([self.body], [place.center_marker(self.body), place.value(self.coefficient)])

    @staticmethod
    def effect(arguments):
        at = arguments.marker(0, 0)
        speed = ca.sqrt(ca.dot(at.velocity, at.velocity) + 1e-24)
        size = SignalExpression(arguments.data[12] * speed**2, "N", "size of the drag")
        return Effect([at_marker(at, -arguments.data[12] * speed * at.velocity)], signals={"size": size})
'''

MODEL = """
bodies: {ball: {mass: m, inertia: [1, 1, 1]}}
parameters: {m: 2, c: 0.4}
forces: {air: {type: drag, body: ball, coefficient: c}}
"""

FALL = """
import json, sys
import wheelwork as ww
if "late" in sys.argv:
    before = ww.Mechanism("made before the force is known")
    try:
        ww.loads(MODEL)
    except ww.ModelError as error:
        print(error, file=sys.stderr)
    import drag
m = ww.loads(MODEL)
assert type(m.forces["air"]).__name__ == "Drag" and ww.Drag is type(m.forces["air"])
assert ww.loads(m.to_yaml()) == m
r = m.simulate(end=1.5, output=30, rtol=1e-9, atol=1e-11)
from wheelwork.description.schema import schema
known = schema()["$defs"]["Drag"]
print(json.dumps({
    "t": r.t.tolist(), "v": r["ball.velocity.z"].to_numpy().tolist(), "size": r["air.size"].to_numpy().tolist(),
    "schema": known["properties"]["coefficient"]["description"], "equations": m.equations().text(),
}))
"""


def run(folder, *arguments):
    script = f"MODEL = {MODEL!r}\n{FALL}"
    paths = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths}
    return python("-c", script, *arguments, env=environment)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["late", "entry point"])
def test_a_force_of_a_users_own_has_the_same_rights(tmp_path, way):
    """It falls as v = v_e tanh(g t/v_e), v_e = sqrt(m g/c); schema, saving and printed equations know it."""
    (tmp_path / "drag.py").write_text(DRAG)
    if way == "entry point":
        about = tmp_path / "drag-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: drag\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[wheelwork.elements]\ndrag = drag\n")
    done = run(tmp_path, *(["late"] if way == "late" else []))
    assert done.returncode == 0, done.stderr
    if way == "late":
        assert "there is no type `drag`" in done.stderr
    found = json.loads(done.stdout)
    g, m, c = 9.80665, 2.0, 0.4
    end = np.sqrt(m * g / c)
    expected = -end * np.tanh(g * np.array(found["t"]) / end)
    np.testing.assert_allclose(found["v"], expected, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(found["size"], c * expected**2, rtol=1e-6, atol=1e-6)
    assert found["schema"] == "[1] force in N for each (m/s)^2"
    assert "air" in found["equations"]
    assert "|v| v" in found["equations"]


def law(base, *methods, field="other"):
    inside = "".join(f"    def {name}(self, *given): ...\n" for name in methods)
    return f"class Other({base}):\n    type: Literal['{field}'] = '{field}'\n{inside}"


WRONG = {
    "a name that is taken": (
        law("Load", "bind", "effect", field="spring"),
        "`spring` of forces is taken by wheelwork.elements.forces.spring.Spring",
    ),
    "no type": ("class Other(Load):\n    pass\n", "needs a base class of a family, such as"),
    "no family": (
        "class Other(Part):\n    type: Literal['o'] = 'o'\n",
        "needs a base class of a family, such as",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_registered_says_why(case):
    body, message = WRONG[case]
    code = (
        "from typing import Literal\nfrom wheelwork.description.base import Part\n"
        "from wheelwork.elements import register\nfrom wheelwork.elements.forces.base import Load\n\n@register\n"
        + body
    )
    done = python("-c", code)
    assert done.returncode != 0
    assert message in done.stderr


INCOMPLETE = {
    "a force without its law": (law("Load", "bind"), "`effect`"),
    "a force without anything": (law("Load"), "`bind`, `effect`"),
    "a driver": (law("Driver"), "`driven`"),
    "a joint without equations": (law("Joint"), "`InSpace`, `InPlane`"),
    "a joint whose equations are empty": (
        law("Joint") + "    kinds = frozenset({'spatial'})\n    class InSpace(JointEquations): ...\n",
        "`InSpace.row_names`, `InSpace.equations`",
    ),
    "a mesh": (law("Mesh", "geometry"), "`tooth_shape`, `Equations`"),
    "a mesh with a path of contact": (
        law("Mesh", "geometry", "tooth_shape")
        + "    has_path = True\n    class Equations(MeshEquations):\n        extras = ()\n"
        + "        def angle_of_a(self): ...\n        def rolling(self): ...\n",
        "`Equations.contact_point`, `Equations.directions`, `Equations.no_slip`, `Equations.printed`, "
        "`Equations.clearance`, `Equations.line_of_action`",
    ),
    "teeth": (
        law("ToothModel") + "    class Equations(MeshForce):\n        def effect(self): ...\n",
        "`Equations.bind_mesh`",
    ),
    "an analysis": (law("Analysis"), "`run`"),
    "a law of balls": (law("BallLaw", "normal_force"), "`stored_energy`"),
    "a law": (law("ElasticLaw", "normal_force"), "`stored_energy`"),
}
BASES = """
from typing import Literal
from wheelwork.description.analysis import Analysis
from wheelwork.elements.drivers.base import Driver
from wheelwork.elements.forces.base import Load
from wheelwork.elements.forces.contact import BallLaw
from wheelwork.elements.joints.base import Joint
from wheelwork.elements.meshes.base import Mesh
from wheelwork.elements.meshes.teeth.base import ToothModel
from wheelwork.elements.meshes.teeth.elastic.base import ElasticLaw
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.mesh_equations import MeshEquations
from wheelwork.elements.meshes.teeth.mesh_force import MeshForce
"""


@pytest.mark.parametrize("case", INCOMPLETE)
def test_a_class_that_lacks_something_is_refused_with_its_names(case):
    code, names = INCOMPLETE[case]
    made: dict = {}
    exec(BASES + code, made)
    with pytest.raises(TypeError, match=re.escape(f": it lacks {names}.")):
        register(made["Other"])


def test_every_element_of_ours_has_what_it_needs():
    every = [cls for name in _families() for cls in family(name).values()]
    assert len(every) > 50
    assert {cls.__name__: found for cls in every if (found := list(cls.lacking()))} == {}
