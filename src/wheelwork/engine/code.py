"""The machine code of a model's functions: some at once, better soon after.

Level 0 takes LLVM a tenth of a second for a model and runs at once; level 2, up to twice as fast, is made in a thread
beside the run and put in its place between two calls. Both give the same digits (:mod:`wheelwork.engine.ir`), so
nobody notices but the clock. Both are kept in the cache, one file per model.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import queue
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.engine import machine_code
from wheelwork.engine.machine_code import Code, packed
from wheelwork.lazy import tape

from .cache import digest, store, stored

if TYPE_CHECKING:
    import casadi as ca

    from .tape import Tape

BETTER = 2
"""Level of the code that is made beside the run."""
PAUSE = 0.5
"""Before making better code, s: a process that ends sooner does without."""


class Kernels:
    """Compiled functions. Arrays of addresses that it hands out are kept up to date when better code is there.

    make: finds the functions, when they are first needed; what is in the cache does without
    now: whether there is code at once, also where it has to be made first
    """

    def __init__(
        self, make: Callable[[], Sequence[ca.Function | Tape]], key: Sequence[str], now: bool = True
    ):
        self._make = functools.cache(make)
        self._arrays: list[tuple[weakref.ref[np.ndarray], Sequence[str]]] = []
        self._lock, self._making = threading.Lock(), threading.Lock()
        self.keys = digest(f"level {BETTER}", *key), digest("level 0", *key)
        """In the cache: of the better code and of the other."""
        content = stored(self.keys[0])
        self.level = 0 if content is None else BETTER
        if content is None:
            content = store(self.keys[1], self._make_now) if now else stored(self.keys[1])
        self._code = [] if content is None else [Code(content)]

    def _make_now(self) -> bytes:
        return packed([machine_code.object_code(tape.emit(self._make()), 0)])

    @property
    def ready(self) -> bool:
        """Whether there is any code."""
        return bool(self._code)

    def best(self) -> None:
        """Have the better code, at once and not after all that the thread was asked for before: for measuring."""
        self.improve(threading.Event())

    def address(self, name: str) -> int:
        """Of a function, as it is now."""
        return self._code[-1].address(name)

    def addresses(self, names: Sequence[str]) -> np.ndarray:
        """Addresses of functions (0 for an empty name), now and later: the array changes when better code is there.

        A run reads an address before every call, whole as processors do it, and finds the old code or the new.
        """
        found = np.zeros(len(names), dtype=np.uintp)
        with self._lock:
            if self.level < BETTER:
                self._arrays = [entry for entry in self._arrays if entry[0]() is not None]
                self._arrays.append((weakref.ref(found), names))
            self._fill(found, names)
        return found

    def _fill(self, array: np.ndarray, names: Sequence[str]) -> None:
        if self._code:
            places = {name: self.address(name) for name in set(names) if name}
            array[:] = [places.get(name, 0) for name in names]

    def improve(self, stop: threading.Event) -> None:
        """Make better code and put it in place; one piece at a time: a process that ends waits for one."""
        with self._making:
            if self.level < BETTER:
                self._improve(stop)

    def _improve(self, stop: threading.Event) -> None:
        pieces = []
        for text in tape.emit_apart(self._make()):
            if stop.is_set():
                return
            pieces.append(machine_code.object_code(text, BETTER))
        code = Code(store(self.keys[0], lambda: packed(pieces)))
        with self._lock:
            self._code.append(code)  # the old one stays: a run may be inside it
            self.level = BETTER
            for known, names in self._arrays:
                array = known()
                if array is not None:
                    self._fill(array, names)
            self._arrays = []


_known: weakref.WeakValueDictionary[tuple[str, ...], Kernels] = weakref.WeakValueDictionary()


def kernels(functions: Sequence[ca.Function]) -> Kernels:
    """Code of these functions; the same as long as somebody in this process uses it."""
    different = {function.name(): function for function in functions}
    return kernels_of(tuple(map(serialised, different.values())), lambda: list(different.values()))


def kernels_of(
    key: tuple[str, ...], make: Callable[[], Sequence[ca.Function | Tape]], now: bool = True
) -> Kernels:
    """Code of the functions that `make` makes, which `key` tells from all others."""
    key = (_maker(), *key)
    found = _known.get(key)
    if found is None or (now and not found.ready):
        _known[key] = found = Kernels(make, key, now)
        if found.level < BETTER:
            _workshop().order(found)
    return found


class KeptCode:
    """Code that the cache has, by the keys of some :class:`Kernels`; FileNotFoundError where it has none."""

    def __init__(self, keys: Sequence[str]):
        contents = (stored(key) for key in keys)
        self.level, content = next(
            ((level, content) for level, content in zip((BETTER, 0), contents, strict=True) if content),
            (0, b""),
        )
        if not content:
            raise FileNotFoundError(2, "no such code in the cache", keys[0])
        self._code = Code(content)

    def addresses(self, names: Sequence[str]) -> np.ndarray:
        """Of functions; 0 for an empty name."""
        return np.array([self._code.address(name) if name else 0 for name in names], dtype=np.uintp)


def from_text(text: str, as_written: bool = False) -> Code:
    """Code of a text in LLVM's language, at its best at once; as it is written, or with what LLVM makes of it."""
    key = digest("text as written" if as_written else "text", machine_code.version(), text)
    make = machine_code.written_code if as_written else lambda text: machine_code.object_code(text, BETTER)
    return Code(store(key, lambda: packed([make(text)])))


@functools.lru_cache(maxsize=1024)
def serialised(function: ca.Function) -> str:
    return function.serialize()


@functools.cache
def _maker() -> str:
    """What code depends on besides the functions: the programs that write and translate it."""
    folder = Path(machine_code.__file__).parent
    own = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(folder.glob("*.py"))))
    return f"{own.hexdigest()} {machine_code.version()}"


class _Workshop:
    """The thread in which better code is made."""

    def __init__(self) -> None:
        self._orders: queue.SimpleQueue[weakref.ref[Kernels]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="wheelwork-code", daemon=True)
        self._thread.start()
        atexit.register(self._close)

    def order(self, wanted: Kernels) -> None:
        self._orders.put(weakref.ref(wanted))

    def _work(self) -> None:
        while not self._stop.wait(PAUSE):
            wanted = self._orders.get()()
            if wanted is None or self._stop.is_set():  # nobody uses it any more
                continue
            try:
                wanted.improve(self._stop)
            except Exception as error:  # the code of level 0 does the same
                warnings.warn(f"no faster code could be made: {error}", RuntimeWarning, stacklevel=1)
            del wanted

    def _close(self) -> None:
        """A process must not end while LLVM is at work in it."""
        self._stop.set()
        self._orders.put(lambda: None)  # type: ignore[arg-type]
        self._thread.join()


@functools.cache
def _workshop() -> _Workshop:
    return _Workshop()
