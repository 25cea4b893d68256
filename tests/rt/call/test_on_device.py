"""Programs for a GPU called from Python beside CuPy: in this process, on arrays of the device. A stand-in is CuPy, the
device's memory is the machine's, and the units are the CPU's."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from support.cupy_stand_in import csr_matrix, installed, ndarray, unit_of
from support.places import PROGRAMS, TESTS

import irgl
from irgl.rt.call import abi, on_device
from irgl.rt.call.callable import Program

#: Of which several answers are right.
VERIFIED = ("pr", "pr_pull", "mst", "cc", "mis")
MIXED = """struct Pair { int a; node b; };
graph Graph { node int8 small = 3; node bool odd = false; node Pair both = (Pair){1, NONE}; node node to; edge float w;
  edge double twice = 0.0; }
Kernel mix(Graph g, int by) { ForAll (n In g.nodes) { n.odd = n.id % 2 == 1; n.both = (Pair){by, n};
  ForAll (e In n.edges) { e.twice = 2.0 * e.w; relaxed n.to = e.dst; } } }
Program mixed(Graph g, int by = 1, node src = first) { Invoke mix(g, by); }
"""
FAULTY = """graph Graph { node int p = 0; }
Kernel k(Graph g, int by) { ForAll (n In g.nodes) { n.p = 1 / by; } }
Program faulty(Graph g, int by) { Invoke k(g, by); }
"""


@pytest.fixture
def cupy() -> Iterator[Any]:
    with installed() as found:
        yield found


def program(name: str, plan: str = "none") -> Program:
    return irgl.compile(PROGRAMS / f"{name}.irgl", target="cuda", plan=plan)


@pytest.fixture
def mixed(tmp_path: Path) -> Program:
    (tmp_path / "mixed.irgl").write_text(MIXED)
    return irgl.compile(tmp_path / "mixed.irgl", target="cuda", plan="none")


def skewed(symmetric: bool = False) -> Any:
    draw = np.random.default_rng(3)
    found = sp.random_array((200, 200), density=0.03, format="csr", rng=draw, dtype=np.float32)
    found = found + found.T if symmetric else found
    found.setdiag(0)
    found.eliminate_zeros()
    found.data[:] = draw.integers(1, 9, found.nnz)
    if symmetric:
        found = sp.csr_array(sp.tril(found) + sp.tril(found).T)
    found.sort_indices()
    return found


def told(cupy: Any) -> abi.Graph:
    """The first graph of the last call."""
    found: abi.Graph = cupy.calls[-1].records[0]
    return found


@pytest.mark.parametrize("name", ["bfs", "sssp_nf", "pr", "tri", "mst", "pr_pull", "cc", "mis"])
@pytest.mark.parametrize("on_gpu", [False, True])
def test_answers_are_right_and_cupys(cupy: Any, name: str, on_gpu: bool) -> None:
    matrix = skewed(symmetric=True)
    found = program(name)(csr_matrix(matrix) if on_gpu else matrix)
    right = irgl.compile(PROGRAMS / f"{name}.irgl", target="cpu", plan="none")(matrix)
    assert found.wrong() is None
    for result in found:
        if result in found.scalars:
            assert name in VERIFIED or found[result] == right[result]
            continue
        is_struct = right[result].dtype.names is not None
        assert isinstance(found[result], np.ndarray if is_struct else cupy.ndarray)
        assert found[result].dtype == right[result].dtype
        assert name in VERIFIED or found[result].tolist() == right[result].tolist()


def test_forms_of_a_graph_on_a_device_are_built_and_brought_there(cupy: Any) -> None:
    matrix = csr_matrix(skewed())
    program("sssp_bf", "format=coo")(matrix, src=0)
    graph = told(cupy)
    there = {array.data.ptr for array in (*cupy.made, matrix.indices)}  # far ends lie as the matrix has them
    assert graph.num_forms == 1
    assert {address for address in graph.forms[0].arrays if address} <= there


def test_a_property_is_the_memory_that_the_unit_wrote(cupy: Any) -> None:
    search = program("bfs")
    found = search(skewed(), src=0)
    graph = told(cupy)
    assert graph.flags & abi.GRAPH_ON_DEVICE and graph.properties[0] == found.hops.data.ptr
    assert found.hops.__cuda_array_interface__["data"][0] == graph.properties[0]
    assert np.from_dlpack(found.hops).ctypes.data == graph.properties[0]
    assert found.hops is found.hops and cupy.traffic["fetched"] == 0


def test_a_fitting_matrix_is_used_where_it_lies(cupy: Any, mixed: Program) -> None:
    matrix = csr_matrix(skewed())
    mixed(matrix)
    graph = told(cupy)
    weights = mixed.manifest.graphs[0].properties
    at = next(k for k, p in enumerate(weights) if p.weights)
    assert (graph.row, graph.cols, graph.properties[at]) == (
        matrix.indptr.data.ptr, matrix.indices.data.ptr, matrix.data.data.ptr)
    assert (cupy.traffic["brought"], cupy.traffic["fetched"]) == (0, 8 * 200)  # the structs


def test_a_second_call_brings_nothing(cupy: Any) -> None:
    search, paths, matrix = program("bfs"), program("sssp_nf"), skewed()
    held = irgl.as_graph(matrix)
    search(held, src=0)
    once = cupy.traffic["brought"]
    assert once == matrix.indptr.nbytes + matrix.indices.nbytes
    paths(held, src=0)
    weights = 4 * matrix.nnz
    assert cupy.traffic["brought"] == once + weights  # another program brings what it wants beside
    for p in (search, paths):
        p(held, src=1)
    assert cupy.traffic["brought"] == once + weights


def test_a_matrix_that_is_not_kept_may_change_between_calls(cupy: Any, mixed: Program) -> None:
    matrix = skewed()
    before = mixed(matrix).twice.get()
    matrix.data[:] += 1
    assert (mixed(matrix).twice.get() == before + 2).all() and cupy.traffic["brought"] > 0


def test_what_preparing_leaves_alone_stays_where_it_lies(cupy: Any) -> None:
    paths, forest, matrix = program("sssp_nf"), program("mst"), csr_matrix(skewed(symmetric=True))
    paths(matrix, src=0)  # whose weights are whole numbers
    graph = told(cupy)
    assert (graph.row, graph.cols) == (matrix.indptr.data.ptr, matrix.indices.data.ptr)
    assert cupy.traffic["brought"] == 4 * len(matrix.data)
    forest(csr_matrix(skewed()))
    assert told(cupy).edges > len(skewed().data)


def test_an_empty_graph_has_room_for_what_a_fault_looks_at(cupy: Any, mixed: Program) -> None:
    for matrix in (sp.csr_array((0, 0), dtype=np.float32), sp.csr_array((1, 1), dtype=np.float32)):
        given = csr_matrix(matrix)
        found = mixed(given)
        assert len(found.small) == matrix.shape[0]
        graph = told(cupy)
        rooms = {a.data.ptr: a.nbytes for a in (*cupy.made, given.indptr)}
        assert min(rooms[graph.row], rooms[graph.cols]) >= 8
        assert all(rooms[graph.properties[k]] >= 4 for k in range(4))


def test_small_types_end_with_a_whole_word(cupy: Any, mixed: Program) -> None:
    found = mixed(skewed()[:199, :199])
    rooms = {a.data.ptr: a.nbytes for a in cupy.made}
    assert min(rooms[found.small.data.ptr], rooms[found.odd.data.ptr]) >= 200


def test_structs_are_numpys(cupy: Any, mixed: Program) -> None:
    del cupy
    found = mixed(skewed(), by=7)
    assert isinstance(found.both, np.ndarray) and found.both["a"].tolist() == [7] * 200
    assert found.both["b"].tolist() == [*range(200)] and isinstance(found.odd, ndarray)


ROWS = """graph Graph { input node float h[3]; node float sum[3]; }
Kernel add(Graph g) {
  ForAll (n In g.nodes) { ForAll (e In n.in_edges) { For (k In range(3)) { n.sum[k] += e.src.h[k]; } } }
}
Program rows(Graph g) { Invoke add(g); }
"""


@pytest.mark.parametrize("on_gpu", [False, True])
def test_several_values_of_each_node_are_rows_of_an_array(cupy: Any, on_gpu: bool, tmp_path: Path) -> None:
    (tmp_path / "rows.irgl").write_text(ROWS)
    graph, h = skewed(), np.arange(600, dtype=np.float32).reshape(200, 3)
    found = irgl.compile(tmp_path / "rows.irgl", target="cuda", plan="none")(
        graph, h=cupy.asarray(h) if on_gpu else h).sum
    assert isinstance(found, ndarray) and found.shape == (200, 3)
    assert found.tolist() == ((graph != 0).T @ h).tolist()


def test_results_are_told_shown_and_saved(cupy: Any, mixed: Program, tmp_path: Path) -> None:
    del cupy
    found = mixed(nx.DiGraph([("p", "q", {"weight": 2.0})]))
    assert (found.named("to"), found.named("odd")) == ({"p": "q", "q": None}, {"p": False, "q": True})
    assert "twice" in found._repr_html_() and "odd: bool[2]" in repr(found)
    found._result.save(tmp_path / "a.npz")
    saved = np.load(tmp_path / "a.npz")
    assert saved["twice"].tolist() == [4.0]
    assert found._result.summary()["twice"]["sum"] == 4.0


def test_nodes_have_the_numbers_of_the_file(cupy: Any, mixed: Program, tmp_path: Path) -> None:
    (tmp_path / "g.el").write_text("10 20\n20 40\n")
    found = mixed(str(tmp_path / "g.el"), src=20)
    assert isinstance(found.to, cupy.ndarray) and found.to.get().tolist() == [20, 40, -1]


def test_a_form_s_arrays_lie_on_the_device(cupy: Any) -> None:
    matrix = csr_matrix(skewed())
    program("sssp_bf", "format=coo")(matrix, src=0)
    there = {a.data.ptr: a.nbytes for a in (*cupy.made, matrix.data, matrix.indices, matrix.indptr)}
    form = told(cupy).forms[0]
    held = [(int(p), size) for p, size in zip(form.arrays, form.bytes, strict=True) if p]
    assert len(held) == 5  # with the weights
    assert all(size <= there[p] for p, size in held)


def test_an_order_of_the_plan_is_seen_by_nobody(cupy: Any) -> None:
    matrix = csr_matrix(skewed())
    found = program("bfs", "none order=degree")(matrix, src=5)
    assert isinstance(found.hops, cupy.ndarray)
    assert found.hops.get().tolist() == program("bfs")(matrix, src=5).hops.get().tolist()


def test_a_plan_that_hangs_on_the_graph_fetches_no_edges(cupy: Any) -> None:
    matrix = csr_matrix(skewed())
    program("bfs", "default")(matrix, src=0)
    assert (cupy.traffic["brought"], cupy.traffic["fetched"]) == (0, matrix.indptr.nbytes)


def test_the_graph_is_still_there_for_the_host(cupy: Any) -> None:
    matrix = skewed()
    found = program("bfs")(csr_matrix(matrix), src=0)
    assert (found.graphs["g"].num_nodes, found.graphs["g"].num_edges) == (200, matrix.nnz)
    assert cupy.traffic["fetched"] == 0
    assert found.graphs["g"].dst.tolist() == matrix.indices.tolist()
    assert found.graphs["g"].sources().tolist() == matrix.tocoo().row.tolist()


def test_a_matrix_on_a_gpu_is_a_graph_for_other_targets(cupy: Any) -> None:
    assert cupy.traffic["fetched"] == 0
    found = irgl.compile(PROGRAMS / "bfs.irgl", target="cpu")(csr_matrix(skewed()), src=0)
    assert isinstance(found.hops, np.ndarray) and found.wrong() is None


def test_a_program_runs_where_its_graph_lies(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[int] = []
    before = cupy.cuda.Device.__enter__
    monkeypatch.setattr(cupy.cuda.Device, "__enter__", lambda self: (entered.append(self.id), before(self))[1])
    found = program("bfs")(csr_matrix(skewed(), device=1), src=0)
    assert set(entered) == {1} and found.hops.device.id == 1 and cupy.traffic["brought"] == 0
    assert cupy.cuda.Device().id == 0


def test_cupys_stream_has_ended_before_the_run(cupy: Any) -> None:
    program("bfs")(csr_matrix(skewed()), src=0)
    assert cupy.traffic["waits"] >= 1


def test_times_and_counters_are_the_device_s(cupy: Any) -> None:
    del cupy
    found = program("bfs")(skewed(), src=0, repeat=3)
    assert found.times_ms == (2.0, 2.0, 2.0) and "transfer_bytes" in found.counters


def test_two_graphs_are_both_on_the_device(cupy: Any, tmp_path: Path) -> None:
    (tmp_path / "both.irgl").write_text("graph Graph { node int p = 2; }\nlong all = 0;\n"
                                        "Kernel fill(Graph h) { ForAll (n In h.nodes) { n.p = 5; } }\n"
                                        "Program both(Graph g, Graph h) { all = g.num_nodes; Invoke fill(h); }\n")
    both = irgl.compile(tmp_path / "both.irgl", target="cuda", plan="none")
    found = both(csr_matrix(skewed()), h=nx.path_graph(["x", "y"]))
    assert (found.all, found.named("h.p")) == (200, {"x": 5, "y": 5})
    assert isinstance(found["h.p"], cupy.ndarray)


@pytest.mark.parametrize(("array", "message"), [
    ("indices", "the matrix's indices name columns that it has not"),
    ("indptr", "the matrix's indptr does not divide its indices into rows"),
])
def test_a_broken_matrix_is_refused_before_a_unit_sees_it(cupy: Any, array: str, message: str) -> None:
    del cupy
    broken = csr_matrix(skewed())
    getattr(broken, array).values[1] = -5
    with pytest.raises(irgl.IrglError) as caught:
        program("bfs")(broken, src=0)
    assert caught.value.message == message


def test_a_fault_is_told_at_its_line(cupy: Any, tmp_path: Path) -> None:
    del cupy
    (tmp_path / "faulty.irgl").write_text(FAULTY)
    faulty = irgl.compile(tmp_path / "faulty.irgl", target="cuda", plan="none")
    with pytest.raises(irgl.IrglError, match=r"faulty\.irgl:2:\d+: error: division by zero"):
        faulty(skewed(), by=0)
    assert faulty(skewed(), by=1).p.get().sum() == 200


def test_a_failing_device_says_what_is_lost(cupy: Any) -> None:
    del cupy
    search = program("bfs")
    search(skewed(), src=0)
    fault = ctypes.c_int.in_dll(unit_of(search), "planted_fault")
    fault.value = abi.FAULT_DEVICE
    try:
        with pytest.raises(irgl.IrglError, match="CUDA failed, as it says on stderr\n  hint: arrays on the GPU may be"):
            search(skewed(), src=0)
    finally:
        fault.value = 0


def test_too_little_memory_is_told(cupy: Any) -> None:
    def none(*_: Any) -> Any:
        raise MemoryError

    cupy.empty = none
    with pytest.raises(irgl.IrglError, match="there is not enough memory for the program's properties"):
        program("bfs")(skewed(), src=0)


def test_a_mesh_stays_in_its_process(cupy: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    del cupy
    (tmp_path / "one.node").write_text("3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n")
    (tmp_path / "one.ele").write_text("1 3 0\n1 1 2 3\n")
    ran: list[str] = []

    def run(*_: Any, **__: Any) -> Any:
        ran.append("process")
        raise irgl.IrglError("enough")

    monkeypatch.setattr("irgl.rt.call.device.run", run)
    with pytest.raises(irgl.IrglError, match="enough"):
        program("dmr")(str(tmp_path / "one.ele"))
    assert ran == ["process"]


def test_without_cupy_it_is_a_process(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    del cupy
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.setattr("irgl.rt.call.device.run", lambda *_, **__: (_ for _ in ()).throw(irgl.IrglError("a process")))
    with pytest.raises(irgl.IrglError, match="a process"):
        program("bfs")(skewed(), src=0)


def test_without_a_gpu_cupy_is_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "cupy.py").write_text("raise AssertionError('loaded')\n")
    code = (f"import sys, irgl\nsys.path.insert(0, {str(tmp_path)!r})\n"
            "from irgl.rt.call import on_device\nfrom irgl.rt.compile import nvcc\n"
            "def none(): raise irgl.IrglError('no device')\n"
            "nvcc.require_device = none\nprint(on_device.cupy(), 'cupy' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("None False\n", "")


SPIN = """graph Graph { node long p = 0; }
Kernel spin(Graph g, long times) { ForAll (n In g.nodes) { for (long i = 0; i < times; i++) { n.p += i % 7; } } }
Program turn(Graph g, long times) { Invoke spin(g, times); }
"""


def test_an_interrupted_call_leaves_the_process_usable(tmp_path: Path) -> None:
    (tmp_path / "turn.irgl").write_text(SPIN)
    code = """import os, signal, sys, threading, irgl
