"""irglc explain: its text, its JSON, its pictures, and the page that shows them."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from pathlib import Path

import pytest
from support.places import ROOT
from support.programs import EVERY, PLACE

from irgl.analysis.check import check
from irgl.analysis.explain.draw import dot
from irgl.analysis.explain.facts import explain
from irgl.analysis.names.paths import paths
from irgl.cli.main import exit_code
from irgl.frontends.text.load import load, load_text

PAGE = ROOT / "docs" / "analyses.md"


def block(language: str) -> str:
    """The page's example, or what is shown of it."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    return found.group(1)


@pytest.fixture
def example(tmp_path: Path) -> str:
    path = tmp_path / "example.irgl"
    path.write_text(block("irgl"))
    return str(path)


LOOP = """
graph Graph { node int p = 0; }
Kernel k(Graph g) { ForAll (n In WL.items) { WL.push(n); } }
Program main(Graph g, node s = first) {
  Pipe Once Initial [s] {
    rounds: Iterate k(g) {
      print(1);
    }
  }
}
"""


@pytest.fixture
def loop(tmp_path: Path) -> str:
    path = tmp_path / "loop.irgl"
    path.write_text(LOOP)
    return str(path)


def test_the_page_shows_what_is_said_of_its_example(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", example, "--all"]) == 0
    assert capsys.readouterr().out == block("text")


def test_three_lines_come_first_for_who_is_new(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "bfs"]) == 0
    first = capsys.readouterr().out.splitlines()[:4]
    assert first == [
        "parallel  the iterations of advance_frontier.loop1 (line 19), advance_frontier.loop1.loop1 (line 21), "
        "survey_hops.loop1 (line 31) run at once",
        "atomic    racy e.dst.hops = (line 23), reached += (line 32, each thread first for itself), "
        "deepest max= (line 33, each thread first for itself)",
        "plan      default (what options say by themselves): advance_frontier.loop1: serial=2048, "
        "advance_frontier.loop1: giant=32768, survey_hops.loop1: serial=2048; "
        "1 without effect, for the reasons that --plan shows", ""]
    assert exit_code(["explain", example, "--plan", "none"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith("atomic    nothing")
    assert said[2] == "plan      none: step.loop1: serial=off, step.loop1: giant=off"


def test_what_only_gpus_care_for_is_told_when_all_is_asked_for(example: str,
                                                               capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", example]) == 0
    short = capsys.readouterr().out
    assert exit_code(["explain", example, "--all"]) == 0
    whole = capsys.readouterr().out
    assert "focal" not in short and "uniform" not in short
    assert "focal" in whole and "uniform" in whole
    gone = (["focal"], ["uniform"])
    kept = [line for line in whole.splitlines() if "->" not in line and line.split()[:1] not in gone]
    assert short.splitlines() == kept


def test_the_page_shows_the_picture_of_its_example(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", example, "--dot", "-"]) == 0
    assert capsys.readouterr().out == block("dot")


def test_why_a_loop_stays_on_the_host_is_said_with_the_remedy(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", loop]) == 0
    said = capsys.readouterr().out
    assert "main.pipe1.rounds  (line 6)  Iterate k(g)\n" in said
    assert said.split("\nUpdates\n")[0].endswith(
        "  outline   no\n            it prints (line 7); print before or after it, from a program scalar\n"
    )


def test_a_refusal_below_is_told_above_with_its_place(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", loop]) == 0
    assert "main.pipe1.rounds: it prints (line 7); print before" in capsys.readouterr().out


def test_json_holds_one_object_for_each_place(loop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", loop, "--json"]) == 0
    places = {p["path"]: p for p in json.loads(capsys.readouterr().out)["places"]}
    assert list(places) == ["k", "k.loop1", "main", "main.pipe1", "main.pipe1.rounds"]
    assert places["k"]["bounds"] == {"WL": {"kind": "static", "size": "WL.size"}}
    assert places["main.pipe1"]["outline"] is False
    assert places["main.pipe1.rounds"]["refusals"] == [
        {"place": "main.pipe1.rounds", "reason": "it prints", "line": 7,
         "remedy": "print before or after it, from a program scalar"}
    ]  # fmt: skip


def test_a_loop_that_cannot_be_outlined_is_dashed_in_the_picture() -> None:
    picture = dot(check(load_text(LOOP, "loop.irgl")))
    key, label = "outline_main_pipe1_rounds", "main.pipe1.rounds\\nIterate\\nit prints (line 7)"
    assert f'{key} [label="{label}" style=dashed color=red];' in picture
    assert "outline_main_pipe1 -> outline_main_pipe1_rounds;" in picture


def test_text_of_the_program_is_escaped_in_the_picture() -> None:
    text = LOOP.replace("WL.push(n);", 'CBlock reads(n.p) writes(n.p) { "\\n" }')
    text = text[: text.index("Program")].replace("WL.items", "g.nodes")
    assert '\\"\\\\n\\"' in dot(check(load_text(text, "loop.irgl")))


def put_dot(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "dot"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")


def test_a_picture_is_laid_out_by_graphviz(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_dot(tmp_path, 'echo "$@"; cat', monkeypatch)
    assert exit_code(["explain", example, "--svg", str(tmp_path / "out.svg")]) == 0
    assert (tmp_path / "out.svg").read_text() == "-Tsvg\n" + block("dot")


def test_without_graphviz_a_picture_is_an_error_that_says_what_to_do(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert exit_code(["explain", example, "--svg", str(tmp_path / "out.svg")]) == 2
    assert capsys.readouterr().err == (
        "error: no program `dot` is here to lay the picture out\n"
        "  hint: install Graphviz, or write --dot FILE and lay it out elsewhere: dot -Tsvg FILE\n"
    )
    assert not (tmp_path / "out.svg").exists()


def test_where_graphviz_fails_it_is_told(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_dot(tmp_path, "echo no fonts >&2; exit 3", monkeypatch)
    assert exit_code(["explain", example, "--svg", str(tmp_path / "out.svg")]) == 2
    assert capsys.readouterr().err.startswith("error: `dot` failed: no fonts\n")


def test_a_file_that_cannot_be_written_is_named(
    example: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "nowhere" / "out.dot"
    assert exit_code(["explain", example, "--dot", str(file)]) == 2
    assert capsys.readouterr().err == f"{file}: error: can't write it: No such file or directory\n"


@pytest.mark.parametrize("name", EVERY)
def test_every_place_of_a_program_is_explained_once(name: str) -> None:
    checked = check(load(PLACE / f"{name}.irgl"))
    whole = [*checked.kernels, *([checked.entry.name] if checked.entry is not None else [])]
    assert sorted(p.path for p in explain(checked)) == sorted([*whole, *paths(checked.program).values()])


def test_graphviz_accepts_the_pictures_of_all_programs() -> None:
    try:
        subprocess.run(["dot", "-V"], capture_output=True, check=True)
    except FileNotFoundError:
        pytest.skip("Graphviz is not installed")
    for name in EVERY:
        picture = dot(check(load(PLACE / f"{name}.irgl")))
        done = subprocess.run(["dot", "-Tplain"], input=picture, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), name
