"""Pairs that several tests use: external, with shift, helical, undercut, internal, on a rack."""

from math import radians

from wheelwork.gears import ISO_53_C, Gear, GearPair, RackPair

M = 2e-3
EXTERNAL = {
    "standard": GearPair.of((25, 40), M, face_width=20e-3),
    "shifted": GearPair.of((17, 31), M, profile_shift=(0.45, 0.2), face_width=20e-3),
    "spread": GearPair.of((22, 47), M, centre_distance=69.6e-3, face_width=20e-3),
    "thinned": GearPair.of((24, 36), M, thickness_allowance=(-60e-6, -90e-6), face_width=20e-3),
    "helical": GearPair.of((21, 43), M, helix_angle=radians(24), profile_shift=(0.3, -0.1), face_width=25e-3),
    "sharp": GearPair.of((30, 30), M, rack=ISO_53_C, face_width=20e-3),
}
INTERNAL = {
    "ring": GearPair.of((27, 81), M, internal=True, tip_alteration=(0.0, -0.25), face_width=20e-3),
    "shifted ring": GearPair.of(
        (24, 66), M, internal=True, profile_shift=(0.3, -0.6), tip_alteration=(0.0, -0.1), face_width=20e-3
    ),
    "helical ring": GearPair.of(
        (30, 90),
        M,
        internal=True,
        helix_angle=radians(15),
        tip_alteration=(0.0, -0.25),
        thickness_allowance=(-40e-6, -50e-6),
        face_width=20e-3,
    ),
}
PAIRS = {**EXTERNAL, **INTERNAL}
RACK = RackPair(Gear(24, M, profile_shift=0.2, face_width=20e-3), rack_face_width=20e-3)