sys.path.insert(0, sys.argv[2])
import scipy.sparse as sp
from support.cupy_stand_in import installed
with installed():
    turn = irgl.compile(sys.argv[1], target="cuda", plan="none")
    turn(sp.csr_array((1, 1)), times=1)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        turn(sp.csr_array((1, 1)), times=10**12)
    except KeyboardInterrupt:
        print(turn(sp.csr_array((2, 2)), times=4).p.get().tolist(), flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "turn.irgl"), str(TESTS)],
                          capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.stderr) == ("[6, 6]\n", "")


def test_a_library_that_cant_be_loaded_is_built_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path] = []

    def build(*_: Any, **__: Any) -> Path:
        built.append(tmp_path / f"{len(built)}.so")
        built[-1].write_text("no library")
        return built[-1]

    monkeypatch.setattr("irgl.rt.compile.nvcc.build", build)
    with pytest.raises(irgl.IrglError, match="can't load the compiled program"):
        on_device.opened("a text of nothing", (32, 32), "sm_90")
    assert [path.exists() for path in built] == [False, False]


GIVEN = """graph Graph { input node double start = 0; input node int kept = 0; node double next = 0; }
long most = 0;
Kernel step(Graph g) { ForAll (n In g.nodes) { n.next = n.start + 1; n.kept += 1; } }
Kernel ask(Graph g, list<node> some) { ForAll (n In some.items) { most max= n.kept; } }
Program given(Graph g, list<node> some) { Invoke step(g); Invoke ask(g, some); }
"""


