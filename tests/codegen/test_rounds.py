"""What is counted by round of the Program's loops: whose it is, and that nothing is counted twice or left out."""

from __future__ import annotations

from itertools import pairwise

import pytest
from support.awkward_graphs import directed, grid
from support.running import outcome

from irgl.plan import Plan
from irgl.rt.call.run import Outcome
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.program import open_program
from irgl.rt.results.rounds import Rounds


def chained_stars(stars: int, path: int, leaves: int) -> tuple[int, list[tuple[int, int]]]:
    """Paths, each of which ends at a hub of leaves, which all go on to the next path's first node."""
    arcs: list[tuple[int, int]] = []
    first = 0
    for _ in range(stars):
        hub = first + path - 1
        arcs += pairwise(range(first, hub + 1))
        arcs += [(hub, hub + k) for k in range(1, leaves + 1)]
        first = hub + leaves + 1
        arcs += [(hub + k, first) for k in range(1, leaves + 1)]
    return first + 1, arcs


#: Rounds of one node, of 300 and of 1 again: with blocks of 32 threads the first block runs some of them alone.
STARS = directed(*chained_stars(3, 7, 300))
#: The nodes of each round of a search from its first node, and their edges.
LEVELS = [*([1] * 7 + [300]) * 3, 1]
EDGES = [*([1] * 6 + [300, 300]) * 3, 0]
SEARCH = """
graph Graph { node int level = INF; }
Kernel step(Graph g, int depth) WL list<node> {
  ForAll (n In WL.items) { ForAll (e In n.edges) { if (cas(e.dst.level, INF, depth)) { WL.push(e.dst); } } }
}
Program main(Graph g, node s = first) {
  s.level = 0; int depth = 1;
  search: Iterate step(g, depth) Initial [s] { depth++; }
}
"""
SETS = """
graph Graph { node int level = INF; node int sum = 0; }
long visits = 0; int far = 0;
Kernel step(Graph g, int depth, set<node> now, set<node> later) {
  ForAll (n In now.items) {
    visits += 1;
    ForAll (e In n.edges) { if (relaxed e.dst.level == INF) { racy e.dst.level = depth; later.push(e.dst); } }
  }
}
Kernel look(Graph g, set<node> now) {
  ForAll (n In now.items) { ForAll (e In n.in_edges) { n.sum += e.src.level; } ReduceAndReturn(n.sum > 40); }
}
Program main(Graph g, node s = first) {
  set<node> now; set<node> later; now.push(s); s.level = 0; int depth = 1;
  while (now.size > 0) {
    later.clear();
    Invoke step(g, depth, now, later);
    now.swap(later);
    if (Any(Invoke look(g, now))) { far++; }
    depth++;
  }
}
"""
NESTED = """
graph Graph { node int left = 3; node int turns = 0; }
long total = 0;
Kernel spread(Graph g) WL list<node> {
  ForAll (n In WL.items) {
    n.left -= 1; total += n.id;
    if (n.left > 0) { Respawn n; }
    ForAll (e In n.edges) { if ((e.dst.turns += 1).old == 0) { WL.push(e.dst); } }
  }
}
Kernel keep(Graph g) WL list<node> { ForAll (n In WL.items) { WL.push(n); } }
Kernel some(Graph g) { ForAll (n In g.nodes) { total += 1; } }
Program main(Graph g, node s = first) {
  s.turns = 1;
  Pipe Initial [s] { Invoke spread(g); Pipe Once { Invoke keep(g); } for (int i = 0; i < 2; i++) { Invoke some(g); } }
  for (int i = 0; i < 3; i++) { Invoke some(g); }
}
"""
FLAT = """
graph Graph { }
long total = 0;
Kernel some(Graph g) { ForAll (n In g.nodes) { total += 1; } }
Program main(Graph g) { Invoke some(g); }
"""
SIMT = ["block=32 outline=off", "block=32 outline=all", "block=32 outline=all blocks=4", "block=32 outline=graph",
        "block=32 np=even outline=all", "block=32 outline=all unroll=2", "block=32 direction=hybrid switch=nodes:1/4"]
