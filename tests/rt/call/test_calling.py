"""Compiled programs as functions of graphs that are in memory."""

from __future__ import annotations

import copy
import linecache
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from support.cupy_stand_in import csr_matrix
from support.places import PROGRAMS

import irgl
from irgl.frontends.text.load import load_text
from irgl.plan import Plan
from irgl.rt.call.callable import Program
from irgl.rt.graphs.prepare import Requirements

WEIGHTS = """graph Graph { node long out = 0; node node to; edge int w; edge int twice = 0; }
Kernel sum(Graph g, int by) {
  ForAll (n In g.nodes) { ForAll (e In n.edges) { n.out += e.w * by; e.twice = 2 * e.w; relaxed n.to = e.dst; } } }
Program weigh(Graph g, int by = 1, node src = first, int seed = 7) { Invoke sum(g, by); src.out += seed; }
"""
ENDLESS = """graph Graph { node int far = 0; }
Kernel again(Graph g) { ForAll (n In WL.items) { WL.push(n); } }
Program endless(Graph g, node src = first) { Iterate again(g) Initial [src] { } }
"""


@pytest.fixture(scope="module")
def search() -> Program:
    return irgl.compile(PROGRAMS / "bfs.irgl", target="cpu")


@pytest.fixture(scope="module")
def weigh(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("programs") / "weigh.irgl"
    path.write_text(WEIGHTS)
    return irgl.compile(path, target="cpu")


def matrix(kind: Any = np.float64) -> Any:
    return sp.csr_array(np.array([[0, 5, 7], [0, 0, 2], [0, 0, 0]], kind))


# Graphs


def test_a_csr_matrix_is_shared() -> None:
    given = sp.csr_array(np.array([[0, 1], [1, 0]], np.float64))
    graph = irgl.as_graph(given).graph
    assert [np.shares_memory(a, b) for a, b in ((graph.row, given.indptr), (graph.dst, given.indices),
                                                (graph.weight, given.data))] == [True, True, True]


def test_preparing_for_a_program_without_weights_shares_the_matrix() -> None:
    given = matrix()
    prepared = irgl.as_graph(given).prepared(Requirements())
    assert np.shares_memory(prepared.dst, given.indices)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok"])
def test_any_sparse_form_is_a_graph(search: Program, form: str) -> None:
    assert search(matrix().asformat(form), src=0).hops.tolist() == [0, 1, 1]


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int32, np.uint32, np.int64, np.float32, np.float64])
def test_weights_of_any_number_type(weigh: Program, kind: Any) -> None:
    assert weigh(matrix(kind), seed=0).out.tolist() == [12, 2, 0]


def test_weights_that_do_not_fit_are_refused(weigh: Program) -> None:
    with pytest.raises(irgl.IrglError, match=r"the program wants int32 weights, and the graph has 2\.5"):
        weigh(sp.csr_array(np.array([[0, 2.5], [0, 0]])))


def test_a_matrix_without_weights_to_speak_of_has_ones(weigh: Program) -> None:
    assert weigh(matrix() > 0, seed=0).out.tolist() == [2, 1, 0]


