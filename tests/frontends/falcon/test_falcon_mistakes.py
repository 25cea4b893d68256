"""What is said about each mistake in a .fal file, to the letter: mistakes.txt; and about texts that are no programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.diagnostics import cases_in
from support.places import TESTS

from irgl.cli.main import exit_code
from irgl.driver import front
from irgl.source import IrglError, Source

#: What stands before a text that begins with `...`.
HEAD = """int changed = 0;
int total = 0;
main(int argc, char *argv[]) {
    Graph graph;
    graph.addPointProperty(dist, int);
    graph.addPointProperty(up, Point);
    graph.addEdgeProperty(cut, bool);
    graph.read(argv[1]);
"""
CASES = [*cases_in(TESTS / "frontends" / "falcon" / "mistakes.txt")]
BLOCKS = {c.name: c for c in CASES}


def message(text: str) -> str:
    with pytest.raises(IrglError) as caught:
        front(Source("x.fal", text.replace("...\n", HEAD, 1) if text.startswith("...\n") else text))
    return str(caught.value)


def test_each_case_has_a_name_of_its_own() -> None:
    assert len(BLOCKS) == len(CASES)


@pytest.mark.parametrize("what", BLOCKS)
def test_the_message_about(what: str) -> None:
    assert message(BLOCKS[what].text) == BLOCKS[what].message


DEEP = {
    "parentheses": "total = " + "(" * 1_000_000, "a sum": "total = 1" + " + 1" * 10_000 + "; }",
    "signs": "total = " + "- " * 10_000 + "1; }", "blocks": "{" * 10_000, "ifs": "if (1) " * 10_000,
    "branches": "if (1) ; " + "else if (1) ; " * 10_000 + "}", "choices": "total = " + "1 ? " * 10_000,
    "indices": "total = " + "a[" * 10_000, "loops": "foreach (p In graph.points) " * 10_000,
}


@pytest.mark.parametrize("what", DEEP)
def test_what_is_nested_too_deeply_is_refused(what: str) -> None:
    assert re.match(r"x\.fal:\d+:\d+: error: nested too deeply", message("...\n" + DEEP[what]))


def test_functions_that_come_to_too_many_copies_are_refused() -> None:
    calls = "".join(f"void f{k}() {{ f{k + 1}(); f{k + 1}(); }}\n" for k in range(40))
    text = f"{calls}void f40() {{ }}\n{HEAD}    f0();\n}}\n"
    assert "the functions that are called here come to too many copies" in message(text)


def test_values_that_come_to_too_many_copies_are_refused() -> None:
    text = f"int twice(int x) {{ return x + x; }}\n{HEAD}    total = {'twice(' * 40}1{')' * 40};\n}}\n"
    assert "the functions that are called here come to too many copies" in message(text)


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_refused(text: str) -> None:
    assert message(text) == "x.fal: error: the file is empty\n  hint: a program needs at least main() { ... }"


def test_the_command_line_says_it_once_and_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.fal"
    file.write_text(HEAD + "    foreach (e In graph.edges) e.dst.dist = e.weight;\n}\n")
    assert exit_code(["run", str(file), "--graph", "path:3"]) == 2
    said = capsys.readouterr().err
    assert said.count("error: ") == 1
    assert f"{file}:9:32: error: several iterations may store different values to 'dist'" in said