TURNING = "direction=hybrid switch=nodes:1/8"
TURNED = SEARCH.replace("cas(e.dst.level, INF, depth)", "e.dst.level == INF").replace(
    "WL.push", "racy e.dst.level = depth; WL.push")


def run(text: str, plan: str, target: str, graph: Graph = STARS, seed: int = 1) -> tuple[Outcome, Rounds]:
    done = outcome(text, plan, target, graph, mode="lockstep", seed=seed, rounds=True)
    assert done.rounds is not None
    return done, done.rounds


def numbers(rounds: Rounds, loop: str) -> list[tuple[int, ...]]:
    return [(*r.around, r.number) for r in rounds.kept if r.loop == loop]


@pytest.mark.parametrize(("target", "plan"), [("cpu", ""), *(("simt", plan) for plan in SIMT)])
def test_a_round_tells_what_it_runs_over(target: str, plan: str) -> None:
    _, rounds = run(SEARCH, plan, target)
    assert [(r.loop, r.number, r.frontier, r.edges) for r in rounds.kept] == [
        ("main.search", k + 1, n, m) for k, (n, m) in enumerate(zip(LEVELS, EDGES, strict=True))]


@pytest.mark.parametrize("plan", SIMT)
@pytest.mark.parametrize("text", [SEARCH, SETS, NESTED], ids=["an Iterate", "a while over sets", "Pipes and for"])
def test_rounds_and_what_is_outside_are_the_whole_run(text: str, plan: str) -> None:
    done, rounds = run(text, plan, "simt")
    counted = [rounds.outside, *(r.counted for r in rounds.kept)]
    assert {name: sum(c[name] for c in counted) for name in rounds.outside} == {
        name: done.stats[name] for name in ("launches", "grid_barriers", "atomics", "warp_steps", "transactions")}


@pytest.mark.parametrize("seed", [0, 2, 3])
@pytest.mark.parametrize("plan", ["outline=off", "outline=all", "outline=all blocks=4"])
def test_what_a_block_does_counts_for_the_round_that_it_is_in(plan: str, seed: int) -> None:
    _, rounds = run(SEARCH, f"block=32 np=serial cc=off {plan}", "simt", seed=seed)
    claims_and_pushes = [m + n for m, n in zip(EDGES, [*LEVELS[1:], 0], strict=True)]
    assert [r.counted["atomics"] for r in rounds.kept] == claims_and_pushes


def test_noting_rounds_changes_hardly_a_counter() -> None:
    plan = "block=32 outline=all"
    plain, noting = outcome(SEARCH, plan, "simt", STARS, mode="lockstep").stats, run(SEARCH, plan, "simt")[0].stats
    assert {name for name in ("launches", "grid_barriers", "atomics", "transactions") if plain[name] != noting[name]} \
        == set()
    assert noting["warp_steps"] == pytest.approx(plain["warp_steps"], rel=0.03)


@pytest.mark.parametrize(("target", "plan"), [("cpu", TURNING), *(
    ("simt", f"block=32 {TURNING} {how}") for how in ("outline=off", "outline=all"))])