@pytest.mark.parametrize(("given", "message"), [
    (sp.csr_array((2, 3)), "a matrix of 2 rows and 3 columns is no graph"),
    ((np.array([0, 1]), np.array([1])), "the arrays of an edge list have one length"),
    ((np.array([-1]), np.array([0])), "there is no node -1"),
    (3.5, "a builtins.float is no graph"),
    ({"only": [1]}, "a table of edges has a column for each end"),
    ([(0, 1), (1, 2, 3)], "an edge is two nodes, or two nodes and a weight"),
    (np.zeros((2, 5)), "an edge is two nodes, or two nodes and a weight"),
    (nx.Graph([(0, 1, {"weight": "long"})]), "the weights 'weight' are no numbers"),
])  # fmt: skip
def test_what_is_no_graph_is_refused(search: Program, given: Any, message: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        search(given)
    assert caught.value.message == message


@pytest.mark.parametrize("array", ["indices", "indptr"])
def test_a_broken_matrix_is_refused(search: Program, array: str) -> None:
    broken = matrix()
    getattr(broken, array)[1] = -5
    with pytest.raises(irgl.IrglError, match=r"the matrix's (indices name|indptr does not)"):
        search(broken)


def test_edge_arrays(search: Program) -> None:
    assert search((np.array([0, 1]), np.array([1, 2])), src=0).hops.tolist() == [0, 1, 2]


@pytest.mark.parametrize("edges", [[(0, 5), (5, 1)], [[0, 5], [5, 1]], [(0, 5), (5, 1), (0, 2)]])
def test_a_list_of_edges_is_not_taken_for_columns(search: Program, edges: Any) -> None:
    assert search(edges, src=0).hops[[0, 5, 1]].tolist() == [0, 1, 2]


def test_a_list_of_named_and_weighted_edges(weigh: Program) -> None:
    assert weigh([("a", "b", 4), ("b", "a", 5)], seed=0).named("out") == {"a": 4, "b": 5}


NOTHING = {"list": [], "arrays": (np.array([]), np.array([])), "networkx": nx.Graph(), "scipy": sp.csr_array((0, 0)),
           "table": {"u": [], "v": []}}  # fmt: skip


@pytest.mark.parametrize("nothing", NOTHING.values(), ids=NOTHING)
def test_a_graph_of_nothing(search: Program, nothing: Any) -> None:
    assert search(nothing).reached == 0


def test_edge_arrays_of_several_columns(weigh: Program) -> None:
    assert weigh(np.array([[0, 1, 4], [1, 0, 5]]), seed=0).out.tolist() == [4, 5]


def test_nodes_beyond_the_edges(search: Program) -> None:
    assert len(search(irgl.as_graph((np.array([0]), np.array([1])), nodes=5)).hops) == 5


def test_edges_both_ways(search: Program) -> None:
    assert search(irgl.as_graph((np.array([0, 1]), np.array([1, 2])), directed=False), src=2).hops.tolist() == [2, 1, 0]


def test_named_nodes_in_arrays(search: Program) -> None:
    found = search((np.array(["b", "a"]), np.array(["a", "c"])), src="b")
    assert found.named("hops") == {"a": 1, "b": 0, "c": 2}


@pytest.mark.parametrize("make", [dict, pa.table], ids=["dict", "arrow"])
def test_tables(weigh: Program, make: Any) -> None:
    table = make({"weight": np.array([3, 4]), "src": np.array([0, 1]), "dst": np.array([1, 2])})
    assert weigh(table, seed=0).out.tolist() == [3, 4, 0]


def test_a_chosen_column_of_weights(weigh: Program) -> None:
    table = {"source": [0], "target": [1], "cost": [9]}
    assert weigh(irgl.as_graph(table, weight="cost"), seed=0).out.tolist() == [9, 0]


class OnDevice:
    """As an array of CuPy's, which gives a copy in the machine's memory and refuses to be taken for one."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def get(self) -> Any:
        return self.values

    def __array__(self) -> Any:
        raise TypeError("implicit conversion to a NumPy array is not allowed")


class Shared:
    """As an array of a library that offers DLPack alone."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


def test_arrays_on_a_device_are_fetched(search: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OnDevice, "__module__", "cupy._core.core")
    assert search((OnDevice(np.array([0])), OnDevice(np.array([1]))), src=0).hops.tolist() == [0, 1]


def test_arrays_that_offer_dlpack_are_taken(search: Program) -> None:
    assert search((Shared(np.array([0])), Shared(np.array([1]))), src=0).hops.tolist() == [0, 1]


def test_a_sparse_matrix_on_a_device_is_fetched(search: Program) -> None:
    assert search(csr_matrix(matrix()), src=0).hops.tolist() == [0, 1, 1]


def test_networkx_graphs_keep_their_names(search: Program) -> None:
    assert search(nx.path_graph(["x", "y", "z"]), src="z").named("hops") == {"x": 2, "y": 1, "z": 0}


def test_networkx_multigraphs_and_loops(weigh: Program) -> None:
    given = nx.MultiGraph([(0, 1, {"weight": 2}), (0, 1, {"weight": 3}), (1, 1, {"weight": 10})])
    assert weigh(given, seed=0).out.tolist() == [5, 15]


def test_nodes_in_properties_are_named(weigh: Program) -> None:
    assert weigh(nx.DiGraph([("p", "q")])).named("to") == {"p": "q", "q": None}


def test_an_unknown_node_is_refused(search: Program) -> None:
    with pytest.raises(irgl.IrglError, match="the graph has no node 'w'"):
        search(nx.path_graph(["x", "y"]), src="w")


def test_what_a_program_asks_of_a_graph_is_made_once() -> None:
    held = irgl.as_graph(matrix())
    need = Requirements(transpose=True, sorted=True)
    assert held.prepared(need) is held.prepared(need)


def test_a_matrix_of_ten_million_edges_is_at_the_first_kernel_in_no_time(tmp_path: Path) -> None:
    (tmp_path / "size.irgl").write_text("graph Graph { node bool seen = false; }\nlong arcs = 0;\n"
                                        "Kernel count(Graph g) { arcs = g.num_edges; }\n"
                                        "Program size(Graph g) { Invoke count(g); }\n")
    size = irgl.compile(tmp_path / "size.irgl", target="cpu")
    size(matrix())
    ends = np.arange(10**7, dtype=np.int32) % np.int32(10**6)
    large = sp.csr_array((np.ones(10**7, np.float32), ends, np.arange(10**6 + 1, dtype=np.int32) * 10), (10**6, 10**6))
    before_ms = []
    for _ in range(3):
        begin = time.perf_counter()
        found = size(large)
        before_ms.append((time.perf_counter() - begin) * 1e3 - found.time_ms)
    assert found.arcs == 10**7
    assert min(before_ms) < 50


def test_further_graphs_are_given_by_name(tmp_path: Path) -> None:
    (tmp_path / "both.irgl").write_text("graph Graph { node int p = 2; }\nlong all = 0;\n"
                                        "Kernel fill(Graph h) { ForAll (n In h.nodes) { n.p = 5; } }\n"
                                        "Program both(Graph g, Graph h, node<h> at = h.node(0)) {\n"
                                        "  all = g.num_nodes * 10 + h.num_nodes; Invoke fill(h); at.p = 9; }\n")
    both = irgl.compile(tmp_path / "both.irgl", target="cpu")
    found = both(sp.csr_array((3, 3)), h=nx.path_graph(["x", "y"]), at="y")
    assert (found.all, found.p.tolist(), found.named("h.p")) == (32, [2, 2, 2], {"x": 5, "y": 9})
    with pytest.raises(irgl.IrglError, match=r"both needs a graph for `h`\n  hint: give h="):
        both(sp.csr_array((3, 3)))


def test_a_mesh_is_given_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "one.node").write_text("3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n")
    (tmp_path / "one.ele").write_text("1 3 0\n1 1 2 3\n")
    (tmp_path / "look.irgl").write_text('import "mesh.irgl";\nlong corners = 0;\n'
                                        "Program look(Mesh m) { corners = m.num_points; m.add_point(2.0, 2.0); }\n")
    look = irgl.compile(tmp_path / "look.irgl", target="cpu")
    found = look(str(tmp_path / "one.ele"))
    assert found.corners == 3 and found.mesh is not None and len(found.mesh.xy) == 4
    with pytest.raises(irgl.IrglError, match="look needs a mesh for `m`"):
        look(sp.csr_array((3, 3)))


