"""Files of CAD programs: surfaces and solids in STL, OBJ, GLB, DAE and STEP, without any mechanism."""

from wheelwork.lazy import names_of

__getattr__ = names_of(
    "wheelwork.cad",
    {
        "mesh": ["Moments", "TriangleMesh"],
        "read": ["SolidFile", "read_solid"],
        "stl": ["write_stl"],
        "step": ["write_step"],
    },
)
