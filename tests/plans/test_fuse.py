"""The option fuse: where it is legal, and that the running program is given it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.call.run import Options, run
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.program import open_program
from irgl.space import Choice, legal_space
from irgl.standalone import standalone

HEAD = "graph Graph { node int seen = 0; }\n"
#: Each item brings the next one back: 0, 1, 2, ...
CHAIN = HEAD + """Kernel go_on(Graph g) {
  ForAll (i In WL) {
    node n = WL.pop(i);
    n.seen += 1;
    ForAll (e In n.edges) { AGAIN }
  }
}
Program chain(Graph g) { Iterate go_on(g) Initial [g.node(0)] { } }"""
RESPAWNS = CHAIN.replace("AGAIN", "Respawn e.dst;")
PUSHES = CHAIN.replace("AGAIN", "WL.push(e.dst);")
BUCKETS = CHAIN.replace("AGAIN", "WL.push(e.dst, 0);").replace("(Graph g) {\n", "(Graph g) WL buckets<node> {\n")


def choices(text: str) -> list[Choice]:
    return [c for c in legal_space(driver.ready("k.irgl", text).checked.program) if c.option == "fuse"]


@pytest.mark.parametrize("text", [RESPAWNS, BUCKETS])
def test_it_is_legal_where_items_come_back_to_their_thread(text: str) -> None:
    assert choices(text) == [Choice("", "fuse", None)]


def test_elsewhere_the_reason_is_told() -> None:
    assert choices(PUSHES) == [
        Choice("", "fuse", "nothing comes back to the thread that pushed it: there are no buckets, and no Respawn")]
    unit = driver.compile("k.irgl", text=PUSHES, plan=Plan.parse("fuse=5"))
    assert unit.not_applicable[-1] == (
        "the program: fuse=5: nothing comes back to the thread that pushed it: there are no buckets, and no Respawn")


@pytest.mark.parametrize(("text", "plan", "rounds"), [
    (RESPAWNS, "fuse=1", 100), (RESPAWNS, "fuse=2", 1), (BUCKETS, "fuse=1", 100), (BUCKETS, "fuse=2", 1)])
def test_items_that_come_back_take_a_round_each_where_none_are_fused(
        text: str, plan: str, rounds: int, tmp_path: Path) -> None:
    path = tmp_path / "chain.irgl"
    path.write_text(text)
    graph = Graph(np.array([*range(100), 99], np.int32), np.arange(1, 100, dtype=np.int32), None)
    chosen = Plan.parse(plan)
    outcome = run(open_program(path, chosen), {"g": graph}, {}, chosen, Options(threads=1))
    assert outcome.result.properties["seen"].array.tolist() == [1] * 100
    assert outcome.stats["serial_rounds"] - fills() == rounds


def fills() -> int:
    """The loop that gives the property its first values."""
    return 1


def test_the_argument_block_holds_it() -> None:
    manifest = open_program("chain.irgl", text=RESPAWNS)
    graph = Graph(np.zeros(1, np.int32), np.zeros(0, np.int32), None)
    call = Call(manifest, {"g": graph}, bind(manifest, {"g": graph}, {}), (32, 32))
    call.set_knobs(Plan.parse("fuse=77"), 1, 0, 0)
    assert call.args.fuse == 77


def test_a_stand_alone_program_is_given_it() -> None:
    plan = Plan.parse("fuse=77")
    assert ", 2048, 4096, 32768, 77, 0, _stats" in standalone(driver.compile("k.irgl", text=RESPAWNS), plan)