# Results


def test_properties_are_the_memory_of_the_run(search: Program) -> None:
    found = search(matrix())
    assert found.hops is found.hops and found.hops.dtype == np.int32


def test_nodes_in_properties_are_numbers_without_a_copy(weigh: Program) -> None:
    found = weigh(matrix())
    assert found.to is found.to and found.to.tolist()[1:] == [2, -1]


def test_results_by_name(search: Program) -> None:
    found = search(matrix())
    assert [*found] == ["hops", "reached", "deepest"] and found["reached"] == found.reached == 3


@pytest.mark.parametrize("ask", [lambda f: f["nothing"], lambda f: f.nothing], ids=["item", "attribute"])
def test_an_unknown_result_names_those_that_there_are(search: Program, ask: Any) -> None:
    with pytest.raises((irgl.IrglError, AttributeError), match="has no result `nothing`"):
        ask(search(matrix()))


def test_time_counters_and_plan_are_told(search: Program) -> None:
    found = search(matrix(), repeat=3)
    assert len(found.times_ms) == 3 and found.time_ms == found.times_ms[-1] and found.counters["rounds"] >= 2
    assert found.plan == str(search.plan)


def test_an_answer_is_verified(search: Program) -> None:
    found = search(matrix(), src=0)
    assert found.wrong() is None
    found.hops[2] = 7
    assert "7" in str(found.wrong())


