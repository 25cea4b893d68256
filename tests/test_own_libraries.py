"""Library types of one's own: the files of docs/libraries.md, whole; what is missing or wrong in such files is told."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import irgl
from irgl import builder as b
from irgl.ast import nodes as A
from irgl.cli import exit_code
from irgl.frontends import own_headers
from irgl.frontends.text import load_text
from irgl.rt import program, toolchain
from irgl.source import IrglError, Source, Span
from irgl.tune import reproduce

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "libraries.md").read_text()
FILES = dict(re.findall(r"^`([\w.]+)`:\n\n```[\w+]*\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
ARCS = [(0, 4), (4, 2), (4, 1), (4, 3), (2, 1), (3, 0)]  # degrees 1 0 1 1 3
needs_gcc = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)


def irgl_library(header: str) -> A.Library:
    return A.Library("X", (), header, (), span=Span(Source("p.irgl", ""), 1, 1, 1, 1))


def edit(name: str, old: str, new: str) -> None:
    text = Path(name).read_text()
    assert text.count(old) == 1
    Path(name).write_text(text.replace(old, new))


@pytest.mark.parametrize("target", ["ref", "cpu", pytest.param("simt", marks=needs_gcc)])
def test_the_counter_of_the_page_runs(target: str) -> None:
    found = irgl.compile("degrees.irgl", target=target)(ARCS)
    assert (found.seen, found.top) == (5, 3)


@pytest.mark.parametrize(("words", "file", "where"), [
    (["run", "degrees.irgl", "--graph", "path:3"], "counter.hpp", "Counter"),
    (["run", "degrees.irgl", "--graph", "path:3", "--target", "simt"], "counter.cuh", "Counter on a GPU"),
    (["compile", "degrees.irgl"], "counter.hpp", "Counter"),
    (["compile", "degrees.irgl", "--target", "cuda"], "counter.cuh", "Counter on a GPU"),
    (["tune", "degrees.irgl", "--graph", "path:3", "--budget", "5s"], "counter.hpp", "Counter"),
], ids=lambda v: " ".join(v) if isinstance(v, list) else "")
def test_a_file_that_is_not_there_is_told_at_its_library(
        words: list[str], file: str, where: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(file).unlink()
    before = {p.name for p in Path.cwd().iterdir()}
    assert exit_code(words) == 2
    said = capsys.readouterr().err
    assert f"counter.irgl:1:1: error: there is no {file}, which is to implement {where}\n" in said
    assert "  hint: write it, beside counter.irgl; docs/libraries.md says what it holds\n" in said
    assert {p.name for p in Path.cwd().iterdir()} == before


def gathered(plan: str, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, int], int]:
    """What the bag of the page gathers on a star of 64 leaves, and the atomics on its counter."""
    words = ["run", "neighbours.irgl", "--graph", "star:65", "--target", "simt", "--stats", "--json", "--plan", plan]
    assert exit_code(words) == 0
    found = json.loads(capsys.readouterr().out)
    lines = found["stats"]["global_atomics_by_line"]
    return ({name: found["result"][name] for name in ("tossed", "items", "weights")},
            sum(n for line, n in lines.items() if "graph.cuh" not in line))


ALL = {"tossed": 64, "items": sum(range(1, 65)), "weights": 64 * 64}


@pytest.mark.parametrize(("level", "atomics"), [("off", 64), ("warp", 2), ("block", 1)])
@needs_gcc
def test_appends_under_a_condition_are_taken_together(level: str, atomics: int,
                                                      capsys: pytest.CaptureFixture[str]) -> None:
    assert gathered(f"np=fg cc={level} block=64", capsys) == (ALL, atomics)


@pytest.mark.parametrize(("level", "atomics"), [("off", 128), ("thread", 65), ("warp", 3), ("block", 2)])
@pytest.mark.parametrize("library", ["bag", "append_only_list"])
@needs_gcc
def test_appends_of_all_edges_are_taken_together(library: str, level: str, atomics: int,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
    edit("neighbours.irgl", "if (e.dst > n) { bag.toss(e.dst, (int)n.degree); }", "bag.toss(e.dst, (int)n.degree);")
    if library != "bag":
        text = Path("neighbours.irgl").read_text().replace("bag.irgl", "append_only_list.irgl")
        text = text.replace("Bag", "AppendOnlyList").replace("toss(e.dst, (int)n.degree)", "append(e.dst)")
        text = text.replace("bag.count", "bag.size").replace("bag.item(i)", "bag[i]").replace("bag.weight(i)", "1")
        Path("neighbours.irgl").write_text(text)
    found, taken = gathered(f"np=fg cc={level} block=64", capsys)
    assert (found["tossed"], taken) == (128, atomics)


@pytest.mark.parametrize(("file", "old", "new", "target", "message"), [
    ("counter.hpp", "return most_;", "return mots_;", "cpu", "counter.hpp:16: error: 'mots_' was not declared"),
    ("counter.cuh", "return found;", "return fund;", "simt", "counter.cuh:36: error: 'fund' was not declared"),
    ("counter.cuh", "  T most(", "  T least(", "simt",
     r"error: the C\+\+ compiler refuses the code that uses \S*counter.cuh: .* has no member named .most."),
    ("counter.cuh", "atomic_add(*size, 1);", "*size += 1;", "simt",
     r"counter.cuh:12: error: the emulator found \[race\] data race"),
])
@needs_gcc
def test_a_mistake_in_a_file_is_told_at_its_line(file: str, old: str, new: str, target: str, message: str) -> None:
    edit(file, old, new)
    with pytest.raises(IrglError, match=message):
        irgl.compile("degrees.irgl", target=target)(ARCS)


def test_a_change_of_a_file_is_a_change_of_the_program() -> None:
    before = program.open_program("degrees.irgl")
    assert irgl.compile("degrees.irgl")(ARCS).seen == 5
    edit("counter.hpp", "return size_;", "return size_ * 10;")
    assert irgl.compile("degrees.irgl")(ARCS).seen == 50
    assert program.open_program("degrees.irgl").fingerprint != before.fingerprint


def test_it_is_one_however_the_declaration_is_laid_out() -> None:
    edit("counter.irgl", 'Counter<T> "counter.hpp"', 'Counter<T>  // of int\n  "counter.hpp"\n')
    assert irgl.compile("degrees.irgl")(ARCS).seen == 5
    edit("counter.hpp", "return size_;", "return size_ * 10;")
    assert irgl.compile("degrees.irgl")(ARCS).seen == 50


def test_they_are_copied_with_the_program() -> None:
    Path("ten.hpp").write_text("#pragma once\n")
    edit("counter.hpp", "namespace irgl {\n", '#include "ten.hpp"\nnamespace irgl {\n')
    Path("copy").mkdir()
    assert reproduce._copy_program("degrees.irgl", program.open_program("degrees.irgl"), Path("copy")) == "degrees.irgl"
    assert {p.name for p in Path("copy").iterdir()} == {
        "degrees.irgl", "counter.irgl", "counter.hpp", "counter.cuh", "counter_reference.py", "ten.hpp"}


def test_another_ending_is_refused() -> None:
    edit("counter.irgl", '"counter.hpp"', '"counter.h"')
    Path("counter.hpp").rename("counter.h")
    with pytest.raises(IrglError, match=r'the C\+\+ of Counter is "counter.h", which does not end in .hpp'):
        irgl.compile("degrees.irgl")(ARCS)


def test_what_a_file_includes_of_its_folder_comes_with_it() -> None:
    Path("ten.hpp").write_text("#pragma once\n#include \"counter.hpp\"\nstatic const int ten = 10;\n")
    edit("counter.hpp", "namespace irgl {\n", '#include "ten.hpp"\n#include "ten.hpp"\nnamespace irgl {\n')
    edit("counter.hpp", "return size_;", "return size_ * ten;")
    assert irgl.compile("degrees.irgl")(ARCS).seen == 50
    edit("ten.hpp", "ten = 10", "ten = nine")
    with pytest.raises(IrglError, match=r"ten\.hpp:3: error: 'nine' was not declared"):
        irgl.compile("degrees.irgl")(ARCS)
    edit("ten.hpp", "ten = nine", "ten = 20")
    edit("counter.hpp", "return most_;", "return mots_;")
    with pytest.raises(IrglError, match=r"counter\.hpp:18: error: 'mots_' was not declared"):
        irgl.compile("degrees.irgl")(ARCS)


@needs_gcc
def test_a_stand_alone_program_has_it_in_itself() -> None:
    words = ["--plan", "mean_degree > 1: direction=pull", "--plan", "none", "-o", "made/degrees.cpp"]
    Path("made").mkdir()
    assert exit_code(["compile", "degrees.irgl", *words]) == 0
    assert exit_code(["graph", "convert", "path:4", "made/path.irglg"]) == 0
    Path("counter.hpp").unlink()
    subprocess.run(["g++", "-std=c++17", "-fopenmp", "-DIRGL_NODE_BITS=32", "-DIRGL_EDGE_BITS=32",
                    f"-I{toolchain.include_dir()}", "made/degrees.cpp", "-o", "made/degrees"], check=True)
    said = subprocess.run(["made/degrees", "made/path.irglg"], capture_output=True, text=True, check=True).stdout
    assert re.search(r"seen\s+4\b", said) and re.search(r"top\s+2\b", said)


def test_a_class_in_python_names_its_file_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["dump", "--stage", "python", "degrees.irgl"]) == 0
    Path("decorated.py").write_text(capsys.readouterr().out)
    assert irgl.compile("decorated.py")(ARCS).seen == 5
    edit("counter.hpp", "return size_;", "return size_ * 10;")
    assert irgl.compile("decorated.py")(ARCS).seen == 50


def test_a_built_program_names_a_file_of_the_working_folder() -> None:
    read = load_text(Path("degrees.irgl").read_text(), "p.irgl")
    parts = [d for d in read.decls if not isinstance(d, A.Import | A.Library)]
    add = b.library_method("add", [b.param("item", b.named("T"))], b.VOID, "appends")
    features = [b.attribute("size", b.LONG), add, b.library_method("most", [], b.named("T"))]
    made = b.program([b.library("Counter", "counter.hpp", features, ["T"]), *parts])
    assert irgl.compile(made)(ARCS).seen == 5
    edit("counter.hpp", "return size_;", "return size_ * 10;")
    assert irgl.compile(made)(ARCS).seen == 50


@pytest.mark.parametrize(("text", "message"), [
    (None, r"degrees.irgl:7:16: error: the reference interpreter can't run library type Counter: there is no "
           r"counter_reference.py beside its declaration"),
    ("class Bag: ...", "counter_reference.py: error: there is no class Counter here"),
    ("class :", "counter_reference.py: error: the library's twin can't be loaded: SyntaxError"),
    ("class Counter:\n  size = 0\n  def __init__(self, *_): ...\n  def add(self, x): x / 0\n",
     r"degrees.irgl:5:64: error: \S*counter_reference.py fails: ZeroDivisionError: division by zero"),
])
def test_what_is_wrong_with_a_twin_is_told(text: str | None, message: str) -> None:
    Path("counter_reference.py").unlink()
    if text is not None:
        Path("counter_reference.py").write_text(text)
    with pytest.raises(IrglError, match=message):
        irgl.compile("degrees.irgl", target="ref")(ARCS)


def test_a_file_that_is_no_text_is_told() -> None:
    Path("counter.hpp").write_bytes(b"\xff\xfe")
    with pytest.raises(IrglError, match=r"counter\.hpp: error: this is not UTF-8 text"):
        irgl.compile("degrees.irgl")(ARCS)


def test_lines_of_a_unit_are_told_by_the_file_that_they_are_in() -> None:
    Path("b.hpp").write_text("1b\n2b\n")
    Path("a.hpp").write_text('1a\n#include "b.hpp"\n#include "b.hpp"\n4a\n')
    (unit,) = own_headers.contents([irgl_library("a.hpp")])
    lines = ["before", *unit.split("\n"), "after"]
    places = {text: own_headers.place("\n".join(lines), i) for i, text in enumerate(lines, 1)}
    assert {t: p for t, p in places.items() if t[:1].isdigit()} == {
        "1a": ("a.hpp", 1), "1b": ("b.hpp", 1), "2b": ("b.hpp", 2), "4a": ("a.hpp", 4)}
    assert (places["before"], places["after"]) == (None, None)
    assert own_headers.files(unit) == ["a.hpp", "b.hpp"]
