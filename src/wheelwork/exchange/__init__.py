"""Files of other programs, both ways: robots in URDF and MJCF, functional mock-up units."""

from wheelwork.lazy import names_of

__getattr__ = names_of(
    "wheelwork.exchange",
    {
        "urdf": ["read_urdf"],
        "mjcf": ["read_mjcf"],
        "urdf_writer": ["write_urdf"],
        "mjcf_writer": ["write_mjcf"],
        "gear_solids": ["write_wheels"],
        "fmu.write": ["write_fmu"],
        "notes": ["ExchangeWarning", "Note"],
    },
)