def test_an_answer_without_a_verifier_says_so(weigh: Program) -> None:
    with pytest.raises(irgl.IrglError, match="weigh names no verifier"):
        weigh(matrix()).wrong()


def test_changes_of_the_graph_are_told() -> None:
    forest = irgl.compile(PROGRAMS / "mst.irgl", target="cpu")
    assert forest(matrix()).changed == ("added 3 reverse arcs",) or "reverse" in forest(matrix()).changed[-1]


# Compiling


@pytest.mark.parametrize("target", ["cpu", "ref"])
def test_a_function_is_a_program(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PROGRAMS / "python"))
    monkeypatch.delitem(sys.modules, "bfs", raising=False)
    program = __import__("bfs").bfs
    monkeypatch.delitem(sys.modules, "bfs")
    assert irgl.compile(program, target=target)(matrix(), src=0).hops.tolist() == [0, 1, 1]


def test_a_function_compiles_itself_when_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PROGRAMS / "python"))
    monkeypatch.delitem(sys.modules, "bfs", raising=False)
    program = __import__("bfs").bfs
    monkeypatch.delitem(sys.modules, "bfs")
    assert program(matrix(), src=0).deepest == 1


def test_a_file_in_python_is_a_program() -> None:
    assert irgl.compile(f"{PROGRAMS}/python/bfs.py:bfs", target="cpu")(matrix(), src=1).reached == 2


