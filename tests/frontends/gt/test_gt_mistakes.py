"""What is said about each mistake in a .gt file, to the letter: mistakes.txt; and about texts that are no programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.diagnostics import cases_in
from support.places import PROGRAMS, TESTS

from irgl.ast.dump import dump
from irgl.cli.main import exit_code
from irgl.driver import front
from irgl.frontends.load import open_source
from irgl.source import IrglError, Source

#: What stands before a text that begins with `...`.
HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const x : vector{Vertex}(int) = 0;
func one(v : Vertex)
    x[v] = 1;
end
func both(src : Vertex, dst : Vertex)
    x[dst] += x[src];
end
func odd(v : Vertex) -> output : bool
    output = x[v] == 1;
end
"""
CASES = [*cases_in(TESTS / "frontends" / "gt" / "mistakes.txt")]
BLOCKS = {c.name: c for c in CASES}


def message(text: str) -> str:
    with pytest.raises(IrglError) as caught:
        front(Source("x.gt", text.replace("...\n", HEAD, 1) if text.startswith("...\n") else text))
    return str(caught.value)


def test_each_case_has_a_name_of_its_own() -> None:
    assert len(BLOCKS) == len(CASES)


@pytest.mark.parametrize("what", BLOCKS)
def test_the_message_about(what: str) -> None:
    assert message(BLOCKS[what].text) == BLOCKS[what].message


DEEP = {
    "parentheses": "func main() x = " + "(" * 10_000_000,
    "a sum": "func main() x = 1" + " + 1" * 10_000 + "; end",
    "signs": "func main() x = " + "- " * 10_000 + "1; end",
    "blocks": "func main() " + "if true " * 10_000,
    "branches": "func main() if true " + "elif true " * 10_000 + "end end",
    "labels": "func main() " + "#s# " * 10_000 + "print 1; end",
    "indices": "func main() x = " + "a[" * 10_000,
    "types": "const a : " + "list{" * 10_000,
}


@pytest.mark.parametrize("what", DEEP)
def test_what_is_nested_too_deeply_is_refused(what: str) -> None:
    text = "element V end const edges : edgeset{V}(V, V) = load(argv[1]); const x : int = 0; " + DEEP[what]
    assert re.match(r"x\.gt:1:\d+: error: nested too deeply", message(text))


@pytest.mark.parametrize("place", ["var many : vector[{}](int) = 0", "print x[{}]"])
def test_a_number_of_thousands_of_digits_is_refused(place: str) -> None:
    assert "this number does not fit in 64 bits" in message(f"...\nfunc main() {place.format('9' * 5000)}; end")


def test_a_real_number_as_an_index_is_cut_to_a_whole_one() -> None:
    rows = "const rows : vector{Vertex}(vector[4](float));\nconst few : vector[4](float) = 0.0;\n"
    text = HEAD + rows + "func main() print rows[0][1.5]; print few[1.5]; end"
    assert dump(front(Source("x.gt", text)).program).count("[(int)1.5]") == 2


def test_an_empty_file_is_refused() -> None:
    assert "the file is empty" in message("\n \n")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "latin.gt"
    file.write_bytes("func main() % gr\xfc\xdfe\nend".encode("windows-1252"))
    with pytest.raises(IrglError, match="this is not UTF-8 text"):
        open_source(file)


def test_a_binary_is_refused_where_it_begins_to_be_one() -> None:
    assert message("func main()\n\0end").startswith("x.gt:2:1: error: a NUL byte is no part of a program")


@pytest.mark.parametrize("command", [("run", "--verify", "--target", "ref"), ("tune", "--budget", "1s")])
def test_a_program_with_several_answers_is_told_how_it_gets_a_verifier(
        command: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (PROGRAMS / "gt" / "bfs.gt").read_text(encoding="utf-8")
    file = tmp_path / "bfs.gt"
    file.write_text("".join(line for line in text.splitlines(True) if not line.startswith("% irgl:")), encoding="utf-8")
    db = ("--db", str(tmp_path / "tune.db")) if command[0] == "tune" else ()
    assert exit_code([command[0], str(file), *command[1:], *db, "--graph", "path:3", "--argv2", "0"]) == 2
    error, hint = capsys.readouterr().err.splitlines()[-2:]
    assert "the program has several right answers (any_valid) and names no verifier" in error
    assert hint == "  hint: write a verifier, and name it in a comment: % irgl: verify NAME(role = value, ...)"