@pytest.fixture
def given(tmp_path: Path) -> Program:
    (tmp_path / "given.irgl").write_text(GIVEN)
    return irgl.compile(tmp_path / "given.irgl", target="cuda", plan="none")


def test_one_call_s_result_is_the_next_one_s_input_where_it_lies(cupy: Any, given: Program) -> None:
    graph = irgl.as_graph(csr_matrix(skewed()))
    first = given(graph, some=[])
    before = dict(cupy.traffic)
    second = given(graph, some=[], start=first.next)
    places = [p.name for p in given.manifest.graphs[0].properties]
    assert told(cupy).properties[places.index("start")] == first.next.data.ptr
    assert (cupy.traffic["fetched"], cupy.traffic["brought"]) == (before["fetched"], before["brought"] + 4 * 200)
    assert second.next.values.tolist() == [2.0] * 200 and first.next.values.tolist() == [1.0] * 200


def test_an_input_of_the_host_is_brought_once_and_stays_as_it_is(cupy: Any, given: Program) -> None:
    start, kept = np.arange(200.0), np.arange(200, dtype=np.int32)
    found = given(csr_matrix(skewed()), some=[3, 7], start=start, kept=kept, repeat=3)
    assert cupy.traffic["brought"] == start.nbytes + kept.nbytes
    assert found.next.values.tolist() == (start + 1).tolist() and found.kept.values.tolist() == (kept + 1).tolist()
    assert found.most == 8 and kept.tolist() == [*range(200)]


