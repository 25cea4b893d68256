"""stdout of `irglc run x.gt` has what the program prints and nothing else; the report goes to stderr."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from irgl.cli.main import exit_code

PRINTS = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const mark : vector{Vertex}(int) = 7;
func show(v : Vertex)
    print mark[v];
end
func main()
    var times : int = atoi(argv[2]);
    for k in 0:times
        vertices.apply(show);
    end
    print times;
end
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.gt").write_text(PRINTS, encoding="utf-8")


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_stdout_has_what_the_program_prints_and_stderr_the_report(target: str,
                                                                  capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "p.gt", "--graph", "path:2", "--argv2", "1", "--target", target]) == 0
    out, err = capfd.readouterr()
    assert out == "7\n7\n1\n"
    assert "mark" in err
    assert err.startswith(f"program  p on {target}")


def test_under_json_the_lines_are_printed_and_stdout_is_one_object(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "p.gt", "--graph", "path:2", "--argv2", "1", "--json", "--target", "ref"]) == 0
    assert json.loads(capfd.readouterr().out)["printed"] == ["7", "7", "1"]


def test_a_reader_that_leaves_ends_the_run() -> None:
    words = f"{sys.executable} -m irgl run p.gt --graph path:9 --argv2 9999 | head -1"
    run = subprocess.run(words, shell=True, capture_output=True, timeout=60, check=False)
    assert run.stdout == b"7\n"
    assert b"Traceback" not in run.stderr


def test_the_help_names_the_variable_that_an_argument_goes_to(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "p.gt", "--help"]) == 0
    line = next(line for line in capfd.readouterr().out.splitlines() if "--argv2" in line)
    assert line.strip(" │*").split() == ["--argv2", "INT", "times", "[required]"]


def test_a_stand_alone_program_prints_as_a_run_does(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["compile", "p.gt"]) == 0
    assert exit_code(["graph", "convert", "path:2", "g.irglg", "--simple", "--sorted"]) == 0
    assert exit_code(["compile", "--print-flags"]) == 0
    flags = capfd.readouterr().out.splitlines()[-1].split()
    subprocess.run(["g++", "-O0", *(f for f in flags if f != "-O3"), "p.cpp", "-o", "p"], check=True, timeout=120)
    run = subprocess.run(["./p", "g.irglg", "--argv2", "1"], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "7\n7\n1\n"
    assert run.stderr.startswith("mark: min 7 max 7 sum 14 count 2\n")
    wrong = subprocess.run(["./p", "g.irglg"], capture_output=True, text=True, timeout=60, check=False)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "--argv2" in wrong.stderr
