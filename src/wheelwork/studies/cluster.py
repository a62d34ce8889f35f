"""Variants on a cluster, with Dask distributed: chunks go to workers, which write them into the store themselves.

The study itself is sent to the workers once. Each derives and compiles for itself, once for each process, and runs one
chunk at a time with as many threads as it was given. A chunk whose worker dies is run again by another; where none
holds the study any more it is sent again. Without a store chunks come back through the scheduler.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wheelwork.description import ModelError
from wheelwork.lazy import asyncio, distributed, futures

from .chunks import VariantResults
from .engines import StudyEngine, chosen
from .store import StudyStore

if TYPE_CHECKING:
    from .study import Study
    from .watch import StudyWatch

LOOK = 0.2
"""How often it is looked whether to stop, s."""
TRIES = 5
"""How often in a row, without any chunk between, the study is sent again to workers that have lost it."""
ANSWER = 15.0
"""How long a scheduler is waited for, s."""


def cancelled() -> tuple[type[BaseException], ...]:
    """As Dask raises it; loaded where it is needed."""
    return asyncio.CancelledError, futures.CancelledError


_lock = threading.Lock()
_engines: dict[tuple[str, str | None], StudyEngine] = {}
"""Of this process, which is a worker: by study and engine."""
_own: dict[str, StudyStore] = {}


def connected(address: str) -> Any:
    """A client of the scheduler at an address, for the command line. Raises ModelError where nobody answers."""
    try:
        distributed.Client  # noqa: B018  # loads it, which sets the levels of what it logs
        for name in ("distributed", "distributed.client", "distributed.core", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(
                logging.CRITICAL
            )  # a scheduler that is lost is reported once, by us
        return distributed.Client(address, timeout=ANSWER)
    except ImportError:
        raise ImportError('a cluster needs Dask distributed: pip install "wheelwork[cluster]"') from None
    except (OSError, ValueError, TypeError) as error:
        text = f"there is no Dask scheduler at `{address}`: {error}"
        hint = "start one with `dask scheduler`, and workers with `dask worker ADDRESS`"
        raise ModelError(text, path="scheduler", hint=hint) from None


def work(
    token: str, study: Study, engine: str | None, first: int, last: int, k: int, store: str | None
) -> tuple[int, int, int, VariantResults | None, str, str, int]:
    """On a worker: one chunk. Gives its number, its variants, how many failed, what was found without a store, how."""
    with _lock:
        used = _engines.get((token, engine))
        if used is None:
            _engines.clear()
            used = _engines[token, engine] = chosen(study, engine)
        before = used.again
        found = used.run(first, last, _threads(), lambda done, failed: False)
        if store is not None:
            if store not in _own:
                _own.clear()
                _own[store] = StudyStore(store)
            _own[store].write(k, found)
    own = None if store is not None else found
    return k, last - first, found.failed, own, used.name, used.why, used.again - before


def _threads() -> int:
    try:
        return int(distributed.get_worker().state.nthreads)
    except ValueError:  # not on a worker
        return 1


class Cluster:
    """A study on the workers of a client.

    client: of `dask.distributed`; store: where workers write chunks, None: they come back
    """

    def __init__(self, study: Study, client: Any, store: StudyStore | None, engine: str | None):
        self.study, self.client, self.engine = study, client, engine
        self.store = None if store is None else str(Path(store.path).resolve())
        self.name, self.why, self.again = "", "", 0

    def run(
        self,
        ranges: dict[int, tuple[int, int]],
        watch: StudyWatch,
        take: Callable[[int, VariantResults], None],
    ) -> None:
        """Chunks by their numbers, each a range of variants; `take` gets what comes back."""
        left, tries = dict(ranges), 0
        while left and not watch.presses:
            before = len(left)
            try:
                self._some(left, watch, take)
            except (OSError, RuntimeError) as error:
                self._lost_scheduler(error)
            tries = 0 if len(left) < before else tries + 1
            if tries >= TRIES:
                text = f"the workers lost the study {TRIES} times, without a chunk between"
                raise ModelError(text, path="client")

    def _some(
        self, left: dict[int, tuple[int, int]], watch: StudyWatch, take: Callable[[int, VariantResults], None]
    ) -> None:
        """Until all are done, the user stops, or the workers have lost the study."""
        client, held = self.client, None
        while held is None:
            try:
                held = client.scatter(self.study, broadcast=True, timeout=ANSWER)
            except TimeoutError:  # no worker yet
                self._check_scheduler()
                if watch.told(0, 0):
                    return
        token = held.key
        tasks = {
            client.submit(work, token, held, self.engine, first, last, k, self.store, pure=False): k
            for k, (first, last) in left.items()
        }
        try:
            waiting = set(tasks)
            while waiting:
                try:
                    some: Any = distributed.wait(waiting, timeout=LOOK, return_when="FIRST_COMPLETED")
                    done = some.done
                except TimeoutError:
                    done = set()
                except cancelled():  # a scheduler that is gone takes all with it
                    self._check_scheduler()
                    return
                for task in done:
                    waiting.discard(task)
                    if task.status in ("cancelled", "lost"):
                        self._check_scheduler()
                        return
                    k, count, failed, found, self.name, self.why, again = self._result(
                        task, left[tasks[task]]
                    )
                    self.again += again
                    if found is not None:
                        take(k, found)
                    left.pop(k)
                    watch.chunk_done(count, failed)
                if watch.told(0, 0):
                    return
                if client.status != "running":
                    self._check_scheduler()
        finally:
            if client.status == "running":
                client.cancel(list(tasks), force=True)

    def _result(self, task: Any, range: tuple[int, int]) -> Any:
        try:
            return task.result()
        except cancelled():
            self._lost_scheduler(None)
        except distributed.KilledWorker as error:
            text = f"workers died again and again with the variants {range[0]} to {range[1] - 1}: {error}"
            hint = "give them more memory, or fewer threads"
            raise ModelError(text, path="client", hint=hint) from None

    def _check_scheduler(self) -> None:
        if self.client.status != "running":
            self._lost_scheduler(None)

    def _lost_scheduler(self, error: Exception | None) -> None:
        # the client learns of a closed connection a moment after who waited for an answer on it
        closed = type(error).__name__ == "CommClosedError"
        if error is not None and not closed and self.client.status == "running":
            raise error
        kept = (
            ""
            if self.store is None
            else f"; what is done is in {self.store}, and the same study goes on from there"
        )
        raise ModelError(f"the connection to the Dask scheduler was lost{kept}", path="client")
