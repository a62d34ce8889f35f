"""Open CASCADE in a process of its own, which may crash without taking the user's with it; run by :mod:`.step`.

    python step_worker.py read  FILE.step OUT.npz
    python step_worker.py write WHEELS.json OUT_FOLDER

It imports nothing of Wheelwork. What goes wrong is one line on the error stream, `wheelwork: ...`, and exit status 3.
"""

import json
import math
import sys
from itertools import pairwise

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakeSolid,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_Sewing,
)
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism
from OCP.collections import Array2_gp_Pnt, HArray1_gp_Pnt
from OCP.GC import GC_MakeArcOfCircle
from OCP.GeomAPI import GeomAPI_Interpolate, GeomAPI_PointsToBSplineSurface
from OCP.gp import gp_Ax2, gp_Circ, gp_Dir, gp_Pln, gp_Pnt, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.IFSelect import IFSelect_RetDone
from OCP.Interface import Interface_Static
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Reader, STEPControl_Writer
from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS

TURN_A_LEVEL = 0.06
"""rad that a helical wheel turns from one row of points of its surfaces to the next."""
MOST_EXACT = 3000
"""Faces of a solid that is integrated by the better of two ways."""
SEWN = 1e-3
"""mm within which edges are one."""


class Refused(Exception):
    pass


def inside(shape, kind):
    found = TopExp_Explorer(shape, kind)
    while found.More():
        yield found.Current()
        found.Next()


def properties(shape):
    """Volume, centre and inertia: Gauss-Kronrod, where there are not too many faces to wait for it.

    Plain Gauss integration is off by up to 1e-3 on plane faces with hundreds of edges.
    """
    found = GProp_GProps()
    if sum(1 for _ in inside(shape, TopAbs_FACE)) <= MOST_EXACT:
        BRepGProp.VolumePropertiesGK_s(shape, found, 1e-4, False, True, True, True, False)
    else:
        BRepGProp.VolumeProperties_s(shape, found)
    return found


# -- reading


def read(path, out):
    reader = STEPControl_Reader()
    if reader.ReadFile(path) != IFSelect_RetDone:
        raise Refused("is not a STEP file that can be read")
    reader.TransferRoots()
    if not reader.NbShapes():
        raise Refused("holds no shapes")
    shape = reader.OneShape()
    solids = list(inside(shape, TopAbs_SOLID))
    wrong = [k + 1 for k, solid in enumerate(solids) if not BRepCheck_Analyzer(solid).IsValid()]
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for solid in solids:
        found = properties(solid)
        V, c, J = found.Mass(), found.CentreOfMass(), found.MatrixOfInertia()
        center = np.array([c.X(), c.Y(), c.Z()])
        J = np.array([[J.Value(i, k) for k in (1, 2, 3)] for i in (1, 2, 3)])
        volume, first = volume + V, first + V * center
        second += np.trace(J) / 2 * np.eye(3) - J + V * np.outer(center, center)
    points, triangles = tessellated(shape)
    np.savez(
        out,
        points=points,
        triangles=triangles,
        solids=len(solids),
        wrong=np.array(wrong, int),
        shells=len(list(inside(shape, TopAbs_SHELL))),
        volume=volume,
        first=first,
        second=second,
    )


def tessellated(shape):
    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box)
    if box.IsVoid():
        raise Refused("holds no surfaces")
    low, high = box.CornerMin(), box.CornerMax()
    size = low.Distance(high)
    BRepMesh_IncrementalMesh(shape, 5e-4 * size, False, 0.2, False)
    points, triangles, count = [np.zeros((0, 3))], [np.zeros((0, 3), int)], 0
    for face in inside(shape, TopAbs_FACE):
        place = TopLoc_Location()
        mesh = BRep_Tool.Triangulation_s(TopoDS.Face(face), place)
        if mesh is None:
            continue
        move = place.Transformation()
        own = [mesh.Node(k + 1).Transformed(move) for k in range(mesh.NbNodes())]
        corners = np.array([mesh.Triangle(k + 1).Get() for k in range(mesh.NbTriangles())], int).reshape(
            -1, 3
        )
        if face.Orientation() == TopAbs_REVERSED:
            corners = corners[:, ::-1]
        points.append(np.array([[p.X(), p.Y(), p.Z()] for p in own]))
        triangles.append(corners - 1 + count)
        count += len(own)
    return np.concatenate(points), np.concatenate(triangles)


# -- writing: lengths in mm


def point(x, y, z=0.0):
    return gp_Pnt(float(x), float(y), float(z))


def turned(points, angle):
    c, s = math.cos(angle), math.sin(angle)
    return points @ np.array([[c, s], [-s, c]])


