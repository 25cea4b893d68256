"""A mistake in generated code is irgl's: exit code 70, with what to report. One in a program's own C++ is not."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.tuning import Told, given

from irgl import driver
from irgl.cli.main import exit_code
from irgl.driver import Unit
from irgl.rt.compile import nvcc
from irgl.rt.emulate import emulate
from irgl.rt.system.endings import RefusedCodeError, WrongCodeError
from irgl.source import IrglError
from irgl.tune.measure import builds
from irgl.tune.results.store import Store
from irgl.tune.session.session import tune
from irgl.tune.session.task import Task

PROGRAM = """graph Graph { node int hits = 0; }
Kernel count_hits(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.hits += 1; } } }
Program hits(Graph g) { Invoke count_hits(g); }
"""
BLOCK = """graph Graph { node int seen = 0; }
Kernel raw(Graph g) {
  ForAll (n In g.nodes) {
    n.seen += 1;
    CBlock reads(n.seen) writes(n.seen) {
      int x = g.seen[n];

      g.seen[n] = x + LAST;
    }
    n.seen += 1;
  }
}
Program block(Graph g) { Invoke raw(g); }
"""
WRONG = "\nint wrong = ;\n"
needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Generated code has a mistake: the first text is the second in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "hits.irgl").write_text(PROGRAM, encoding="utf-8")

    def plant(old: str, new: str) -> None:
        emit = driver.emit

        def wrongly(*args: Any, **options: Any) -> Unit:
            unit = emit(*args, **options)
            assert old in unit.text
            return replace(unit, text=unit.text.replace(old, new))

        for module in (driver, builds):
            monkeypatch.setattr(module, "emit", wrongly)

    return plant


@pytest.mark.parametrize(("target", "kept"), [("cpu", r"\S+\.cpp"), ("simt", r"\S+\.cu")])
def test_what_gxx_refuses_of_irgls_own_text_is_exit_code_70_with_the_kept_text(
    target: str, kept: str, planted: Callable[[str, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    planted("namespace unit {", f"namespace unit {{{WRONG}")
    assert exit_code(["run", "hits.irgl", "--graph", "path:3", "--target", target]) == 70
    said = capsys.readouterr().err
    assert said.startswith("irglc failed: RefusedCodeError: the C++ compiler refuses the code that irgl made: ")
    assert "This is a bug in irgl. Please report it" in said
    found = re.search(rf"please report it with ({kept})|in ({kept})$", said, re.M)
    assert found is not None
    assert WRONG in Path(found[1] or found[2]).read_text(encoding="utf-8")


def test_the_command_that_shows_a_refused_unit_shows_it(
    planted: Callable[[str, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    planted("namespace unit {", f"namespace unit {{{WRONG}")
    exit_code(["run", "hits.irgl", "--graph", "path:3"])
    command = capsys.readouterr().err.partition("what this prints: ")[2].splitlines()[0]
    done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "error: expected primary-expression" in done.stderr


@needs_nvcc
def test_what_nvcc_refuses_of_irgls_own_text_is_irgls_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path))
    text = f"// a unit{WRONG}int main() {{}}\n"
    with pytest.raises(RefusedCodeError, match="the CUDA compiler refuses the code that irgl made: ") as e:
        nvcc.build(text, emulate.folder().parent, (), "sm_90")
    assert Path(e.value.file).read_text(encoding="utf-8") == text
    assert e.value.hint.startswith("please report it with that file and what this prints: ")


@needs_nvcc
@pytest.mark.parametrize(("told", "message"), [
    ("Cuda compilation tools, release 11.8, V11.8.89", "nvcc is of CUDA 11.8"),
    ("Cuda compilation tools, release 12.4, V12.4.99", "can't be used: nvcc error   : 'cudafe++' died")])
def test_an_nvcc_that_is_too_old_or_broken_is_none_of_irgls(
    told: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "nvcc"
    fake.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && echo '{told}' && exit 0\n"
                    "echo \"nvcc error   : 'cudafe++' died\" >&2\nexit 1\n", encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("NVCC", str(fake))
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(IrglError, match=re.escape(message)) as e:
        nvcc.build("int main() {}\n", emulate.folder().parent, (), "sm_90")
    assert e.value.hint is not None
    assert e.value.hint.startswith("nvcc 12.4 or later is needed")


def test_what_the_emulator_finds_in_irgls_own_text_is_exit_code_70(
    planted: Callable[[str, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    planted("irgl::atomic_add", "[](auto& x, auto y) { x += y; }")
    assert exit_code(["run", "hits.irgl", "--graph", "star:40", "--target", "simt", "--plan", "none"]) == 70
    said = capsys.readouterr().err
    assert said.startswith("irglc failed: WrongCodeError: the emulator found [race] data race")
    assert re.search(r"^  in \S+:\d+$", said, re.M) is not None


def test_a_plan_that_is_refused_is_a_result_of_a_tuner_and_the_reference_is_a_bug(
    planted: Callable[[str, str], None], tmp_path: Path
) -> None:
    planted("namespace unit {", f"namespace unit {{{WRONG}")
    task = Task("hits.irgl", (given("path:3"),), "cpu", 20.0, mistakes=tmp_path)
    with Store(tmp_path / "tune.sqlite") as store, pytest.raises(RefusedCodeError, match="refuses the code that irgl"):
        tune(task, store, Told())


@pytest.mark.parametrize(("text", "line", "message"), [
    (BLOCK.replace("LAST", "lost"), 8, "'lost' was not declared in this scope"),
    (BLOCK.replace("g.seen[n];", "g.sen[n];"), 6, "'const struct unit::Graph' has no member named 'sen'; did you mean"),
])
def test_a_mistake_in_a_cblock_is_the_users_at_its_line(
    text: str, line: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("block.irgl").write_text(text, encoding="utf-8")
    assert exit_code(["run", "block.irgl", "--graph", "path:3"]) == 2
    said = capsys.readouterr().err.replace("‘", "'").replace("’", "'")
    assert said.startswith(f"block.irgl:{line}: error: {message}")
    assert said.endswith("hint: docs/language.md says what a CBlock is given\n")


def test_a_cblock_that_is_open_at_its_end_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("block.irgl").write_text(BLOCK.replace("+ LAST;", "+ 1; /* to"), encoding="utf-8")
    if exit_code(["run", "block.irgl", "--graph", "path:3"]) != 2:
        pytest.fail("the user's own mistake")
    said = capsys.readouterr().err
    assert "block.irgl" in said.splitlines()[0]


def test_a_cblock_without_a_mistake_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("block.irgl").write_text(BLOCK.replace("LAST", "40"), encoding="utf-8")
    assert exit_code(["run", "block.irgl", "--graph", "path:3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["result"]["seen"]["max"] == 42


def test_a_mistake_in_code_is_handed_on_between_processes() -> None:
    import pickle

    first = WrongCodeError("it races", file="unit.cu:3", hint="it is the first of 2 messages")
    again = pickle.loads(pickle.dumps(first))
    assert (type(again), str(again), again.file, again.hint) == (WrongCodeError, str(first), first.file, first.hint)
