"""The handwritten CUDA programs beside which ours are timed: each finds in the emulator what NetworkX finds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.places import BENCHMARKS
from support.verifying import multigraph, simple

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.writers import convert

FOLDER = BENCHMARKS / "handwritten"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.cu"))
# Skewed and directed; a mesh; a node with more edges than a block has threads. The device is small, so that blocks take
# several turns at their loops.
GRAPHS = ["rmat:10,weights=int", "grid:9x7,weights=int", "star:300"]
SMALL_DEVICE = {"IRGL_EMU_SMS": "1"}
TARGETS = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in ("75", "90", "120")]


def lengths(graph: Graph, src: int, *, weighted: bool) -> list[int]:
    lightest = nx.DiGraph()
    for u, v, w in multigraph(graph).edges(data="weight", default=1):
        lightest.add_edge(u, v, weight=min(w, lightest.get_edge_data(u, v, {"weight": w})["weight"]) if weighted else 1)
    return [int(length) for length in nx.single_source_dijkstra_path_length(lightest, src).values()]


def bfs(graph: Graph, src: int) -> dict[str, Any]:
    found = lengths(graph, src, weighted=False)
    return {"reached": len(found), "deepest": max(found)}


def sssp(graph: Graph, src: int) -> dict[str, Any]:
    found = lengths(graph, src, weighted=True)
    return {"reached": len(found), "deepest": max(found), "total": sum(found)}


def cc(graph: Graph, _src: int) -> dict[str, Any]:
    parts = list(nx.weakly_connected_components(multigraph(graph)))
    return {"components": len(parts), "labels": sum(min(part) * len(part) for part in parts)}


def pr(graph: Graph, _src: int) -> dict[str, Any]:
    rank = nx.pagerank(multigraph(graph), weight=None, tol=1e-12, max_iter=1000)
    mixed = sum(x * (v % 7) for v, x in rank.items())
    return {"sum": pytest.approx(1, abs=1e-4), "largest": pytest.approx(max(rank.values()), rel=1e-3),
            "mixed": pytest.approx(mixed, rel=1e-3)}  # fmt: skip


def tri(graph: Graph, _src: int) -> dict[str, Any]:
    return {"triangles": sum(nx.triangles(simple(graph)).values()) // 3}


ORACLES: dict[str, Callable[[Graph, int], dict[str, Any]]] = {"bfs": bfs, "sssp": sssp, "cc": cc, "pr": pr, "tri": tri}


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize("spec", GRAPHS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_finds_what_networkx_finds(name: str, spec: str, tmp_path: Path) -> None:
    graph = convert(spec, str(tmp_path / "g.irglg"), use_cache=False)
    src = int(np.argmax(graph.out_degrees()))
    arguments = [str(tmp_path / "g.irglg"), "--src", str(src), "--repeat", "1"]
    command = [sys.executable, "-m", "irgl", "emulate", str(FOLDER / f"{name}.cu"), "--", *arguments]
    env = os.environ | SMALL_DEVICE
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    program, variant = name.split("_")
    assert (found["program"], found["variant"]) == (program, variant)
    expected = ORACLES[program](graph, src)
    assert {key: found[key] for key in expected} == expected


@pytest.mark.matrix
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_nvcc_compiles_all_without_a_warning(tmp_path: Path) -> None:
    flags = ["-std=c++17", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra", *TARGETS]

    def told(name: str) -> str:
        command = ["nvcc", *flags, "-c", str(FOLDER / f"{name}.cu"), "-o", str(tmp_path / f"{name}.o")]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        assert dict(zip(PROGRAMS, pool.map(told, PROGRAMS), strict=True)) == dict.fromkeys(PROGRAMS, "")