def test_what_the_program_changes_begins_from_a_copy_on_the_device(cupy: Any, given: Program) -> None:
    kept = cupy.asarray(np.arange(200, dtype=np.int32))
    found = given(csr_matrix(skewed()), some=cupy.asarray(np.array([3, 7])), kept=kept)
    assert found.kept.data.ptr != kept.data.ptr and found.most == 8
    assert kept.values.tolist() == [*range(200)] and found.kept.values.tolist() == [*range(1, 201)]


def test_an_input_on_the_device_of_another_type_is_converted(cupy: Any, given: Program) -> None:
    found = given(csr_matrix(skewed()), some=[], start=cupy.asarray(np.arange(200)))
    assert found.next.values.tolist() == [*range(1, 201)]
    with pytest.raises(irgl.IrglError, match=r"`start` has the shape \(3,\)"):
        given(csr_matrix(skewed()), some=[], start=cupy.asarray(np.arange(3.0)))


def test_a_plan_s_order_moves_inputs_of_the_device(cupy: Any, tmp_path: Path) -> None:
    (tmp_path / "given.irgl").write_text(GIVEN)
    ordered = irgl.compile(tmp_path / "given.irgl", target="cuda", plan="none order=degree")
    start = np.arange(200.0)
    found = ordered(csr_matrix(skewed()), some=[7], start=cupy.asarray(start), kept=np.arange(200))
    assert found.next.get().tolist() == (start + 1).tolist() and found.most == 8
