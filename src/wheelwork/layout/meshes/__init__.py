"""From the description of a mesh to its numbers: axes, centres, pitch radii, teeth, and whether they fit together.

A mesh says what an engineer would: two bodies, teeth or radii or a ratio, a module, some angles. Here that becomes a
:class:`MeshGeometry`: marker records of both wheels and the numbers that the equations of the mesh take, as expressions
in the model's parameters. What cannot be is a problem of the mesh, with the numbers that contradict each other and what
to change.

Checked at the given position, with the values that the parameters have:

- axes are parallel, meet or cross at the angle that the type needs, to within 1e-6 rad;
- distances fit the pitch radii to within 1e-6 of the distance;
- numbers given twice (teeth and ratio, radii and module) agree to within 1e-6 of their value.

Within these limits teeth win: pitch radii are made to have exactly the ratio of the teeth, so that the phase of a mesh
does not drift over any number of turns.

Source: D. Vlasenko, R. Kasper, Spatial kinematics of gears in absolute coordinates: radii from ratio and distance,
their eq. 12-14 (external), 31 (bevel) and 35 (internal); cone angles of bevel wheels, lead angles and crossed helical
wheels from the usual text-book relations.
"""

# ruff: noqa: F401
from __future__ import annotations

from .mesh_geometry import MeshGeometry
from .place import MeshPlace, resolve_meshes
from .whole_numbers import simplest_ratio
