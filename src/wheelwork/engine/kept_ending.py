"""The end of a run as text, for files: what another run needs to go on with its very steps.

What a runtime hands over, only the same one can read; a text of another one is passed over, and the run that goes on
from such a file begins at its last state.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json

import numpy as np

from .engine import Ending
from .records import RUNTIME


def written(ending: Ending) -> str:
    """As one line of JSON."""
    return json.dumps(
        {
            "runtime": runtime_digest(),
            "start": ending.start,
            "method": ending.method,
            "step": ending.step,
            "formulation": ending.formulation,
            "state": _text(np.ascontiguousarray(ending.state, "<f8").tobytes()),
            "carried": _text(ending.carried),
        }
    )


def read(text: str) -> Ending | None:
    """From such a line; None where another runtime has written it."""
    given = json.loads(text)
    if given.pop("runtime") != runtime_digest():
        return None
    state, carried = (base64.b64decode(given.pop(name)) for name in ("state", "carried"))
    return Ending(state=np.frombuffer(state, "<f8").astype(float), carried=carried, **given)


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


@functools.cache
def runtime_digest() -> str:
    """Of the runtime's source."""
    text = b"".join(path.read_bytes() for path in sorted(RUNTIME.glob("*pp")))
    return hashlib.sha256(text).hexdigest()
