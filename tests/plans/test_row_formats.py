"""Forms of rows: which loops take a node's edges from them, and that no answer changes."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.awkward_graphs import awkward, random_arcs
from support.places import ROOT
from support.programs import PLACE, run_program
from support.tables import found_and_wanted

from irgl import driver
from irgl.forms import cr2, delta
from irgl.forms.find import form, names
from irgl.forms.form import Rows
from irgl.plan import Plan
from irgl.rt.forms.native import native
from irgl.source import IrglError
from irgl.space import legal_space

FORMS = [name for name in names() if form(name).kind == "rows"]
PROGRAMS = ("bfs", "sssp_nf", "cc", "pr_pull", "kcore", "mis", "mst", "bc", "label_propagation")
#: Each with another graph, so that all pairs of neighbours in the two lists come up.
GRAPHS = ("empty", "one loop", "self-loops", "parallel arcs", "star", "star inwards", "disconnected", "grid", "dense",
          "middling")
TIGHT = "serial=off grain=1 giant=1"


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_form_of_rows_changes_no_answer(program: str, name: str) -> None:
    for k, graph in enumerate(GRAPHS):
        ran = run_program(program, awkward()[graph], plan=f"format={name} {TIGHT if k % 2 else ''}",
                          threads=(1, 2, 4)[k % 3])
        assert ran.wrong() is None, graph


@pytest.mark.parametrize("program", ["pr_pull", "sssp_bf"])
def test_cr2_without_its_list_changes_no_answer(program: str) -> None:
    for k, graph in enumerate(GRAPHS):
        plan = f"format=cr2 cluster=8 expand=off {TIGHT if k % 2 else ''}"
        assert run_program(program, awkward()[graph], plan=plan, threads=(1, 2, 4)[k % 3]).wrong() is None, graph


def test_cr2_without_its_list_is_a_sweep() -> None:
    text = driver.compile(PLACE / "pr_pull.irgl", plan=Plan.parse("format=cr2 expand=off")).text
    assert "irgl::each_edge" in text
    assert "irgl::Placed" not in text


@pytest.mark.parametrize("name", FORMS)
def test_a_program_that_makes_a_graph_has_none(name: str) -> None:
    checked = driver.ready(PLACE / "tri.irgl").checked
    refused = {dict(c.refused).get(name) for c in legal_space(checked.program) if c.option == "format"}
    assert refused == {"the Program makes a graph of another, and forms are built before it runs"}


@pytest.mark.parametrize(("loop", "why"), [
    ("ForAll (e In n.edges.skip(1)) { n.p += 1; }", "it does not run over all edges of a node"),
    ("auto mine = n.edges; ForAll (e In mine) { n.p += 1; }",
     "it runs over 'mine', a variable that holds some node's edges"),
    ("ForAll (e In g.edges) { n.p += 1; }", "it does not run over all edges of a node"),
])
@pytest.mark.parametrize("name", FORMS)
def test_a_loop_that_cannot_take_its_edges_from_a_form_says_why(name: str, loop: str, why: str) -> None:
    text = f"""graph Graph {{ node int p = 0; edge int w; }}
Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ {loop} }} }}
Program main(Graph g) {{ Invoke k(g); }}"""
    checked = driver.ready("k.irgl", text).checked
    found = next(c for c in legal_space(checked.program) if (c.place, c.option) == ("k.loop1.loop1", "format"))
    assert dict(found.refused)[name] == why


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("body", ["Atomic (e.dst.guard) { e.dst.sum = e.dst.sum + e.w; }",
                                  "long w = relaxed e.w; e.dst.sum += w;"])
def test_a_weight_is_the_forms_under_a_lock_too_and_where_it_is_read_relaxed(body: str, target: str) -> None:
    text = f"""graph Graph {{ node lock guard; node long sum = 0; edge int w; }}
Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ ForAll (e In n.edges) {{ {body} }} }} }}
Program main(Graph g) {{ Invoke k(g); }}"""
    found, wanted = found_and_wanted(text, "format=split", target, random_arcs(11, 60, 300))
    assert found.properties["sum"] == wanted.properties["sum"]


def rows_of(*of: list[int]) -> Rows:
    row = np.cumsum([0, *map(len, of)]).astype(np.int32)
    return Rows(row, np.array([x for r in of for x in r], np.int32))


def test_gaps_of_one_take_nothing_where_no_arcs_are_parallel() -> None:
    built = delta.build(rows_of(list(range(64))), {}, native(32, 32))
    assert built.numbers == (1, 1)
    assert len(built.arrays[2]) - 16 == 16  # a byte for each four


def test_parallel_arcs_keep_their_gaps() -> None:
    built = delta.build(rows_of([0, 0, 0, 0, 1, 1]), {}, native(32, 32))
    assert built.numbers[1] == 0


def test_a_row_that_does_not_ascend_is_sorted_and_keeps_its_numbers() -> None:
    built = delta.build(rows_of([2, 0, 2, 1]), {}, native(32, 32))
    assert built.edge is not None
    assert built.edge.tolist() == [1, 3, 0, 2]


def test_rows_that_ascend_need_no_numbers() -> None:
    assert delta.build(rows_of([0, 1, 2], [0]), {}, native(32, 32)).edge is None


def test_a_graph_whose_distances_do_not_fit_is_refused() -> None:
    class Vast(Rows):
        n = (1 << 31) + 1  # type: ignore[assignment]

    with pytest.raises(IrglError) as e:
        delta.build(Vast(np.zeros(1, np.int64), np.zeros(0, np.int64)), {}, native(64, 64))
    assert str(e.value) == (
        "error: format=delta takes graphs of at most 2147483648 nodes, and this one has 2147483649\n"
        "  hint: take another form, or csr")


def test_pieces_are_cut_from_32_down_to_1_and_ids_inside_a_cluster_are_short() -> None:
    built = cr2.build(rows_of(list(range(43)), *[[]] * 299), {"cluster": "8", "expand": "on"}, native(32, 32))
    pointers = built.arrays[5]
    assert (pointers >> 31).tolist() == [0] * 4
    assert (pointers >> 28 & 7).tolist() == [5, 3, 1, 0]
    assert [a.dtype.name for a in built.arrays[:4]] == ["uint8", "uint8", "int32", "int32"]
    assert [len(a) for a in built.arrays[:4]] == [4, 43, 0, 0]


def test_edges_across_clusters_are_cut_by_themselves() -> None:
    built = cr2.build(rows_of([1, 256, 2, 257, 258], *[[]] * 299), {"cluster": "8", "expand": "on"}, native(32, 32))
    assert [(int(p >> 31), int(p >> 28 & 7)) for p in built.arrays[5]] == [(0, 1), (1, 1), (1, 0)]
    assert built.arrays[1].tolist() == [1, 2]
    assert sorted(built.arrays[3].tolist()) == [256, 257, 258]


def test_a_number_of_a_piece_that_has_no_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cr2, "_NUMBER", 1)
    of = rows_of([0], [0], [0])
    with pytest.raises(IrglError) as e:
        cr2.build(of, {"cluster": "8", "expand": "on"}, native(32, 32))
    assert str(e.value) == ("error: format=cr2 has numbers of 1 bits for pieces of one length, and there are 3 here\n"
                            "  hint: take expand=off, or another form")
    assert len(cr2.build(of, {"cluster": "8", "expand": "off"}, native(32, 32)).arrays[5]) == 0


DECODES = """#include "cpu_rt/forms/make_delta.hpp"
#include <cstdio>
int main() {
  using namespace irgl;
  for (int kind = 0; kind < 2; ++kind)
    for (uint32_t least = 0; least < 2; ++least)
      for (size_t count = 1; count <= delta_::stretch; ++count) {
        node_t far[64];
        for (size_t i = 0; i < count; ++i) far[i] = node_t(i < 3 ? i + 1 : far[i - 1] + (node_t(1) << (i * 7 % 25)));
        uint8_t bytes[400] = {};
        delta_::coded(far, count, 1000, delta_::tables[kind], least, bytes);
        uint32_t found[64];
        delta_::decode(bytes, delta_::tables[kind], least, 1000, count, found);
        for (size_t i = 0; i < count; ++i) if (node_t(found[i]) != far[i]) return std::printf("%d %zu\\n", kind, i), 1;
      }
}
"""


@pytest.mark.parametrize("flag", ["-mssse3", "-mno-ssse3"])
def test_codes_are_read_with_and_without_shuffles(tmp_path: Path, flag: str) -> None:
    if not re.search("x86|AMD64", os.uname().machine):
        pytest.skip("flags of another processor")
    (tmp_path / "decodes.cpp").write_text(DECODES)
    subprocess.run(["g++", "-std=c++17", "-O1", flag, "-fsanitize=undefined,address",
                    "-fno-sanitize-recover", f"-I{ROOT}", "decodes.cpp", "-o", "decodes"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "decodes"], check=True)
