"""Priority queues that are asked, or changed, elsewhere than by the loop that runs them, on every target."""

from __future__ import annotations

import networkx as nx
import pytest
from support.agreement import disagreements, interpreted
from support.random_graphs import SmallGraph, from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.visit import walk
from irgl.driver import front
from irgl.interpret import run
from irgl.plan import Plan
from irgl.source import Source

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex, int) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const dist : vector{Vertex}(int) = 2147483647;
const left : vector{Vertex}(uint) = edges.getOutDegreesUint();
const pq : priority_queue{Vertex}(int);
const peel : priority_queue{Vertex}(uint);
const rounds : int = 0;
const ran : int = 0;
const last : int = 0;
const done : bool = false;
func relax(src : Vertex, dst : Vertex, weight : int)
    pq.updatePriorityMin(dst, dist[dst], dist[src] + weight);
end
func start(v : Vertex)
    if v == 3 or v == 20
        pq.updatePriorityMin(v, dist[v], v);
    end
end
func leave(src : Vertex, dst : Vertex)
    peel.updatePrioritySum(dst, -1, peel.get_current_priority());
end
"""
DIST = "pq = new priority_queue{Vertex}(int)(false, false, dist, 1, 2, false, 0);"
TAKE = "var bucket : vertexset{Vertex} = pq.dequeue_ready_set();"
ROUND = f"{TAKE} edges.from(bucket).applyUpdatePriority(relax); delete bucket;"
ARCS = [(v, v + 1, 7 + v % 5) for v in range(40)] + [(v, v + 9, 60 + v) for v in range(20)]
GRAPH = nx.DiGraph()
GRAPH.add_weighted_edges_from(ARCS)
DIRECTED = from_arcs(41, ARCS)
UNREACHED = from_arcs(41, [a for a in ARCS if a[1] != 40])
SPARSE = nx.gnm_random_graph(41, 120, seed=4)
BOTH_WAYS = from_arcs(41, [(a, b, 1) for u, v in SPARSE.edges for a, b in ((u, v), (v, u))])


def program(main: str, graph: SmallGraph = DIRECTED, **params: int) -> RandomProgram:
    return RandomProgram(dump(front(Source("t.gt", f"{HEAD}func main() {main} end")).program), graph, params)


PROGRAMS = {
    "bounded": program(f"dist[0] = 0; {DIST} while not pq.finished() and pq.get_current_priority() < 100 {TAKE}"
                       " #s1# edges.from(bucket).applyUpdatePriority(relax); last = pq.get_current_priority();"
                       " ran += bucket.size(); rounds += 1; delete bucket; end done = pq.finished();", delta=10),
    "filled": program(f"dist[0] = 0; {DIST} vertices.apply(start); while pq.finished() == false {ROUND} end"
                      " done = pq.finishedNode(40);", delta=10),
    "beside": program("var two : vertexset{Vertex} = new vertexset{Vertex}(0); two.addVertex(0); two.addVertex(9);"
                      f" dist[0] = 0; dist[9] = 5; {DIST} edges.from(two).apply(relax);"
                      f" while (pq.finished() == false) {ROUND} end", delta=10),
    "peeled": program("peel = new priority_queue{Vertex}(uint)(false, false, left, 1, 0, true, -1);"
                      " while (peel.finished() == false) var bucket : vertexset{Vertex} = peel.dequeue_ready_set();"
                      " edges.from(bucket).applyUpdatePriority(leave); delete bucket; end"
                      " last = peel.get_current_priority();", BOTH_WAYS),
    "unreached": program(f"dist[0] = 0; {DIST} while (pq.finishedNode(40) == false) {ROUND} rounds += 1; end"
                         " done = pq.finished();", UNREACHED, delta=1000),
}


def found(name: str) -> dict[str, list[int]]:
    """What the interpreter finds, each scalar in a list of its own."""
    made = interpreted(PROGRAMS[name])
    assert made is not None
    return {n: v.tolist() for n, v in made.properties.items()} | {n: [int(v)] for n, v in made.scalars.items()}


def distances(starts: list[tuple[int, int]]) -> list[int]:
    graph = nx.DiGraph(GRAPH)
    graph.add_weighted_edges_from([("from", *start) for start in starts])
    wanted = nx.single_source_dijkstra_path_length(graph, "from")
    return [wanted[v] for v in range(41)]


def test_a_loop_ends_where_priorities_are_far_enough() -> None:
    got, from_0 = found("bounded"), distances([(0, 0)])
    near = [d for d in from_0 if d < 110]  # the first bucket from 100 on runs, too
    assert got["last"] == [100] and got["done"] == [0]
    assert got["ran"] == [len(near)] and got["rounds"] == [len({d // 10 for d in near})]


def test_vertices_are_put_into_a_queue_by_an_apply() -> None:
    got = found("filled")
    assert got["dist"] == distances([(0, 0), (3, 3), (20, 20)]) and got["done"] == [1]


def test_other_vertices_edges_move_what_waits() -> None:
    assert found("beside")["dist"] == distances([(0, 0), (9, 5)])


def test_a_queue_of_all_vertices_says_how_far_it_came() -> None:
    got, cores = found("peeled"), nx.core_number(SPARSE)
    assert got["left"] == [cores[v] for v in range(41)] and got["last"] == [max(cores.values())]


def test_a_vertex_that_is_not_reached_ends_the_loop_with_the_queue() -> None:
    got = found("unreached")
    assert got["done"] == [1] and got["dist"][40] == 2**31 - 1


def test_every_target_finds_the_same() -> None:
    programs = list(PROGRAMS.values())
    assert disagreements(programs, Plan.parse("priority=lazy buckets=2")) == []
    assert all_compared(programs, ["cc=block outline=all block=64"]) == {}


@pytest.mark.parametrize("asked", ["", "done = pq.finished();"])
def test_a_function_may_be_given_the_queue_that_it_runs(asked: str) -> None:
    loop = f"while (of.finished() == false) {ROUND} end".replace("pq.dequeue", "of.dequeue")
    text = (f"{HEAD}func settle(of : priority_queue{{Vertex}}(int)) {loop} end"
            f" func main() dist[0] = 0; {DIST} settle(pq); {asked} end")
    found = run(front(Source("t.gt", text)), {"g": DIRECTED}, {"delta": 10})
    assert found.properties["dist"].tolist() == distances([(0, 0)])


@pytest.mark.parametrize("test", ["pq.finished()", "pq.finished() == true"])
def test_a_break_behind_the_bucket_ends_the_loop(test: str) -> None:
    text = (f"{HEAD}func main() for i in 0:2 dist[0] = 0; {DIST} while true {TAKE} if {test} break; end"
            " edges.from(bucket).applyUpdatePriority(relax); delete bucket; end end end")
    program = front(Source("t.gt", text)).program
    assert any(isinstance(n, A.Iterate) for d in program.decls for n in walk(d))


def test_a_queue_that_its_loop_alone_asks_stays_with_the_loop() -> None:
    program = front(Source("t.gt", f"{HEAD}func main() dist[0] = 0; {DIST} while (pq.finishedNode(4) == false) {ROUND}"
                           " end end")).program
    assert not any(isinstance(n, A.Invoke) and n.queue for d in program.decls for n in walk(d))