def test_a_round_tells_which_way_a_loop_went_that_turns(target: str, plan: str) -> None:
    _, rounds = run(TURNED, plan, target)
    many = [r.frontier is not None and r.frontier > STARS.num_nodes // 8 for r in rounds.kept]
    assert [r.direction for r in rounds.kept] == ["pull" if m else "push" for m in many]
    assert {r.direction for r in rounds.kept} == {"pull", "push"}


@pytest.mark.parametrize(("target", "plan"), [("cpu", ""), ("simt", "block=32")])
def test_a_loop_that_never_turns_has_no_direction(target: str, plan: str) -> None:
    assert {r.direction for r in run(TURNED, plan, target)[1].kept} == {""}


@pytest.mark.parametrize(("target", "plan"), [("cpu", ""), ("simt", "outline=off"), ("simt", "outline=all")])
def test_a_loop_in_a_loop_is_numbered_in_its_rounds(target: str, plan: str) -> None:
    _, rounds = run(NESTED, plan, target, directed(3, [(0, 1), (1, 2)]))
    rounds_outside = len(numbers(rounds, "main.pipe1"))
    assert numbers(rounds, "main.pipe1") == [(k + 1,) for k in range(rounds_outside)]
    assert numbers(rounds, "main.pipe1.for1") == [(k + 1, i) for k in range(rounds_outside) for i in (1, 2)]
    assert numbers(rounds, "main.for1") == [(1,), (2,), (3,)]


@pytest.mark.parametrize(("target", "plan"), [("cpu", ""), ("simt", "outline=off"), ("simt", "outline=all")])
def test_a_loop_over_all_nodes_has_them_as_its_frontier(target: str, plan: str) -> None:
    _, rounds = run(NESTED, plan, target, directed(3, [(0, 1), (1, 2)]))
    assert {(r.frontier, r.edges) for r in rounds.kept if r.loop == "main.for1"} == {(3, None)}


@pytest.mark.parametrize(("target", "plan"), [("cpu", "frontier=bitmap"), ("simt", "block=32 frontier=bitmap")])
def test_the_nodes_of_a_bitmap_are_counted(target: str, plan: str) -> None:
    _, rounds = run(SETS, plan, target)
    assert [r.frontier for r in rounds.kept] == LEVELS


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_kernel_that_fills_what_it_runs_over_has_no_frontier(target: str) -> None:
    text = """
graph Graph { node int seen = 0; }
Kernel start(Graph g, list<node> l) {
  ForAll (n In g.nodes) { l.push(n); }
  ForAll (n In l.items) { n.seen += 1; }
}
Kernel go(Graph g, list<node> l) { if (l.size < 0) { l.push(NONE); } ForAll (n In l.items) { n.seen += 1; } }
Program main(Graph g) { list<node> l; for (int i = 0; i < 2; i++) { Invoke go(g, l); Invoke start(g, l); } }
"""
    assert [r.frontier for r in run(text, "", target, grid(3))[1].kept] == [None, None]


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_program_without_loops_has_no_rounds(target: str) -> None:
    done, rounds = run(FLAT, "", target, grid(3))
    whole = {"ms": pytest.approx(done.kernel_ms[0], abs=0.05)} if target == "cpu" else {
        name: done.stats[name] for name in rounds.outside}
    assert (rounds.kept, rounds.further, rounds.outside) == ((), 0, whole)


def test_the_times_of_rounds_are_no_more_than_the_run_s() -> None:
    done, rounds = run(SEARCH, "", "cpu", grid(60))
    times = [rounds.outside["ms"], *(r.counted["ms"] for r in rounds.kept)]
    assert min(times) > 0
    assert sum(times) <= done.kernel_ms[0]


@pytest.mark.parametrize(("target", "kept", "more"), [("cpu", 100_000, 70), ("simt", 50, 70)])
def test_rounds_beyond_those_that_are_kept_are_one(target: str, kept: int, more: int,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_EMU_ROUNDS", str(kept))
    text = FLAT.replace("Invoke some", f"for (int i = 0; i < {kept + more}; i++) Invoke some")
    done, rounds = run(text, "", target, grid(2))
    assert (len(rounds.kept), rounds.further) == (kept, more)
    counted = [rounds.outside, rounds.beyond, *(r.counted for r in rounds.kept)]
    if target == "simt":
        assert sum(c["atomics"] for c in counted) == done.stats["atomics"]
    assert min(rounds.beyond.values()) >= 0


@pytest.mark.parametrize(("target", "plan"), [("cpu", TURNING), ("simt", TURNING)])
def test_code_that_is_not_asked_for_rounds_knows_nothing_of_them(target: str, plan: str) -> None:
    manifest = open_program("text.irgl", Plan.parse(plan, target), text=SEARCH)
    assert manifest.rounds is None
    assert [word for word in ("begin_round", "runs_over", "goes(", "rounds.") if word in manifest.text] == []
