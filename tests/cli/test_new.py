"""irglc new: what it writes runs as it is and passes its own test; nothing that is there is touched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from irgl.cli.main import exit_code

RUFF = Path(sys.executable).with_name("ruff")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


@pytest.mark.parametrize(("words", "program"), [((), "reach.irgl"), (("--python",), "reach.py")])
def test_the_program_runs_and_is_right_and_its_test_passes(words: tuple[str, ...], program: str,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(("new", "reach", *words)) == 0
    assert files() == sorted([program, "test_reach.py"])
    assert f"irglc run {program} --graph grid:20x20 --verify" in capsys.readouterr().out
    assert exit_code(("run", program, "--graph", "grid:20x20", "--verify")) == 0
    assert "verified    yes" in capsys.readouterr().out
    assert exit_code(("explain", program)) == 0
    tested = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_reach.py"],
                            capture_output=True, text=True, timeout=300, check=False)
    assert tested.returncode == 0, tested.stdout
    assert "10 passed" in tested.stdout


@pytest.mark.parametrize(("words", "program"), [((), "reach.irgl"), (("--python",), "reach.py")])
def test_the_test_finds_a_mistake_in_the_program(words: tuple[str, ...], program: str) -> None:
    assert exit_code(("new", "reach", *words)) == 0
    text = Path(program).read_text()
    assert text.count("src.edges_away = 0") == 1
    Path(program).write_text(text.replace("src.edges_away = 0", "src.edges_away = 1"))
    tested = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_reach.py"],
                            capture_output=True, text=True, timeout=300, check=False)
    assert tested.returncode == 1, tested.stdout
    assert "10 failed" in tested.stdout


def test_without_its_racy_the_program_is_refused_as_its_comment_says() -> None:
    assert exit_code(("new", "reach")) == 0
    text = Path("reach.irgl").read_text()
    Path("reach.irgl").write_text(text.replace("racy e.dst", "e.dst"))
    assert exit_code(("check", "reach.irgl")) == 2


@pytest.mark.skipif(not RUFF.is_file(), reason="no ruff is installed beside Python")
def test_what_is_written_in_python_is_in_good_style() -> None:
    assert exit_code(("new", "reach", "--python")) == 0
    subprocess.run([RUFF, "check", "--no-cache", "--isolated", "--line-length", "120", "."], check=True)
    subprocess.run([RUFF, "format", "--no-cache", "--isolated", "--line-length", "120", "--check", "."], check=True)


@pytest.mark.parametrize("there", ["reach.irgl", "test_reach.py"])
@pytest.mark.parametrize("linked", [False, True])
def test_a_file_that_is_there_is_left_alone_and_nothing_is_written(there: str, linked: bool,
                                                                   capsys: pytest.CaptureFixture[str]) -> None:
    if linked:
        Path(there).symlink_to("nowhere")
    else:
        Path(there).write_text("mine")
    assert exit_code(("new", "reach")) == 2
    assert capsys.readouterr().err == (f"{there}: error: there is such a file already\n"
                                       "  hint: choose another name\n")
    assert files() == [there]
    assert linked or Path(there).read_text() == "mine"


@pytest.mark.parametrize("name", ["", "a-b", "../x", "x/y", "1x", "_x", "ü", "a b", "x.irgl", "n" * 101, "int", "node",
                                  "Graph"])
def test_what_can_t_be_a_name_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(("new", "--", name)) == 2
    assert "hint: " in capsys.readouterr().err
    assert files() == []


@pytest.mark.parametrize("name", ["def", "match", "print", "random", "numpy", "irgl", "node", "worklist", "kernel",
                                  "look_around", "nodes_met", "Graph"])
def test_what_can_t_be_a_name_in_python_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(("new", name, "--python")) == 2
    assert "hint: choose another name" in capsys.readouterr().err
    assert files() == []


@pytest.mark.parametrize("name", ["class", "main", "std", "look_around", "nodes_met", "g", "src", "INF", "Kernel"])
def test_names_that_are_words_elsewhere_are_fine(name: str) -> None:
    assert exit_code(("new", name)) == 0
    assert exit_code(("run", f"{name}.irgl", "--graph", "path:9", "--verify")) == 0


def test_what_can_t_be_written_is_told_and_leaves_nothing() -> None:
    command = ["bash", "-c", 'ulimit -f 0; exec "$0" -m irgl new reach', sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, files()) == (2, [])
    assert "error: can't write it: File too large" in done.stderr
