"""A program's constants on the command line: behind its name, or as options."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgl.cli.main import exit_code

TEXT = """
const int K = 2;
const int threads = 3;
graph Graph { node int x[K] = 1; }
long size = 0;
Kernel add(Graph g) { ForAll (n In g.nodes) { size += K * 10 + threads; } }
Program main(Graph g) { Invoke add(g); }
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.irgl").write_text(TEXT)


def run(*words: str) -> int:
    return exit_code(["run", *words, "--graph", "path:1"])


@pytest.mark.parametrize(("words", "size"), [
    (["p.irgl"], 23), (["p.irgl:K=4"], 43), (["p.irgl", "--K", "4"], 43), (["--K=4", "p.irgl"], 43),
    (["p.irgl:threads=7"], 27), (["p.irgl:threads=7", "--K", "4", "--threads", "1"], 47),
])
def test_a_constant_has_the_value_that_is_given(words: list[str], size: int,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words) == 0
    assert f"size     {size}\n" in capsys.readouterr().out


def test_other_words_that_are_the_programs_name_stay(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.irgl").rename("p")
    assert exit_code(["run", "--out", "p", "p", "--K", "4", "--graph", "path:1"]) in (0, 2)
    assert not Path("p:K=4").exists()
    capsys.readouterr()


@pytest.mark.parametrize(("words", "message"), [
    (["p.irgl", "--K"], "--K wants a value"), (["p.irgl", "--K", "1", "--K", "2"], "--K is given twice"),
    (["p.irgl:K=1", "--K", "2"], "--K is given twice"), (["p.irgl", "--K", "two"], "constant 'K' can't be 'two'"),
])
def test_what_is_no_value_of_one_is_refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "--graph", "path:1", *words]) == 2
    assert message in capsys.readouterr().err
