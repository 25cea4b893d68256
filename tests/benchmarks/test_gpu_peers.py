"""Programs of others in the suite for machines with a GPU: what they get, and what is read from what they print."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.places import BENCHMARKS, ROOT

sys.path.insert(0, str(BENCHMARKS))

from on_gpu.parts import peer_graphs
from on_gpu.parts.peer_table import (
    AS_IT_IS,
    GRAPHS,
    PEERS,
    PROBLEMS,
    UNDIRECTED,
    complaint,
    disagreements,
    milliseconds,
)

from irgl.rt.graphs.load import load
from irgl.rt.graphs.prepare import prepare

ARCS = "0 1 5\n0 2 7\n2 0 3\n"
#: What each family prints, and the seconds in it.
OUTPUTS = {
    "graphit-bfs-web": ("elapsed time: \n0.25\nelapsed time: \n1.5e-05\nelapsed time: \n0.125\nreached: 9\n", 125.0),
    "gunrock-sssp": ("Source : 3\nGPU Elapsed Time : 250 (ms)\nGPU Elapsed Time : 1.5e-01 (ms)\n"
                     "GPU Elapsed Time : 2.5 (ms)\n", 2.5),
    "ecl-cc": ("average degree: 4.00 edges per node\ncompute time: 0.250000000 s\n", 250.0),
    "ecl-mst": ("GPU: x\n\nDev+:  0.002000000 s\nHost:  0.000152000 s\nall good\n", 2.0),
}


def suite(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / "gpu.py"), "--target", "simt", "--quick", "--json",
               str(folder / "a.json"), *options]
    env = {**os.environ, "IRGL_EMU_SMS": "1", "IRGL_GPU_PACK_SITE": ""}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=env, cwd=ROOT)


def peers_of(folder: Path, *options: str) -> dict[str, Any]:
    suite(folder, "--parts", "peers", *options)
    found: dict[str, Any] = json.loads((folder / "a.json").read_text())["parts"]["peers"]
    return found


def binary(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}")
    (folder / name).chmod(0o755)


@pytest.fixture
def triangle(tmp_path: Path) -> str:
    (tmp_path / "g.wel").write_text(ARCS)
    return str(tmp_path / "g.wel")


def words(file: Path, start: int = 0, count: int = -1, kind: type[Any] = np.int32) -> list[Any]:
    return list(np.frombuffer(file.read_bytes()[start:], kind, count).tolist())


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_time_is_the_median_of_what_a_peer_says(name: str) -> None:
    output, ms = OUTPUTS[name]
    assert milliseconds(PEERS[name], [output]) == pytest.approx(ms)


def test_a_scalar_of_ours_that_a_peer_prints_is_compared() -> None:
    told = "connected components: 7\nreached : 8\nfarthest: 9\n"
    assert disagreements(told, {"cc": {"scalars": {"components": 6}}, "bfs": {"scalars": {"reached": 8}}}) == [
        "components: 7, cc 6"]


def test_times_of_a_peer_that_fails_do_not_count() -> None:
    assert complaint("elapsed time: \n2e-06\nError: no device\n\n", 255) == "Error: no device (exit code 255)"


def test_a_peer_that_finds_itself_wrong_has_times_and_says_so() -> None:
    output = "Dev-:  0.5 s\nERROR: results differ!\n"
    assert (complaint(output, 255), disagreements(output, {})) == (None, ["it says that its own answer is wrong"])


def test_a_knob_of_weights_goes_by_the_mean_weight() -> None:
    calls = PEERS["graphit-sssp-web"].calls(Path("g"), 3, 200.0)
    assert calls == [["g", "3", "50"], ["g", "3", "200"]]


def test_every_peer_runs_on_some_graph() -> None:
    assert [name for name, peer in PEERS.items() if not any(peer.runs_on(g) for g in GRAPHS)] == []


def test_every_peer_has_a_program_of_ours_and_a_form() -> None:
    there = {p.stem for p in (ROOT / "programs").glob("*.irgl")}
    assert [n for n, p in PEERS.items() if p.form not in peer_graphs.FORMS
            or not set(PROBLEMS[p.problem].ours) <= there] == []


def test_arcs_with_sources_for_graphit(triangle: str, tmp_path: Path) -> None:
    peer_graphs.written(triangle, AS_IT_IS, [("graphit-weighted", tmp_path / "g")])
    assert words(tmp_path / "g") == [3, 3, 0, 0, 2, 1, 2, 0, 5, 7, 3, 0, 2, 2, 3]


def test_weights_of_a_byte_for_graphit_where_nobody_reads_them(triangle: str, tmp_path: Path) -> None:
    peer_graphs.written(triangle, AS_IT_IS, [("graphit", tmp_path / "g")])
    assert (words(tmp_path / "g", 0, 8), words(tmp_path / "g", 8 * 4 + 3)) == ([3, 3, 0, 0, 2, 1, 2, 0], [0, 2, 2, 3])


def test_rows_with_float_weights_for_gunrock(triangle: str, tmp_path: Path) -> None:
    peer_graphs.written(triangle, AS_IT_IS, [("gunrock", tmp_path / "g")])
    assert (words(tmp_path / "g", 0, 10), words(tmp_path / "g", 40, kind=np.float32)) == (
        [3, 3, 3, 0, 2, 2, 3, 1, 2, 0], [5.0, 7.0, 3.0])


def test_rows_of_an_undirected_graph_for_ecl(triangle: str, tmp_path: Path) -> None:
    peer_graphs.write(prepare(load(triangle), UNDIRECTED), "egr", tmp_path / "g")
    assert words(tmp_path / "g") == [3, 4, 0, 2, 3, 4, 1, 2, 0, 0, 5, 3, 5, 3]


def test_an_unknown_peer_is_refused(tmp_path: Path) -> None:
    binary(tmp_path / "bin", "mystery", "")
    done = suite(tmp_path, "--peer-bin", str(tmp_path / "bin"))
    assert (done.returncode, done.stderr) == (
        2, f"error: --peer-bin {tmp_path}/bin: mystery is not known: it may hold {', '.join(PEERS)}\n")


def test_without_peers_their_part_is_left_out(tmp_path: Path) -> None:
    assert peers_of(tmp_path) == {"rows": [], "left_out": ["all: there is no --peer-bin"], "seconds": 0.0}


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_a_peer_stands_beside_ours_with_its_best_knob(tmp_path: Path) -> None:
    binary(tmp_path / "bin", "graphit-sssp-road",
           "test -s $1 || exit 1\necho 'elapsed time: '\nexpr $3 / 1000 + 1\necho 'farthest: 7'\n")
    found = peers_of(tmp_path, "--programs", "sssp_nf", "--peer-bin", str(tmp_path / "bin"))["rows"]
    ours, peer = (next(r for r in found if r["who"] == who) for who in ("irgl", "graphit-sssp-road"))
    assert (peer["ms"], peer["disagrees"], list(peer["ratios"])) == (
        1000.0, [f"farthest: 7, sssp_nf {ours['scalars']['farthest']}"], ["sssp_nf"])
