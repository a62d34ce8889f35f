"""GLB files: read again by hand from the specification, and by trimesh."""

import io
import json
import struct

import numpy as np
import pytest

from wheelwork.show.player import film, film_before_run
from wheelwork.show.player.glb import KEY_ANGLE, glb
from wheelwork.system.attitude import rotation_matrices

from .models import gear_pair


def parts_of(data: bytes) -> tuple[dict, bytes]:
    magic, version, length = struct.unpack_from("<III", data)
    assert (magic, version, length) == (0x46546C67, 2, len(data))
    size, kind = struct.unpack_from("<II", data, 12)
    assert kind == 0x4E4F534A
    assert size % 4 == 0
    document = json.loads(data[20 : 20 + size])
    rest, kind = struct.unpack_from("<II", data, 20 + size)
    assert kind == 0x004E4942
    assert 28 + size + rest == len(data)
    return document, data[28 + size :]


def values(document: dict, numbers: bytes, index: int) -> np.ndarray:
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    assert view["byteOffset"] % 4 == 0
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
    found = np.frombuffer(numbers, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
    if "min" in accessor:
        np.testing.assert_array_equal(found.min(axis=0), accessor["min"])
        np.testing.assert_array_equal(found.max(axis=0), accessor["max"])
    return found


def tracks(document: dict, numbers: bytes) -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray]]:
    """Times and values by the name of the node and what of it moves."""
    (animation,) = document["animations"]
    out = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        name = document["nodes"][channel["target"]["node"]]["name"]
        both = (values(document, numbers, sampler[key]) for key in ("input", "output"))
        out[name, channel["target"]["path"]] = tuple(both)
    return out


def test_animation_is_the_motion(pair, pair_film):
    document, numbers = parts_of(glb(pair_film, "pair"))
    found = tracks(document, numbers)
    t, q = found["wheel", "rotation"]
    assert t[0, 0] == 0
    assert t[-1, 0] == pytest.approx(0.2)
    there = pair.at(np.clip(t[:, 0].astype(float), 0, 0.2))
    own = rotation_matrices(np.roll(q, 1, axis=1))
    np.testing.assert_allclose(own, rotation_matrices(np.array(there["wheel.orientation"])), atol=1e-5)
    np.testing.assert_allclose(found["wheel", "translation"][1], there["wheel.position"], atol=1e-6)
    steps = 2 * np.arccos(np.clip(np.abs(np.sum(q[1:] * q[:-1], axis=1)), 0, 1))
    assert steps.max() <= KEY_ANGLE * 1.01
    assert np.all(np.sum(q[1:] * q[:-1], axis=1) > 0), "no jumps of sign"


def test_rods_and_springs_reach_from_end_to_end(swinging):
    document, numbers = parts_of(glb(film(swinging)))
    found = tracks(document, numbers)
    t, start = found["rod", "translation"]
    _, q = found["rod", "rotation"]
    _, scale = found["rod", "scale"]
    np.testing.assert_allclose(start, 0, atol=1e-6)
    end = start + scale[:, 2:] * rotation_matrices(np.roll(q, 1, axis=1))[:, :, 2]
    there = swinging.at(np.clip(t[:, 0].astype(float), 0, 1))
    np.testing.assert_allclose(end, there["seat.position"], atol=1e-5)
    assert np.ptp(scale[:, 2]) < 1e-5, "a rod keeps its length"
    assert np.ptp(found["spring", "scale"][1][:, 2]) > 0.05, "a spring does not"


def test_trimesh_reads_solids_where_they_are(pair_film):
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.load_scene(io.BytesIO(glb(pair_film)), file_type="glb")
    whole = scene.to_mesh()
    expected = sum(part.solid.triangles().volume for part in pair_film.scene.parts)
    assert whole.volume == pytest.approx(expected, rel=1e-5)
    # z is up with us, y with glTF: x stays, the face width of 10 mm lies along y
    low, high = scene.bounds
    points = np.concatenate(
        [
            part.solid.corners + pair_film.scene.position[0, part.body]
            for part in pair_film.scene.parts
            if part.body >= 0
        ]
    )
    assert (low[0], high[0]) == pytest.approx((points[:, 0].min(), points[:, 0].max()), abs=2e-4)
    assert high[1] - low[1] == pytest.approx(np.ptp(points[:, 2]), rel=1e-3)


def test_before_a_run_there_is_no_animation():
    document, _ = parts_of(glb(film_before_run(gear_pair())))
    assert "animations" not in document
    assert {node["name"] for node in document["nodes"]} >= {"pinion", "wheel", "ground"}
