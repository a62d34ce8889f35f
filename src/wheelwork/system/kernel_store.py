"""Kernels that have been made in this process, so that the next mechanism with the same types of elements finds them.

A kernel depends on nothing but its key (:mod:`.kernels`): deriving it again for every run of a study would take longer
than many a run. The oldest go when there are many.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

MOST = 1000


class KernelStore:
    """Kernels by key; those asked for last are kept longest."""

    def __init__(self, most: int = MOST) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._most = most

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        kernel = make()
        with self._lock:
            kernel = self._kept.setdefault(key, kernel)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return kernel

    def __len__(self) -> int:
        return len(self._kept)


KERNELS = KernelStore()
