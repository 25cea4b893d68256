"""irglc explain tells what each update is under a plan, plain or atomic, and what made it so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irgl.cli.main import exit_code

BLOCKS = "format=blocks"


def told(capsys: pytest.CaptureFixture[str], program: str | Path, plan: str = "default", target: str = "cpu",
         place: str = "", text: str = "") -> list[str]:
    """What is told of the updates at a place."""
    assert exit_code(["explain", str(program), "--plan", plan, "--target", target, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["updates"]
    return [f"{u['how']}: {u['why']}" for u in found if u["place"] == place and u["text"] == text]


@pytest.mark.parametrize(("plan", "target", "place", "text", "says"), [
    ("default", "cpu", "start_even.loop1.loop1", "e.dst.residual +=", "atomic: edges of several nodes lead there"),
    ("direction=pull giant=off", "cpu", "start_even.loop1.loop1", "e_dst.residual +=",
     "plain: e_dst belongs to its thread: giant=off leaves it all edges of a node, since its loop pulls"),
    ("direction=pull", "cpu", "start_even.loop1.loop1", "e_dst.residual +=",
     "atomic where shared: all threads share the edges of a node that has more than giant=32768; else e_dst belongs to "
     "its thread, since its loop pulls"),
    (f"direction=pull {BLOCKS}", "cpu", "start_even.loop1.loop1", "e_dst.residual +=",
     "plain: one thread has its whole part of blocks, since its loop pulls"),
    ("direction=hybrid", "cpu", "start_even.loop1_front", "n.residual +=", "plain: n belongs to its thread"),
    ("direction=hybrid", "cpu", "start_even.loop1", "n.residual +=",
     "atomic: others come to it, too, as e.dst.residual (line 34)"),
    ("default", "cpu", "push_residual.loop1", "n.residual xchg=", "atomic: other iterations may have the same node"),
    ("default", "cpu", "settle_rest.loop1", "held +=", "plain: each thread combines it for itself first"),
    ("default", "cpu", "push_residual.loop1.loop1", "WL.push(...)", "plain: each thread has a list of its own"),
    ("frontier=queue", "cpu", "push_residual.loop1.loop1", "WL.push(...)",
     "atomic: one operation for the 64 items of a thread's buffer"),
    ("cc=off", "cuda", "settle_rest.loop1", "held +=", "atomic: all iterations share it"),
    ("default", "cuda", "push_residual.loop1.loop1", "WL.push(...)",
     "atomic: one operation for all threads of a warp"),
    ("cc=off", "cuda", "push_residual.loop1.loop1", "WL.push(...)",
     "atomic: it takes a place in the list that all threads fill"),
])
def test_an_update_is_told_with_what_made_it_so(plan: str, target: str, place: str, text: str, says: str,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    assert says in told(capsys, "pr", plan, target, place, text)


@pytest.mark.parametrize(("plan", "target", "says"), [
    ("default", "cpu", "plain: each thread combines it for itself first"),
    (BLOCKS, "cpu", "plain: it is kept for each node of the part of blocks, which one thread has"),
    ("format=cr2 expand=off", "cpu", "plain: it is kept for each node of the part of cr2, which one thread has"),
    ("format=cr2", "cpu", "plain: each thread combines it for itself first"),
    (BLOCKS, "cuda", "plain: threads of a block combine it in the memory that they share"),
    ("format=sell", "cuda", "plain: each thread combines it for itself first"),
])
def test_a_sum_over_a_nodes_edges_is_told_as_its_form_has_it(plan: str, target: str, says: str,
                                                             capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "pr_pull", plan, target, "pull_forth.loop1.loop1", "sum +=") == [says]


#: One update of each kind that no program of the shelf has, by its line.
ODD = """graph Graph { node int p = 0; node int q = 0; node lock held; edge int seen = 0; }
Kernel k(Graph g, bitmap<node> bits) {
  ForAll (n In g.nodes) {
    bits.push(n);
    ForAll (e In n.edges) {
      e.seen += 1;
      n.p += 1;
    }
  }
}
Kernel locks(Graph g) { ForAll (n In g.nodes) { Atomic (n.held) { n.q += 1; } } }
Program main(Graph g) { bitmap<node> bits; Invoke k(g, bits); Invoke locks(g); }
"""


@pytest.mark.parametrize(("plan", "target", "place", "text", "says"), [
    ("default", "cpu", "k.loop1", "bits.push(...)", "plain: its thread has all nodes of the word"),
    (BLOCKS, "cpu", "k.loop1", "bits.push(...)", "atomic: items of other iterations have bits in the same word"),
    ("default", "cpu", "locks.loop1", "n.q +=", "plain: n belongs to its thread"),
    ("default", "cuda", "locks.loop1", "n.q +=",
     "atomic: it goes past the processor's cache, for whoever takes the lock next"),
    ("default", "cpu", "k.loop1.loop1", "e.seen +=", "plain: e belongs to its thread"),
    ("np=serial", "cuda", "k.loop1.loop1", "n.p +=",
     "plain: n belongs to its thread, which runs all iterations of the inner loop"),
    ("np=fg", "cuda", "k.loop1.loop1", "n.p +=", "atomic: np=fg has several threads share the edges of n"),
    ("format=sell", "cuda", "k.loop1.loop1", "n.p +=", "plain: one thread has all of its edges in sell"),
    ("format=coo", "cuda", "k.loop1.loop1", "n.p +=", "atomic: threads of a block share the edges of a part of coo"),
])
def test_what_an_iteration_owns_is_told_as_loops_are_run(plan: str, target: str, place: str, text: str, says: str,
                                                         tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.irgl"
    file.write_text(ODD)
    assert told(capsys, file, plan, target, place, text) == [says]


def test_updates_stand_by_their_loops_in_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "bfs"]) == 0
    assert capsys.readouterr().out.split("\nUpdates\n")[1].split("\n\n")[0].splitlines() == [
        "  advance_frontier.loop1.loop1",
        "    racy e.dst.hops = (line 23): atomic store, several iterations may store there at once, as racy says",
        "    WL.push(...) (line 24): plain, each thread has a list of its own",
        "  survey_hops.loop1",
        "    reached += (line 32): plain, each thread combines it for itself first",
        "    deepest max= (line 33): plain, each thread combines it for itself first",
    ]
