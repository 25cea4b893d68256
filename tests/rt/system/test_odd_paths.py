"""Programs in folders whose names hold quotes, line ends and bytes that are no text, on every target."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from irgl.cli.main import exit_code
from irgl.rt.compile.toolchain import include_dir

PROGRAM = """graph Graph { node int a = 0; }
int sum = 0;
Kernel add(Graph g) { ForAll (n In g.nodes) { n.a = 1; sum += 1; } }
Program total(Graph g) { Invoke add(g); }
"""
NAMES = {"quotes": "a \"'\\ %s b\\", "line ends": "a\nb\rc", "bytes": os.fsdecode(b"a\xff\xfeb"),
         "code": '";\n#error this is code\n//'}


@pytest.fixture(params=NAMES.values(), ids=NAMES)
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / request.param / f"{request.param.replace('/', '')}.irgl"
    path.parent.mkdir(parents=True)
    path.write_text(PROGRAM, encoding="utf-8")
    return path


@pytest.mark.parametrize("target", ["cpu", "simt", "ref"])
def test_a_program_runs_wherever_it_lies(program: Path, target: str, capfd: pytest.CaptureFixture[str]) -> None:
    code = exit_code(["run", str(program), "--graph", "path:4", "--target", target])
    assert code == 0, capfd.readouterr().err


def test_a_stand_alone_program_is_written_wherever_it_lies(program: Path, tmp_path: Path) -> None:
    assert exit_code(["compile", str(program), "-o", str(tmp_path / "made.cpp")]) == 0
    syntax = subprocess.run(["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", f"-I{include_dir()}",
                             str(tmp_path / "made.cpp")], capture_output=True, text=True, check=False)
    assert syntax.returncode == 0, syntax.stderr


def test_a_fault_names_a_program_whose_path_is_no_text(tmp_path: Path) -> None:
    program = tmp_path / os.fsdecode(b"\xff.irgl")
    program.write_text(PROGRAM.replace("n.a = 1", "n.a = 1 / n.a"), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "irgl", "run", program, "--graph", "path:4"], capture_output=True,
                          check=False)
    assert (done.returncode, b"irgl:3:" in done.stderr) == (2, True), done.stderr
