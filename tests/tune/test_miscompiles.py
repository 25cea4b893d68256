"""A compiler's mistake under some plans is found by the tuner, with a reproducer that fails until it is mended."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support import planted_passes
from support.tuning import Told, given

from irgl.plan import Plan
from irgl.rt.graphs.load import load
from irgl.tune.measure import builds
from irgl.tune.results.store import Store
from irgl.tune.search.space import Space, space_of
from irgl.tune.session import reproduce, session
from irgl.tune.session.session import tune
from irgl.tune.session.shrink import shrunk
from irgl.tune.session.task import Outcome, Task

HITS = """\
graph Graph {
  node long hits = 0;
}

Kernel count_hits(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) {
      e.dst.hits += 1;
    }
  }
}

Program hits(Graph g) verify hit_counts(hits = hits) {
  Invoke count_hits(g);
}
"""
VERIFIER = """\
import numpy as np


def verify(graph, claim, tolerance):
    right = np.bincount(graph.dst, minlength=graph.num_nodes)
    wrong = np.flatnonzero(claim["hits"] != right)
    return f"node {wrong[0]} was hit {right[wrong[0]]} times" if len(wrong) else None
"""
PHASES = """\
graph Graph {
  node long value = 0;
  node long around = 0;
}

Kernel two_phases(Graph g) {
  ForAll (n In g.nodes) {
    n.value = n.id + 1;
  }
  SyncRunningThreads;
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) {
      n.around += e.dst.value;
    }
  }
}

Program phases(Graph g) {
  Invoke two_phases(g);
}
"""


def tuned(folder: Path, mistake: str, text: str, graph: str, target: str, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """Tunes a program over the option whose one value the mistake strikes under."""
    option, value = planted_passes.STRIKES[mistake]
    path = folder / "program.irgl"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(reproduce, "_SECONDS", 3.0)
    monkeypatch.setattr(builds, "emit", planted_passes.wrongly(mistake))

    def few(ready: object, on: str) -> Space:
        (dimension,) = [d for d in space_of(ready, on).dimensions if d.key == option]  # type: ignore[arg-type]
        return Space([replace(dimension, values=(dimension.home, value))], on)

    monkeypatch.setattr(session, "space_of", few)
    asked = Task(str(path), (given(graph),), target, 300.0, strategy="exhaustive", mistakes=folder / "mistakes",
                 threads=2 if target == "cpu" else None)
    with Store(folder / "tune.sqlite") as store:
        return tune(asked, store, Told())


def reproduced(folder: str, compiler: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", str(Path(folder) / "reproduce.sh")], capture_output=True, text=True, check=False,
                          env={**os.environ, "IRGLC": compiler})


def wrong_compiler(mistake: str) -> str:
    return f"{sys.executable} {planted_passes.__file__} {mistake}"


RIGHT_COMPILER = f"{sys.executable} -m irgl"


def test_dropped_atomic_is_found_on_the_cpu_and_reproduced_until_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "verifiers"
    folder.mkdir()
    (folder / "hit_counts.py").write_text(VERIFIER, encoding="utf-8")
    graph = tmp_path / "all-to-one.txt"
    graph.write_text("".join(f"{n} 0\n" for n in range(1, 40001)), encoding="utf-8")
    outcome = tuned(tmp_path, "drop_atomic", HITS, str(graph), "cpu", monkeypatch)
    assert {Plan.parse(m.plan).text_of("prefetch") for m in outcome.mistakes} == {"8"}
    assert Plan.parse(outcome.found[0].plan).text_of("prefetch") == "off"
    assert outcome.mistakes[0].why.startswith("node 0 was hit ")
    reproducer = outcome.mistakes[0].reproducer
    done = reproduced(reproducer, wrong_compiler("drop_atomic"))
    assert (done.returncode, done.stderr[:28]) == (1, "wrong answer: node 0 was hit")
    mended = reproduced(reproducer, RIGHT_COMPILER)
    assert (mended.returncode, mended.stdout) == (0, "the answer is right\n")


def test_dropped_barrier_is_found_in_the_emulator_and_reproduced_until_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = tuned(tmp_path, "drop_barrier", PHASES, "grid:12x12", "simt", monkeypatch)
    assert {Plan.parse(m.plan, "simt").text_of("block") for m in outcome.mistakes} == {"64"}
    assert Plan.parse(outcome.found[0].plan, "simt").text_of("block") == "256"
    assert outcome.mistakes[0].why.startswith("the emulator found [race] data race: ")
    reproducer = outcome.mistakes[0].reproducer
    done = reproduced(reproducer, wrong_compiler("drop_barrier"))
    assert done.returncode == 86
    assert "the emulator found [race] data race: " in done.stderr
    mended = reproduced(reproducer, RIGHT_COMPILER)
    assert (mended.returncode, mended.stdout) == (0, "the answer is right\n")


def test_graph_is_made_smaller_as_long_as_it_shows_the_mistake() -> None:
    graph = load("grid:20x20")
    target = int(graph.file_ids()[150])

    def fails(candidate: object) -> bool:
        ids = candidate.file_ids()  # type: ignore[attr-defined]
        return target in ids and candidate.out_degrees()[list(ids).index(target)] > 0  # type: ignore[attr-defined]

    small = shrunk(graph, fails, 60.0)
    assert fails(small)
    assert small.num_edges < graph.num_edges / 50
    assert small.num_nodes < 20
    assert not small.directed
    assert small.num_edges % 2 == 0

