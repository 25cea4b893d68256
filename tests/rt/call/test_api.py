"""irgl from Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.places import PROGRAMS

import irgl

PROGRAM = """graph Graph { node int p = 1; edge int w; }
long total = 0;
Kernel add(Graph g, int by) { ForAll (n In g.nodes) { n.p += by; } }
Program adding(Graph g, int by = 2) { Invoke add(g, by); total = g.num_nodes; }
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "adding.irgl").write_text(PROGRAM)
    return tmp_path / "adding.irgl"


def test_run_gives_scalars_and_arrays(program: Path) -> None:
    done = irgl.run(program, "path:4", by=5)
    assert (done.result.scalars, done.result.array("p").tolist()) == ({"total": 4}, [6, 6, 6, 6])


def test_a_compiled_program_and_a_loaded_graph_can_be_used_again(program: Path) -> None:
    compiled = irgl.compile(program)
    graph = irgl.load_graph("path:4", compiled)
    found = [irgl.run(compiled, graph, by=by).result.array("p")[0] for by in (1, 2)]
    assert found == [2, 3]


def test_results_of_two_runs_share_no_memory(program: Path) -> None:
    first, second = (irgl.run(program, "path:4") for _ in range(2))
    first.result.array("p")[:] = 0
    assert second.result.array("p").tolist() == [3, 3, 3, 3]


def test_a_mistake_is_an_irgl_error(program: Path) -> None:
    with pytest.raises(irgl.IrglError, match="no plan option is called `speed`"):
        irgl.run(program, "path:4", plan="speed=9")


def test_an_unknown_graph_parameter_is_said(program: Path) -> None:
    with pytest.raises(irgl.IrglError, match="adding has no graph parameter `h`"):
        irgl.load_graph("path:4", irgl.compile(program), parameter="h")


def test_an_interrupted_run_whose_round_never_ends_leaves_the_process_usable(tmp_path: Path) -> None:
    (tmp_path / "stuck.irgl").write_text("graph Graph { node int far = 0; }\n"
                                         "Kernel spin(Graph g) {\n"
                                         "  ForAll (n In g.nodes) { while (true) { n.far += 1; } }\n}\n"
                                         "Program stuck(Graph g) { Invoke spin(g); }\n")
    code = """import os, signal, sys, threading, irgl
stuck = irgl.compile(sys.argv[1])
threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    irgl.run(stuck, "path:3", threads=1)
except KeyboardInterrupt:
    print(irgl.run(sys.argv[2], "path:3", threads=1).result.scalars["reached"], flush=True)
os._exit(0)
"""
    programs = PROGRAMS
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "stuck.irgl"), str(programs / "bfs.irgl")],
                          capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.stderr) == ("3\n", "")
