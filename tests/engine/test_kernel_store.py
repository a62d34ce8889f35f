"""Kernels are derived once in a process, whatever the mechanisms they are met in."""

import pytest

import wheelwork as ww
from wheelwork.description import flatten
from wheelwork.examples import path as example
from wheelwork.system.build import build
from wheelwork.system.kernels import KernelStore


def test_the_same_types_give_the_same_kernels():
    first, second = (build(flatten(ww.load(example("four-bar")))) for _ in range(2))
    assert [use.kernel for use in first.constraints] == [use.kernel for use in second.constraints]
    assert first.constraints[0].kernel.full is second.constraints[0].kernel.full


def test_plane_and_space_have_their_own():
    plane, space = (build(flatten(ww.load(example(name)))) for name in ("planar-four-bar", "four-bar"))
    kernels = [{use.kernel for use in program.constraints} for program in (plane, space)]
    assert not kernels[0] & kernels[1]


def test_other_options_are_another_kernel():
    """Two springs with laws that differ in more than numbers, in two mechanisms one after the other."""

    def pull(law: str) -> float:
        m = ww.loads(
            f"""
            kind: planar
            gravity: [0, 0]
            bodies: {{block: {{mass: 1, inertia: 1, position: [2, 0]}}}}
            forces: {{push: {{type: force, body: block, value: ["{law}", 0]}}}}
            """
        )
        return float(m.run(end=1e-3, output=1)["block.acceleration"][0, 0])

    assert [pull("3*block.position.x"), pull("block.position.x^2 + 5")] == pytest.approx([6.0, 9.0])


def test_only_so_many_are_kept():
    store = KernelStore(most=2)
    made = []
    for key in ("a", "b", "a", "c", "a", "b"):
        store.get(key, lambda key=key: made.append(key) or key)
    assert (made, len(store)) == (["a", "b", "c", "b"], 2)
