"""Schedulers of nested loops that stand alone: what each does, on ranges of every length, and no answer changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support import nvcc as text_of_many
from support import simt
from support.awkward_graphs import awkward, directed
from support.forms_on_gpus import USES, left_by, spilled, uses_of
from support.plans import plan_of
from support.programs import PLACE, path_of

from irgl import driver
from irgl.options import OPTIONS, WHOLE_SCHEDULERS
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.run import Options
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.describe import manifest_of

#: A word with what it leaves open.
WORDS = tuple(f"{word} {o.name}={value}" for word in WHOLE_SCHEDULERS for o in OPTIONS["simt"]
              if o.only_with == ("np", (word,)) for value in o.words) + tuple(
    word for word in WHOLE_SCHEDULERS if not any(o.only_with == ("np", (word,)) for o in OPTIONS["simt"]))
#: A program for each plan, so that all come up with what threads do together, with lists and with Retries.
RUNS = (
    ("pr_pull", {"cc": "off", "block": "32"}),
    ("sssp_nf", {"cc": "block", "outline": "all", "block": "64"}),
    ("bfs", {"cc": "warp", "outline": "graph", "block": "32"}),
    ("cc", {"cc": "off", "block": "96"}),
    ("bc", {"cc": "block", "outline": "all", "block": "96"}),
    ("mst", {"cc": "block", "outline": "all", "block": "96", "mode": "lockstep"}),
    ("mis", {"cc": "warp", "block": "64", "format": "delta"}),
    ("kcore", {"cc": "thread", "outline": "all", "block": "32", "format": "split"}),
)


def graphs() -> dict[str, Graph]:
    """Awkward ones, and one with ranges of every length that a scheduler of blocks of 32 to 96 threads tells apart."""
    lengths = [0, 1, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 130, 191, 192, 193, 290]
    ends = [(u, (u * 7 + k) % 300) for u, length in enumerate(lengths * 2) for k in range(length)]
    return {**{name: awkward()[name] for name in ("empty", "one node", "self-loops", "parallel arcs", "star",
                                                  "star inwards", "disconnected")},
            "every length": directed(300, ends)}


def said(word: str) -> dict[str, str]:
    np, _, rest = word.partition(" ")
    return {"np": np, **({rest.partition("=")[0]: rest.partition("=")[2]} if rest else {})}


@pytest.mark.parametrize("word", WORDS)
def test_a_scheduler_changes_no_answer(word: str) -> None:
    k = WORDS.index(word)
    runs = [(program, {"mode": "check", "seed": str(k), "capacity": str((k + j) % 2), **said(word), **plan})
            for j, (program, plan) in enumerate(RUNS) if j % 2 == k % 2]
    assert simt.complaints(runs, graphs()) == []


def test_the_emulator_s_unit_for_weaver_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_EMU_WEAVER", "1")
    usual = {"mode": "check", "seed": "3", "capacity": "0", **said("weaver")}
    runs = [(program, usual | plan) for program, plan in RUNS]
    assert simt.complaints(runs, graphs()) == []


@pytest.mark.parametrize("word", WORDS)
def test_an_edge_is_used_once_and_in_every_way(word: str) -> None:
    for cc, block in (("off", "32"), ("block", "64"), ("warp", "256")):
        plan = plan_of({**said(word), "cc": cc, "block": block})
        for graph in (graphs()["every length"], awkward()["middling"]):
            assert left_by(USES, plan, graph, "irgl::") == uses_of(graph)


SUMS = """graph Graph { node long p = 0; node long far = 1; }
Kernel add(Graph g) { ForAll (n In g.nodes) { long sum = 0; ForAll (e In n.edges) { sum += e.dst.far; } n.p = sum; } }
Program main(Graph g) { Invoke add(g); }"""


#: Of 128 times 32 edges; weaver's warps ask for the next ones by atomics, too.
@pytest.mark.parametrize(("word", "atomics"), [("wf", 1), ("fg", 8), ("weaver", 8 + 128)])
def test_a_warp_adds_up_a_node_of_many_edges_once(word: str, atomics: int) -> None:
    graph = directed(4097, [(0, far) for far in range(1, 4097)])
    plan = plan_of({"np": word, "block": "256", "cc": "off"})
    manifest = manifest_of(driver.emit(driver.ready("p.irgl", SUMS), plan, "simt"), str(plan))
    counted = device.run(manifest, {"g": graph}, {}, plan, Options()).stats["shared_atomics"]
    assert sum(counted.values()) == atomics


@pytest.mark.parametrize("word", WHOLE_SCHEDULERS)
def test_a_scheduler_s_word_is_what_the_code_asks_for(word: str) -> None:
    unit = driver.emit(driver.ready(PLACE / "bfs.irgl"), Plan.parse(f"np={word}", "simt"), "simt")
    assert [line for line in unit.applied if line.endswith(f": np={word}")]


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("architectures", text_of_many.ARCHITECTURES)
def test_nvcc_has_nothing_to_say(architectures: tuple[int, ...], tmp_path: Path) -> None:
    rows = [{"np": word, "cc": "block", "outline": "all", "block": "256"} for word in WHOLE_SCHEDULERS]
    assert text_of_many.complaints(["bfs"], rows, tmp_path, architectures) == []


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("program", ["bfs", "pr_pull"])
@pytest.mark.parametrize("word", WHOLE_SCHEDULERS)
def test_nothing_is_spilled(word: str, program: str, tmp_path: Path) -> None:
    plan = plan_of({"np": word, "cc": "block", "outline": "all"}, "cuda")
    assert spilled(path_of(program), plan, tmp_path) == {"0"}