@pytest.mark.parametrize(("program", "message"), [
    (42, "a int is no program"),
    ("nothing.irgl", "can't read it: No such file or directory"),
    (f"{PROGRAMS}/python/bfs.py:dfs", "there is no program 'dfs'"),
])  # fmt: skip
def test_what_is_no_program_is_refused(program: Any, message: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        irgl.compile(program)
    assert caught.value.message == message


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(irgl.IrglError, match="there is no target 'tpu'"):
        irgl.compile(PROGRAMS / "bfs.irgl", target="tpu")


def test_a_program_without_its_graph_says_so(search: Program) -> None:
    with pytest.raises(irgl.IrglError, match=r"bfs needs a graph for `g`"):
        search()


def test_a_parameter_called_like_an_option_is_the_program_s(weigh: Program) -> None:
    assert weigh(matrix(), seed=100).out[0] == 112


@pytest.mark.parametrize(("options", "message"), [
    ({"repeat": 0}, "repeat=0: it takes a whole number from 1 to 2147483647"),
    ({"repeat": "many"}, "repeat='many': it takes a whole number from 1 to 2147483647"),
    ({"seed": -1}, "seed=-1: it takes a whole number from 0 to 9223372036854775807"),
    ({"seed": 2**63}, "seed=9223372036854775808: it takes a whole number from 0 to 9223372036854775807"),
    ({"worklist_capacity": 2**70}, f"worklist_capacity={2**70}: it takes a whole number from 0 to {2**63 - 1}"),
    ({"threads": 0}, "threads=0: it takes a whole number from 1 to 1024"),
    ({"threads": 1.5}, "threads=1.5: it takes a whole number from 1 to 1024"),
    ({"speed": 9}, "bfs has no parameter `speed`"),
])  # fmt: skip
@pytest.mark.parametrize("how", ["call", "run"])
def test_an_option_that_means_nothing_is_refused(search: Program, how: str, options: Any, message: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        _ = search(matrix(), **options) if how == "call" else irgl.run(search, "path:3", **options)
    assert caught.value.message == message


def test_options_may_be_numpy_s_numbers(search: Program) -> None:
    assert len(search(matrix(), threads=np.int64(1), repeat=np.int64(2), seed=np.uint8(3)).times_ms) == 2


@pytest.mark.parametrize(("call", "message"), [
    (lambda _: irgl.compile("bfs.irgl", plan=3), "plan=3: it takes a text"),
    (lambda _: irgl.compile(irgl.graph, text="graph"), "text= is the text of a file"),
    (lambda search: irgl.run(search, nx.path_graph(3)), "a networkx.classes.graph.Graph is no name of a file"),
    (lambda search: irgl.load_graph("path:3", search, sort=True), "load_graph has no option `sort`"),
    (lambda _: irgl.run(3, "path:3"), "a int is no program"),
    (lambda _: Plan.parse("", "gpu"), "there is no target 'gpu'"),
])  # fmt: skip
def test_a_call_that_means_nothing_is_refused(search: Program, call: Any, message: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        call(search)
    assert caught.value.message.startswith(message)


def test_a_plan_may_be_given_as_such() -> None:
    fast = irgl.compile(PROGRAMS / "bfs.irgl", target="cpu", plan="grain=256")
    assert str(irgl.compile(PROGRAMS / "bfs.irgl", target="cpu", plan=fast.plan).plan) == str(fast.plan)


def test_an_answer_can_be_copied_and_sent_to_another_process(search: Program) -> None:
    found = search(nx.DiGraph([("a", "b")]), src="a")
    for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert again.named("hops") == {"a": 0, "b": 1}
        assert again.wrong() is None


def test_a_fault_in_a_notebook_quotes_the_cell() -> None:
    text = ("import irgl\n@irgl.graph\nclass Graph:\n    p: irgl.node[int] = 0\n@irgl.kernel\ndef k(g: Graph):\n"
            "    for n in g.nodes:\n        n.p = 1 / n.p\n@irgl.program\ndef p(g: Graph):\n    k(g)\n")  # fmt: skip
    linecache.cache["<cell fault>"] = (len(text), None, text.splitlines(keepends=True), "<cell fault>")
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, "<cell fault>", "exec"), names)
    with pytest.raises(irgl.IrglError) as caught:
        names["p"](matrix())
    said = str(caught.value).split("\n")
    assert said[:2] == ["<cell fault>:8:15: error: division by zero", "            n.p = 1 / n.p"]


# Threads and signals


def test_two_programs_run_at_once(search: Program, weigh: Program) -> None:
    held = irgl.as_graph(sp.random_array((3000, 3000), density=0.01, format="csr", rng=1))
    expected = [search(held).hops.tolist(), weigh(irgl.as_graph(matrix())).out.tolist()]
    found: list[Any] = [None, None]

    def work(at: int, run: Any) -> None:
        for _ in range(20):
            found[at] = run()

    threads = [threading.Thread(target=work, args=(0, lambda: search(held, threads=1).hops.tolist())),
               threading.Thread(target=work, args=(1, lambda: weigh(matrix(), threads=1).out.tolist()))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == expected


SPIN = """graph Graph { node long p = 0; }
Kernel spin(Graph g, long times) { ForAll (n In g.nodes) { for (long i = 0; i < times; i++) { n.p += i % 7; } } }
Program turn(Graph g, long times) { Invoke spin(g, times); }
"""


def test_other_threads_run_while_a_program_does(tmp_path: Path) -> None:
    (tmp_path / "turn.irgl").write_text(SPIN)
    turn = irgl.compile(tmp_path / "turn.irgl", target="cpu")
    one = sp.csr_array((1, 1))
    turn(one, times=1)
    ticks = 0
    done = threading.Event()

    def run() -> None:
        turn(one, times=300_000_000, threads=1)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 10


def test_an_interrupted_call_leaves_the_process_usable(tmp_path: Path) -> None:
    (tmp_path / "turn.irgl").write_text(SPIN)
    code = """import os, signal, sys, threading, irgl
import scipy.sparse as sp
turn = irgl.compile(sys.argv[1], target="cpu")
turn(sp.csr_array((1, 1)), times=1)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    turn(sp.csr_array((1, 1)), times=10**12, threads=1)
except KeyboardInterrupt:
    print(turn(sp.csr_array((2, 2)), times=4, threads=1).p.tolist(), flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "turn.irgl")], capture_output=True, text=True,
                          check=False, timeout=120)  # fmt: skip
    assert (done.stdout, done.stderr) == ("[6, 6]\n", "")


def test_a_call_that_a_signal_handler_ends_runs_on_nowhere(tmp_path: Path) -> None:
    (tmp_path / "endless.irgl").write_text(ENDLESS)
    code = """import os, signal, sys, threading, irgl
from irgl.rt.system.interruptible import still_running
endless = irgl.compile(sys.argv[1], target="cpu")
def late(*_):
    raise TimeoutError
signal.signal(signal.SIGUSR1, late)
endless(([], []))
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGUSR1)).start()
try:
    endless(([0], [0]), threads=1)
