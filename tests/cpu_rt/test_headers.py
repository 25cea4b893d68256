"""The CPU header library: each case of tests/cpu_rt/*.cpp under the address and undefined-behaviour sanitizers."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.places import ROOT, TESTS

HERE = TESTS / "cpu_rt"
HEADERS = ROOT / "cpu_rt"
UNITS = ["atomics", "knobs", "loops", "lists", "reading", "sides", "structures", "teams"]
CASES = [name for unit in UNITS for name in re.findall(r"^CASE\((\w+)\)", (HERE / f"{unit}.cpp").read_text(), re.M)]
FLAGS = ["-std=c++17", "-march=native", "-fopenmp", "-fwrapv", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}"]
CHECKED = ["-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


def compile_with(arguments: Sequence[str | Path]) -> None:
    done = subprocess.run(["g++", *FLAGS, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cpu_rt")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda u: compile_with([*CHECKED, "-c", HERE / f"{u}.cpp", "-o", folder / f"{u}.o"]), UNITS))
    compile_with([*CHECKED, *(folder / f"{u}.o" for u in UNITS), "-o", folder / "cases"])
    return folder / "cases"


@pytest.mark.parametrize("name", CASES)
def test_case(cases: Path, name: str) -> None:
    done = subprocess.run([cases, name], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("header", sorted(HEADERS.glob("*.hpp")), ids=lambda h: h.name)
def test_header_is_small_and_stands_alone(header: Path, tmp_path: Path) -> None:
    assert len(header.read_text().splitlines()) <= 200
    unit = tmp_path / "unit.cpp"
    unit.write_text(f'#include "{header.name}"\nint main() {{}}\n')
    compile_with(["-fsyntax-only", unit])


def test_wide_ids_compile_without_a_warning() -> None:
    for unit in UNITS:
        compile_with(["-DIRGL_NODE_BITS=64", "-DIRGL_EDGE_BITS=64", "-fsyntax-only", HERE / f"{unit}.cpp"])


# The graph file: 3 nodes with ids 10, 20, 30 and edges 0->1 (weight 5), 0->2 (7), 1->2 (2).
def graph_file(change: Callable[[dict[str, bytes]], None] | None = None, version: int = 1, bits: int = 32) -> bytes:
    sections = {
        "row": struct.pack("<4i", 0, 2, 3, 3),
        "dst": struct.pack("<3i", 1, 2, 2),
        "weight": struct.pack("<3i", 5, 7, 2),
        "node_ids": struct.pack("<3q", 10, 20, 30),
        "in_row": b"",
        "in_src": b"",
        "in_edge": b"",
        "notes": b"",
    }
    if change is not None:
        change(sections)
    table, body, offset = b"", b"", 184
    for data in sections.values():
        padded = data + bytes(-len(data) % 8)
        table += struct.pack("<2Q", offset, len(data))
        body += padded
        offset += len(padded)
    head = b"IRGLCSR1" + struct.pack("<2I2Q4Iq", version, 4 | 8, 3, 3, bits, 32, 1, 0, 0)
    return head + table + body


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("program") / "program"
    compile_with([*CHECKED, HERE / "program.cpp", "-o", out])
    return out


def run(program: Path, folder: Path, content: bytes, *options: str) -> subprocess.CompletedProcess[str]:
    graph = folder / "g.irglg"
    graph.write_bytes(content)
    return subprocess.run([program, graph, *options], capture_output=True, text=True, check=False, timeout=60)


def test_program_reads_its_graph_and_shows_results(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, graph_file(), "--src", "20", "--threads", "2", "--repeat", "3")
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[:3]) == (
        0,
        ["source 20", "quotient 100", "heaviest: min 5 max 7 sum 12 count 2"],
    ), done.stderr
    assert re.fullmatch(r"ms( \d+\.\d{3}){3}", lines[3])


def test_program_without_a_source_starts_where_the_program_says(program: Path, tmp_path: Path) -> None:
    assert run(program, tmp_path, graph_file()).stdout.startswith("source 10\n")


def test_program_tells_a_fault_with_its_place_and_nothing_else(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, graph_file(), "--divisor", "0")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "program:42:7: error: division by zero\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--src", "11"], "error: no such node: --src\n"),
        (["--src", "x"], "error: not a whole number: --src\n"),
        (["--src"], "error: a value is missing after --src\n"),
        (["--colour", "3"], "error: unknown option --colour\n"),
        (["--repeat", "0"], "error: a number out of range\n"),
    ],
)
def test_bad_option_is_one_line_and_exit_2(program: Path, tmp_path: Path, options: list[str], message: str) -> None:
    done = run(program, tmp_path, graph_file(), *options)
    assert (done.returncode, done.stderr) == (2, message)


BAD_FILES = {
    "empty": (b"", "is too short for irgl's binary form: irglc graph convert makes it"),
    "magic": (b"X" + graph_file()[1:], "is not in irgl's binary form: irglc graph convert makes it"),
    "version": (graph_file(version=2), "has an unknown version"),
    "width": (graph_file(bits=64), "has ids of another width than this program was compiled for"),
    "cut": (graph_file()[:-8], "has a section of the wrong size"),
    "row": (
        graph_file(lambda s: s.update(row=struct.pack("<4i", 0, 3, 2, 3))),
        "has row offsets that do not ascend from 0 to the number of edges",
    ),
    "column": (
        graph_file(lambda s: s.update(dst=struct.pack("<3i", 1, 3, 2))),
        "names a node or an edge that does not exist",
    ),
    "short weights": (graph_file(lambda s: s.update(weight=bytes(8))), "has a section of the wrong size"),
}


@pytest.mark.parametrize(("content", "message"), BAD_FILES.values(), ids=BAD_FILES.keys())
def test_bad_file_is_one_line_and_exit_2(program: Path, tmp_path: Path, content: bytes, message: str) -> None:
    done = run(program, tmp_path, content)
    assert (done.returncode, done.stderr) == (2, f"{tmp_path / 'g.irglg'}: error: the file {message}\n")
