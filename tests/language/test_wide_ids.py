"""Ids of 64 bits: structs that hold one and are touched as one atomic unit are refused where they are too wide."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from support.programs import ON_GRAPHS, PLACE

import irgl
from irgl.driver import compile as compile_unit
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome, run
from irgl.rt.compile.toolchain import include_dir
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.rt.results.verify import verify
from irgl.source import IrglError
from irgl.standalone import standalone

HINT = "load the graph with ids of 32 bits (--index-bits 32), which hold for less than 2^31 nodes and edges"
PROGRAM = """struct Three {{ node to; int16_t a; int16_t b; }};
struct One {{ node to; }};
struct Own {{ long cost; node to; }};
graph Graph {{ node Three three; node One one; node Own own; node int seen = 0; }}
int count = 0;
Kernel work(Graph g) {{
  ForAll (n In g.nodes) {{
    n.own = (Own){{n.id, n}};
    if (cas(g.node(0).one, (One){{NONE}}, (One){{n}})) {{ count += 1; }}
    {statement}
  }}
}}
Program p(Graph g) {{ Invoke work(g); }}
"""
UPDATES = {
    "an exchange": "g.node(0).three xchg= (Three){n, (int16_t)1, (int16_t)2};",
    "a compare and swap": "if (cas(g.node(0).three, (Three){NONE, (int16_t)0, (int16_t)0}, n.three)) { count += 0; }",
    "a racy store": "racy g.node(0).three = (Three){NONE, (int16_t)1, (int16_t)1};",
}


def ran(path: Path, target: str, bits: int) -> tuple[Manifest, dict[str, Any], Outcome]:
    plan = Plan.parse("default", target)
    manifest = open_program(path, plan)
    given = manifest.graphs[0]
    graphs = {given.name: prepare(load("rmat:5,weights=int", index_bits=bits), requirements(given))}
    values = bind(manifest, graphs, {})
    if target == "simt":
        return manifest, graphs, device.run(manifest, graphs, values, plan, Options())
    return manifest, graphs, run(manifest, graphs, values, plan, Options(threads=2))


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_unit_that_is_too_wide_is_refused_before_it_is_built(target: str) -> None:
    with pytest.raises(IrglError) as e:
        ran(PLACE / "mst.irgl", target, 64)
    text = (PLACE / "mst.irgl").read_text().splitlines()
    assert e.value.span is not None
    assert "mine.lightest_out" in text[e.value.span.line - 1]
    assert (e.value.message, e.value.hint) == (
        "Light is one atomic unit here, and has 16 bytes where nodes have 64 bits and edges 64: 8 bytes at most can be",
        HINT)


@pytest.mark.parametrize("statement", UPDATES.values(), ids=UPDATES.keys())
def test_whatever_touches_it_as_a_whole_counts(statement: str, tmp_path: Path) -> None:
    (tmp_path / "p.irgl").write_text(PROGRAM.format(statement=statement))
    ran(tmp_path / "p.irgl", "cpu", 32)
    with pytest.raises(IrglError, match="Three is one atomic unit here, and has 16 bytes") as e:
        ran(tmp_path / "p.irgl", "cpu", 64)
    assert e.value.span is not None
    assert e.value.span.line == 10


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_one_id_alone_fits_and_what_a_node_owns_may_be_wide(target: str, tmp_path: Path) -> None:
    (tmp_path / "p.irgl").write_text(PROGRAM.format(statement="n.three = (Three){n, (int16_t)1, (int16_t)2};"))
    assert ran(tmp_path / "p.irgl", target, 64)[2].result.scalars["count"] == 1


def test_a_stand_alone_program_says_so_first(tmp_path: Path) -> None:
    plan = Plan()
    (tmp_path / "mst.cpp").write_text(standalone(compile_unit(PLACE / "mst.irgl"), plan))
    for bits in (32, 64):
        done = subprocess.run(["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", f"-I{include_dir()}",
                               f"-DIRGL_EDGE_BITS={bits}", str(tmp_path / "mst.cpp")], capture_output=True, text=True,
                              check=False)
        errors = [line for line in done.stderr.splitlines() if " error: " in line]
        assert ("mst.irgl:" in errors[0] and "build with ids of 32 bits" in errors[0]) if bits == 64 else errors == []


@pytest.mark.parametrize("target", ["cpu", pytest.param("simt", marks=pytest.mark.matrix)])
@pytest.mark.parametrize("name", ["bfs", "sssp_nf", *(
    pytest.param(n, marks=pytest.mark.matrix) for n in ON_GRAPHS if n not in ("mst", "bfs", "sssp_nf"))])
def test_programs_are_right_with_wide_ids(name: str, target: str) -> None:
    manifest, graphs, outcome = ran(PLACE / f"{name}.irgl", target, 64)
    assert verify(manifest, graphs, bind(manifest, graphs, {}), outcome.result) is None


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_matrix_of_wide_indices_is_narrowed_for_what_needs_ids_of_32_bits(target: str) -> None:
    matrix = nx.to_scipy_sparse_array(nx.cycle_graph(5), dtype=np.int32, format="csr")
    matrix.indptr, matrix.indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    held = irgl.as_graph(matrix)
    found = irgl.compile(PLACE / "mst.irgl", target=target)(held)
    assert (found.weight, found.edges, found.trees) == (4, 4, 1)
    assert found.wrong() is None


def test_other_programs_share_the_wide_indices() -> None:
    held = irgl.as_graph(sp.csr_array((np.ones(2, np.int32), np.array([1, 0]), np.array([0, 1, 2])), shape=(2, 2)))
    irgl.compile(PLACE / "mst.irgl")(held)
    found = irgl.compile(PLACE / "cc.irgl")(held)
    assert np.shares_memory(found.graphs["g"].dst, held.graph.dst)
