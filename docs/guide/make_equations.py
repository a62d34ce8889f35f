"""Put Wheelwork's own output into `equations.md`: `python docs/guide/make_equations.py`.

The page holds what the commands in it print, between the lines that open and close each block. A test runs the same
functions and compares.
"""

from __future__ import annotations

import re
from pathlib import Path

import wheelwork as ww
from wheelwork import examples

PAGE = Path(__file__).with_name("equations.md")


def blocks() -> list[str]:
    """What the page's blocks hold, in their order: texts and, after the first, a typeset one."""
    m = ww.load(examples.path("planar-slider-crank"))
    whole, short = m.equations(), m.equations(numbers=True, short=True)
    text = whole.text(78, element="crank-pin")
    typeset = whole.markdown(element="crank-pin").split("\n", 1)[1].strip()
    motion = re.search(r"   rod\n\n(.*?)\n\n", whole.text(78), re.DOTALL)
    assert motion is not None
    wrist = ww.load(examples.path("bevel-wrist")).equations().text(78, element="link7-link3")
    return [
        text.rstrip(),
        typeset,
        short.text(78, element="crank-pin").rstrip(),
        motion.group(1),
        wrist.rstrip(),
    ]


def renewed(page: str) -> str:
    text, typeset, short, motion, wrist = blocks()
    commands = (
        ("--element crank-pin\n", text),
        ("--numbers --short\n", short),
        ("--element link7-link3\n", wrist),
    )
    for command, new in commands:
        page = re.sub(
            rf"({re.escape(command)}```\n\n```text\n).*?(\n```\n)",
            lambda found, new=new: found[1] + new + found[2],
            page,
            count=1,
            flags=re.DOTALL,
        )
    page = re.sub(
        r"(those of the rod:\n\n```text\n).*?(\n```\n)",
        lambda found: found[1] + motion + found[2],
        page,
        flags=re.DOTALL,
    )
    return re.sub(
        r"(\[\"crank-pin\"\]`:\n\n).*?(\n\nA body has the coordinates)",
        lambda found: found[1] + typeset + found[2],
        page,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