def line_through(points, arc=False):
    """A spline through points of space, or an arc; a straight line between two."""
    if len(points) == 2:
        return BRepBuilderAPI_MakeEdge(point(*points[0]), point(*points[1])).Edge()
    if arc:
        first, middle, last = (point(*points[k]) for k in (0, len(points) // 2, -1))
        return BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(first, middle, last).Value()).Edge()
    array = HArray1_gp_Pnt(1, len(points))
    for k, p in enumerate(points):
        array.SetValue(k + 1, point(*p))
    made = GeomAPI_Interpolate(array, False, 1e-9)
    made.Perform()
    return BRepBuilderAPI_MakeEdge(made.Curve()).Edge()


def surface_through(grid):
    """A face through points (n, m, 3)."""
    array = Array2_gp_Pnt(1, grid.shape[0], 1, grid.shape[1])
    for i, row in enumerate(grid):
        for k, p in enumerate(row):
            array.SetValue(i + 1, k + 1, point(*p))
    made = GeomAPI_PointsToBSplineSurface()
    made.Interpolate(array)
    return BRepBuilderAPI_MakeFace(made.Surface(), 1e-6).Face()


def joined(lines, closed=False):
    """Lines that follow each other get the same point where they meet, to the last digit."""
    for a, b in pairwise(lines):
        b[0] = a[-1]
    if closed:
        lines[0][0] = lines[-1][-1]


def raised(points, z):
    return np.column_stack([points, np.full(len(points), z)])


def wire(edges):
    made = BRepBuilderAPI_MakeWire()
    for edge in edges:
        made.Add(edge)
        if not made.IsDone():
            raise Refused("the outline of a wheel does not close")
    return made.Wire()


def circle(radius, z):
    axes = gp_Ax2(point(0, 0, z), gp_Dir(0, 0, 1))
    return wire([BRepBuilderAPI_MakeEdge(gp_Circ(axes, radius)).Edge()])


def plane_face(outer, inner, z):
    made = BRepBuilderAPI_MakeFace(gp_Pln(point(0, 0, z), gp_Dir(0, 0, 1)), outer)
    if inner is not None:
        made.Add(TopoDS.Wire(inner.Reversed()))
    return made.Face()


def wheel(about):
    """A wheel about z; `pieces` of one tooth in the plane go from the middle of a gap to that of the next."""
    pieces = [np.array(piece["points"], float) for piece in about["pieces"]]
    arcs = [piece["arc"] for piece in about["pieces"]]
    teeth, width, slope, back = about["teeth"], about["width"], about["slope"], about["back"]
    steps = 2 * math.pi / teeth

    def outline(angle, z):
        every = [raised(turned(p, angle + k * steps), z) for k in range(teeth) for p in pieces]
        joined(every, closed=True)
        # a helical wheel's surfaces are splines: so are the lines in which they end
        return wire([line_through(p, arc and not slope) for p, arc in zip(every, teeth * arcs, strict=True)])

    def ends(angle, z):
        own, round_one = outline(angle, z), circle(back, z) if back > 0 else None
        return plane_face(round_one, own, z) if about["internal"] else plane_face(own, round_one, z)

    low = -width / 2
    if not slope:
        return BRepPrimAPI_MakePrism(ends(0.0, low), gp_Vec(0, 0, width)).Shape()
    levels = max(3, 1 + math.ceil(abs(slope) * width / TURN_A_LEVEL))
    heights = np.linspace(low, -low, levels)
    sewing = BRepBuilderAPI_Sewing(SEWN)
    for z in (low, -low):
        sewing.Add(ends(slope * z, z))
    for piece in pieces:
        if len(piece) == 2:  # a surface needs more points than a line
            piece = np.linspace(piece[0], piece[1], 4)
        for k in range(teeth):
            rows = [raised(turned(piece, k * steps + slope * z), z) for z in heights]
            sewing.Add(surface_through(np.stack(rows)))
    if back > 0:
        rim = BRepBuilderAPI_MakeEdge(gp_Circ(gp_Ax2(point(0, 0, low), gp_Dir(0, 0, 1)), back)).Edge()
        sewing.Add(BRepPrimAPI_MakePrism(rim, gp_Vec(0, 0, width)).Shape())
    sewing.Perform()
    shells = list(inside(sewing.SewedShape(), TopAbs_SHELL))
    if len(shells) != 1 or sewing.NbFreeEdges():
        raise Refused(f"its surfaces do not close: {len(shells)} shells, {sewing.NbFreeEdges()} free edges")
    return BRepBuilderAPI_MakeSolid(TopoDS.Shell(shells[0])).Solid()


def rack(about):
    """A rack along x, teeth towards y: its section pushed along z, aside by `slope`."""
    pieces = [np.array(piece["points"], float) for piece in about["pieces"]]
    teeth, width, slope = about["teeth"], about["width"], about["slope"]
    low = -width / 2
    every = [
        raised(piece + np.array([about["first"] + k * about["pitch"] + slope * low, 0.0]), low)
        for k in range(teeth)
        for piece in pieces
    ]
    joined(every)
    first, last, back = every[0][0], every[-1][-1], -about["depth"]
    corners = [last, np.array([last[0], back, low]), np.array([first[0], back, low]), first]
    every += [np.stack(pair) for pair in pairwise(corners)]
    face = plane_face(wire([line_through(points) for points in every]), None, low)
    return BRepPrimAPI_MakePrism(face, gp_Vec(slope * width, 0, width)).Shape()


def write(plan, out):
    """Wheels to STEP files; what became of each goes to a JSON file."""
    with open(plan, encoding="utf-8") as opened:
        wanted = json.load(opened)
    done = {}
    Interface_Static.SetIVal_s("write.surfacecurve.mode", 0)  # curves in surfaces follow from those in space
    for about in wanted:
        try:
            shape = rack(about) if about["kind"] == "rack" else wheel(about)
            volume = properties(shape).Mass()
            if volume < 0:
                shape, volume = shape.Reversed(), -volume
            if not BRepCheck_Analyzer(shape).IsValid():
                raise Refused("Open CASCADE does not find the solid valid")
            Interface_Static.SetCVal_s("write.step.product.name", about["name"])
            writer = STEPControl_Writer()
            writer.Transfer(shape, STEPControl_AsIs)
            if writer.Write(about["file"]) != IFSelect_RetDone:
                raise Refused("the STEP file could not be written")
            done[about["name"]] = {"volume": volume}
        except Refused as error:
            done[about["name"]] = {"error": str(error)}
        with open(out, "w", encoding="utf-8") as opened:
            json.dump(done, opened)


def main(verb, given, out):
    try:
        read(given, out) if verb == "read" else write(given, out)
    except Refused as error:
        print(f"wheelwork: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
