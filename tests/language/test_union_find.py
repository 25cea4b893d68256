"""`union_find`: which sets there are, and how often unite says true, is what SciPy finds, on every target and with any
number of threads; what is asked while others unite is never taken back."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from support import ptx
from support.awkward_graphs import awkward, directed
from support.nvcc import ARCHITECTURES, DEFAULT, complaints
from support.places import TESTS
from support.running import outcome

from irgl.analysis.check import check
from irgl.driver import front
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError, Source

TEXT = """
import "union_find.irgl";
graph Graph { node long least = 0; node bool broken = false; }
long joined = 0; long apart = 0; long alone = 0; long wrong = 0;
Kernel join(Graph g, union_find sets) {
  ForAll (e In g.edges) {
    long before = sets.find(e.dst.id);
    if (sets.unite(e.src.id, e.dst.id)) { joined += 1; }
    long after = sets.find(e.dst.id);
    if (!sets.same(e.src.id, e.dst.id) || after > before || sets.find(e.src.id) > before) { wrong += 1; }
    if (sets.unite(e.dst.id, e.src.id)) { wrong += 1; }
  }
}
Kernel look(Graph g, union_find sets) {
  ForAll (n In g.nodes) {
    n.least = sets.find(n.id);
    apart += !sets.same(n.id, 0);
  }
  SyncRunningThreads;
  ForAll (n In g.nodes) { alone += n.least == n.id; }
}
Program main(Graph g) {
  union_find sets;
  sets.resize(g.num_nodes);
  Invoke join(g, sets);
  if (g.num_nodes > 0) { Invoke look(g, sets); }
}
"""
PLANS = {"cpu": "none", "simt": "np=wp+fg block=64"}
RANDOM = directed(300, [(int(a), int(b)) for a, b in np.random.default_rng(5).integers(0, 300, (260, 2))])
#: Ends in an order that hangs long paths: sets are joined by their largest numbers.
CHAIN = directed(200, [(k, k + 1) for k in reversed(range(199))])
GRAPHS = {**{name: awkward()[name] for name in ("empty", "one node", "self-loops")}, "random": RANDOM, "chain": CHAIN}


def least(graph: Graph) -> list[int]:
    """The least number of each node's weak component."""
    arcs = sparse.csr_array((np.ones(graph.num_edges), graph.dst, graph.row), shape=(graph.num_nodes,) * 2)
    part = connected_components(arcs, connection="weak")[1] if graph.num_nodes else []
    first: dict[int, int] = {}
    return [first.setdefault(int(p), n) for n, p in enumerate(part)]


def right(scalars: dict[str, int], found: list[int], graph: Graph) -> None:
    wanted = least(graph)
    count = len(set(wanted))
    assert found == wanted
    assert (scalars["joined"], scalars["alone"], scalars["wrong"]) == (len(wanted) - count, count, 0)
    assert scalars["apart"] == sum(w != 0 for w in wanted)


@pytest.mark.parametrize("name", GRAPHS)
def test_the_interpreter_finds_the_components(name: str) -> None:
    done = run(check(load_text(TEXT)), {"g": GRAPHS[name]})
    right(done.scalars, done.properties["least"].tolist(), GRAPHS[name])


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_any_number_of_threads_finds_the_components(threads: int) -> None:
    for graph in GRAPHS.values():
        for plan in ("none", "grain=1 serial=0"):
            result = outcome(TEXT, plan, "cpu", graph, threads=threads).result
            right(result.scalars, result.properties["least"].array.tolist(), graph)


@pytest.mark.parametrize(("mode", "seed"), [("check", 1), ("lockstep", 3), ("lockstep", 4)])
def test_a_gpu_finds_the_components_and_the_emulator_no_fault(mode: str, seed: int) -> None:
    for graph in (RANDOM, CHAIN, GRAPHS["one node"]):
        result = outcome(TEXT, PLANS["simt"], "simt", graph, mode=mode, seed=seed).result
        right(result.scalars, result.properties["least"].array.tolist(), graph)


