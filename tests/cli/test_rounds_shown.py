"""irglc run --stats=rounds: the table, the JSON, what is refused, and that --stats alone is what it was."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import ptx
from support.programs import PLACE

from irgl.cli.main import exit_code

BFS = str(PLACE / "bfs.irgl")
FLAT = "graph Graph { }\nlong n = 0;\nKernel some(Graph g) { ForAll (x In g.nodes) { n += 1; } }\n" \
       "Program main(Graph g) { Invoke some(g); }\n"
COUNTED = ["launches", "grid_barriers", "atomics", "warp_steps", "transactions"]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """run(word, ...) gives the exit code, stdout and stderr of `irglc run word ...`."""
    def ran(*words: str) -> tuple[int, str, str]:
        code = exit_code(["run", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return ran


def shown(run: Run, *words: str) -> list[list[str]]:
    """The lines of the table, in cells."""
    code, out, err = run(BFS, "--graph", "path:4", "--stats=rounds", *words)
    assert (code, err) == (0, "")
    return [re.split(r" {2,}", line.strip()) for line in out.rpartition("\n\n")[2].splitlines()]


def test_a_cpu_s_rounds_have_their_times(run: Run) -> None:
    table = shown(run)
    assert table[0] == ["rounds", "frontier", "edges", "ms"]
    assert table[1] == ["bfs.iterate1"]
    assert [row[:-1] for row in table[2:]] == [
        ["1", "1", "1"], ["2", "1", "2"], ["3", "1", "2"], ["4", "1", "1"], ["outside of rounds"], ["all"]]


def test_the_emulator_s_rounds_have_counters_that_sum_up(run: Run) -> None:
    table = shown(run, "--target", "simt", "--plan", "default outline=off")
    assert table[0] == ["rounds", "frontier", "edges", "launches", "grid barriers", "atomics", "warp steps",
                        "transactions"]
    numbers = [[int(cell.replace(",", "")) for cell in row[-5:]] for row in table[2:]]
    assert [sum(column) for column in zip(*numbers[:-1], strict=True)] == numbers[-1]


@pytest.mark.skipif(bool(ptx.missing()), reason=ptx.missing())
@pytest.mark.parametrize(("plan", "launches"), [("outline=off direction=hybrid", [2, 2, 2, 2]),
                                                ("outline=all", [0, 0, 0, 0]), ("outline=graph", [0, 0, 0, 0])])
def test_a_gpu_s_rounds_have_launches_and_times(plan: str, launches: list[int]) -> None:
    """Of what nvcc makes, which tests/ptx runs here."""
    words = [sys.executable, str(ptx.SOURCES / "run.py"), sys.executable, "-m", "irgl", "run", BFS, "--graph", "path:4",
             "--target", "cuda", "--stats=rounds", "--json", "--verify", "--plan", plan]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    way, edges = "pull" if "hybrid" in plan else None, [None] * 4 if "graph" in plan else [1, 2, 2, 1]
    assert [{k: r[k] for k in r if k != "ms"} for r in found["rounds"]] == [
        {"loop": "bfs.iterate1", "round": k, "around": [], "frontier": 1, "edges": m, "direction": way,
         "launches": n} for k, (n, m) in enumerate(zip(launches, edges, strict=True), 1)]
    assert found["verified"] and all(r["ms"] > 0 for r in found["rounds"])
    assert sum(r["launches"] for r in (found["outside_rounds"], *found["rounds"])) <= found["stats"]["launches"]
    assert found["stats"]["rounds"] == len(launches)


def test_a_loop_that_turns_has_a_column_for_its_direction(run: Run) -> None:
    table = shown(run, "--plan", "direction=hybrid switch=nodes:1/5")
    assert table[0] == ["rounds", "frontier", "edges", "direction", "ms"]
    assert table[2][:-1] == ["1", "1", "1", "pull"]


def test_json_has_an_object_for_each_round(run: Run) -> None:
    code, out, _ = run(BFS, "--graph", "path:3", "--target", "simt", "--stats=rounds", "--json")
    found: dict[str, Any] = json.loads(out)
    assert code == 0
    assert [{k: r[k] for k in r if k not in COUNTED} for r in found["rounds"]] == [
        {"loop": "bfs.iterate1", "round": k, "around": [], "frontier": 1, "edges": edges, "direction": None}
        for k, edges in ((1, 1), (2, 2), (3, 1))]
    parts = [found["outside_rounds"], *found["rounds"]]
    assert {name: sum(p[name] for p in parts) for name in COUNTED} == {name: found["stats"][name] for name in COUNTED}
    assert found["stats"]["rounds"] == 3


def test_a_program_without_loops_says_so(run: Run, tmp_path: Path) -> None:
    program = tmp_path / "flat.irgl"
    program.write_text(FLAT)
    for target in ("cpu", "simt"):
        code, out, _ = run(str(program), "--graph", "path:3", "--target", target, "--stats=rounds")
        assert (code, out.splitlines()[-1]) == (0, "no loop of the Program invokes kernels, so there are no rounds")


def test_stats_alone_may_stand_before_the_program(run: Run) -> None:
    code, out, _ = run("--stats", BFS, "--graph", "path:3")
    assert code == 0
    assert re.search(r"^rounds +3$", out, re.MULTILINE)
    assert "bfs.iterate1" not in out


REFUSED = [
    (("--stats=steps",), "Invalid value for '--stats': 'steps' is not one of 'totals', 'rounds'.",
     "--stats alone shows the counters of the whole run, --stats=rounds those of each round"),
    (("--stats=rounds", "--target", "ref"), "--stats=rounds has no meaning for --target ref: the interpreter has no "
     "launches and no threads whose work could be counted",
     "--target simt counts in each round what a GPU's code does, --target cpu and cuda take its time"),
    (("--stats=rounds", "--repeat", "3"), "--stats=rounds tells of one run, and --repeat asks for 3",
     "leave one of them out"),
]


@pytest.mark.parametrize(("words", "message", "hint"), REFUSED, ids=[" ".join(words) for words, _, _ in REFUSED])
def test_what_can_t_be_told_is_refused(run: Run, words: tuple[str, ...], message: str, hint: str) -> None:
    assert run(BFS, "--graph", "path:3", *words) == (2, "", f"error: {message}\n  hint: {hint}\n")