except TimeoutError:
    print(still_running(), flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "endless.irgl")], capture_output=True, text=True,
                          check=False, timeout=120)  # fmt: skip
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.usefixtures("search")  # compiled before, so that the compiler is not loaded
def test_calling_loads_no_library_that_the_graph_is_not_of() -> None:
    code = ("import sys, irgl, numpy as np\n"
            f"irgl.compile({str(PROGRAMS / 'bfs.irgl')!r}, target='cpu')((np.array([0]), np.array([1])))\n"
            "print(*{'scipy', 'networkx', 'pandas', 'polars', 'pyarrow', 'cupy', 'pycparser'} & set(sys.modules))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_a_pickled_program_runs_in_another_process(weigh: Program, tmp_path: Path) -> None:
    (tmp_path / "weigh.pkl").write_bytes(pickle.dumps(weigh))
    code = ("import pickle, sys; weigh = pickle.load(open(sys.argv[1], 'rb'))\n"
            "print(weigh.plan.target, weigh([(0, 1, 5), (0, 2, 7)], by=3).out.tolist())")
    done = subprocess.run([sys.executable, "-c", code, "weigh.pkl"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "cpu [43, 0, 0]\n", done.stderr


@pytest.mark.parametrize("plan", ["default", "none block=64"])
def test_a_copied_program_keeps_plan_and_target(plan: str) -> None:
    given = irgl.compile(PROGRAMS / "bfs.irgl", target="simt", plan=plan)
    again = copy.deepcopy(given)
    assert (again.plan, again.text) == (given.plan, given.text)


def test_a_program_that_was_built_can_be_pickled() -> None:
    given = irgl.compile(load_text(WEIGHTS), target="cpu")
    again = pickle.loads(pickle.dumps(given))
    assert again([(0, 1, 5)], by=2).out.tolist() == given([(0, 1, 5)], by=2).out.tolist() == [17, 0]