BY_HAND = """
import "union_find.irgl";
graph Graph { node int unused = 0; }
long a = 0; long b = 0; bool c = false; bool d = true; long e = 0; long f = 0; bool h = true;
Program main(Graph g) {
  union_find u;
  u.resize(6);
  c = u.unite(5, 3);
  u.unite(2, 4);
  u.unite(4, 5);
  d = u.unite(3, 2);
  a = u.find(5);
  u.resize(4);
  b = u.find(3) + 10 * u.size;
  u.resize(7);
  e = u.find(5);
  f = u.find(6);
  h = u.same(0, 1);
}
"""


@pytest.mark.parametrize("target", ["ref", *PLANS])
def test_the_program_may_unite_and_ask_and_new_numbers_stand_alone(target: str) -> None:
    if target == "ref":
        scalars = run(check(load_text(BY_HAND)), {"g": GRAPHS["one node"]}).scalars
    else:
        scalars = outcome(BY_HAND, PLANS[target], target, GRAPHS["one node"]).result.scalars
    assert scalars == {"a": 2, "b": 42, "c": True, "d": False, "e": 5, "f": 6, "h": False}


@pytest.mark.parametrize("target", ["ref", *PLANS])
@pytest.mark.parametrize("call", ["u.find(n.id - 1)", "u.unite(0, n.id + 1)", "u.same(n.id + 1, 0)"])
def test_a_number_that_is_not_there_is_told_at_its_place(call: str, target: str) -> None:
    text = f"""import "union_find.irgl";
graph Graph {{ node int unused = 0; }} long a = 0;
Kernel ask(Graph g, union_find u) {{ ForAll (n In g.nodes) {{ a += {call}; }} }}
Program main(Graph g) {{ union_find u; u.resize(g.num_nodes); Invoke ask(g, u); }}
"""
    with pytest.raises(IrglError) as caught:
        if target == "ref":
            run(check(load_text(text)), {"g": GRAPHS["one node"]})
        else:
            outcome(text, PLANS[target], target, GRAPHS["one node"])
    assert caught.value.span is not None and caught.value.span.line == 3


def test_resize_in_a_forall_is_refused() -> None:
    text = """import "union_find.irgl";
graph Graph { node int unused = 0; }
Kernel k(Graph g, union_find u) { ForAll (n In g.nodes) { u.resize(3); } }
Program main(Graph g) { union_find u; Invoke k(g, u); }
"""
    with pytest.raises(IrglError, match="'resize' inside a ForAll would race with the other iterations"):
        front(Source("x.irgl", text))


@pytest.mark.skipif(ptx.missing() != "", reason=ptx.missing())
def test_weak_memory_shows_nobody_apart_what_he_has_seen_in_one_set(tmp_path: Path) -> None:
    file, graph = tmp_path / "sets.irgl", tmp_path / "pairs.el"
    file.write_text(TEXT.replace("Program main", "Program sets"))
    graph.write_text("".join(f"{a} {b}\n" for a, b in np.random.default_rng(5).integers(0, 120, (200, 2))))
    words = [sys.executable, TESTS / "ptx" / "run.py", sys.executable, "-m", "irgl", "run", file, "--graph", graph,
             "--target", "cuda", "--plan", "block=64"]
    for seed in range(10, 15):
        done = subprocess.run(words, env={**os.environ, "PTX_WEAK": "1", "PTX_SEED": str(seed)}, capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert ["wrong", "0"] in [line.split() for line in done.stdout.splitlines()], seed


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
@pytest.mark.parametrize("architectures", ARCHITECTURES)
def test_nvcc_takes_it_without_a_warning(architectures: tuple[int, ...], tmp_path: Path) -> None:
    file = tmp_path / "sets.irgl"
    file.write_text(TEXT.replace("Program main", "Program sets"))
    assert complaints([file], [DEFAULT], tmp_path, architectures) == []
