"""Studies on a Dask cluster: the same results, and real kills of workers, clients and schedulers."""

import os
import signal
import sys

import numpy as np
import pytest
from processes import DEVNULL, started, until

import wheelwork as ww
from wheelwork.lazy import distributed
from wheelwork.studies.cluster import connected
from wheelwork.studies.store import StudyStore

from .test_store import chunk_files, made, study_in, until_some

pytestmark = pytest.mark.slow

CLUSTER = """
import sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    c = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    print(c.scheduler_address, flush=True)
    time.sleep(200)
"""


@pytest.fixture(scope="module")
def cluster():
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as found:
        yield found


def finished(folder, store, before, *more):
    """The same command once more: what was whole is not run again, and everything is there."""
    held = StudyStore(store)
    whole = held.chunks.count - len(held.missing())
    with study_in(folder, *more) as process:
        _, said = process.ended()
    assert process.returncode == 0, said
    after = chunk_files(store)
    assert all(after[name] == written for name, written in before.items()), "a chunk was run twice"
    assert len(after) == held.chunks.count
    found = StudyStore(store).dataset()
    assert np.all(found.outcome == "reached end")
    return whole


def test_a_cluster_gives_the_same_and_outlives_a_worker(cluster, tmp_path):
    """A worker is killed with kill -9 while it has chunks; its nanny starts another, and nothing is missing."""
    study = made(end=60.0, rtol=1e-10)
    alone = study.run()
    with distributed.Client(cluster) as client:
        killed = []
        write = client.submit

        def submit(*arguments, **options):
            if not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                task = write(*arguments, **options)
                os.kill(killed[0], signal.SIGKILL)
                return task
            return write(*arguments, **options)

        client.submit = submit
        found = study.run(client=client, store=tmp_path / "s.zarr")
        client.submit = write
        assert killed[0] not in client.run(os.getpid).values()
        again = study.run(client=client)
    for one in (found, again):
        assert np.array_equal(one.top, alone.top)
        assert one.attrs["engine"] == "lanes"


def test_a_client_that_is_killed_goes_on_with_the_same_command(cluster, tmp_path):
    store, more = tmp_path / "s.zarr", ("--scheduler", cluster.scheduler_address)
    with study_in(tmp_path, *more) as process:
        until_some(process, store)
        process.kill()
    with distributed.Client(cluster) as client:  # what workers had begun they write
        client.run(lambda: None)
        until(lambda: not any(client.processing().values()), "the end of what workers had begun")
    before = chunk_files(store)
    assert 0 < finished(tmp_path, store, before, *more) < StudyStore(store).chunks.count


def test_a_scheduler_that_is_killed_is_said_and_another_goes_on(tmp_path):
    store, script = tmp_path / "s.zarr", tmp_path / "cluster.py"
    script.write_text(CLUSTER)

    with (
        started(sys.executable, script, stderr=DEVNULL) as first,
        study_in(tmp_path, "--scheduler", first.line().strip()) as process,
    ):
        until_some(process, store)
        first.kill()
        _, said = process.ended()
    assert process.returncode == 2, said
    assert "the connection to the Dask scheduler was lost; what is done is in" in " ".join(said.split())
    assert "Traceback" not in said
    before = chunk_files(store)
    with started(sys.executable, script, stderr=DEVNULL) as second:
        whole = finished(tmp_path, store, before, "--scheduler", second.line().strip())
    assert 0 < whole < StudyStore(store).chunks.count


def test_nobody_at_an_address_is_said(monkeypatch):
    monkeypatch.setattr("wheelwork.studies.cluster.ANSWER", 0.5)
    with pytest.raises(ww.ModelError, match=r"there is no Dask scheduler at `tcp://127\.0\.0\.1:1`"):
        connected("tcp://127.0.0.1:1")
    with pytest.raises(ww.ModelError, match="there is no Dask scheduler at `nonsense://x`"):
        connected("nonsense://x")
