"""Library types of one's own: the files of docs/libraries.md, whole; what is missing or wrong in such files is told."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.places import ROOT

import irgl
from irgl import builder as b
from irgl import driver
from irgl.ast import nodes as A
from irgl.cli.main import exit_code
from irgl.frontends import own_headers
from irgl.frontends.text.load import load_text
from irgl.plan import Plan
from irgl.rt.compile import toolchain
from irgl.rt.manifests import program
from irgl.source import IrglError, Source, Span
from irgl.tune.session import reproduce

PAGE = (ROOT / "docs" / "libraries.md").read_text()
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


EACH = """import "counter.irgl";
graph Graph { node int most = 0; node long seen = 0; }
Kernel look(Graph g) { ForAll (n In g.nodes) {
  Counter<int> c;
  ForAll (e In n.edges) { c.add((int)e.dst.degree); }
  n.most = c.most();
  n.seen = c.size;
} }
Program each(Graph g) { Invoke look(g); }
"""


@pytest.mark.parametrize("target", ["ref", "cpu", pytest.param("simt", marks=needs_gcc)])
def test_an_iteration_has_one_for_itself(target: str) -> None:
    Path("each.irgl").write_text(EACH)
    found = irgl.compile("each.irgl", target=target)(ARCS)
    assert (found.most.tolist(), found.seen.tolist()) == ([3, 0, 0, 1, 1], [1, 0, 1, 1, 3])


def test_without_the_declarations_word_no_thread_of_a_gpu_has_one() -> None:
    Path("each.irgl").write_text(EACH)
    Path("counter.irgl").write_text(re.sub(r"  own;.*\n", "", Path("counter.irgl").read_text()))
    with pytest.raises(IrglError, match="a Counter of an iteration's own does not run on a device"):
        irgl.compile("each.irgl", target="cuda")
    assert irgl.compile("each.irgl", target="cpu")(ARCS).seen.tolist() == [1, 0, 1, 1, 3]


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
    ("counter.cuh", "return found;", "return fund;", "simt", "counter.cuh:54: error: 'fund' was not declared"),
    ("counter.cuh", "  T most(int64_t) {", "  T least(int64_t) {", "simt",
     r"error: the C\+\+ compiler refuses the code that uses \S*counter.cuh: .* has no member named .most."),
    ("counter.cuh", "atomic_add(*count, 1);", "*count += 1;", "simt",
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
    edit("counter.irgl", 'Counter<T> "counter.hpp"', 'Counter<T>  // the user\'s\n  "counter.hpp"\n')
    assert irgl.compile("degrees.irgl")(ARCS).seen == 5
    edit("counter.hpp", "return size_;", "return size_ * 10;")
    assert irgl.compile("degrees.irgl")(ARCS).seen == 50


def test_they_are_copied_with_the_program() -> None:
    Path("ten.hpp").write_text("#pragma once\n")
    edit("counter.hpp", "namespace irgl {\n", '#include "ten.hpp"\nnamespace irgl {\n')
    Path("copy").mkdir()
    assert reproduce._copy_program("degrees.irgl", program.open_program("degrees.irgl"), Path("copy")) == "degrees.irgl"
    assert {p.name for p in Path("copy").iterdir()} == {
        "degrees.irgl", "counter.irgl", "counter.hpp", "counter_reference.py", "ten.hpp"}


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
    unit = own_headers.put_in('#include "cpu_rt/a.hpp"\n', [irgl_library("a.hpp")], on_gpu=False)
    lines = ["before", *unit.split("\n"), "after"]
    places = {text: own_headers.place("\n".join(lines), i) for i, text in enumerate(lines, 1)}
    assert {t: p for t, p in places.items() if t[:1].isdigit()} == {
        "1a": ("a.hpp", 1), "1b": ("b.hpp", 1), "2b": ("b.hpp", 2), "4a": ("a.hpp", 4)}
    assert (places["before"], places["after"]) == (None, None)
    assert own_headers.files(unit) == ["a.hpp", "b.hpp"]


def test_what_is_not_said_once_stands_each_time() -> None:
    Path("ops.def").write_text("OP(1)\nOP(2)\n")
    edit("counter.hpp", "return size_;", 'return size_ * 100\n#define OP(n) + n\n#include "ops.def"\n#undef OP\n'
         '#define OP(n) + 10 * n\n#include "ops.def"\n#undef OP\n;')
    assert irgl.compile("degrees.irgl")(ARCS).seen == 500 + 3 + 30


def test_what_is_said_once_stands_where_it_is_met_first() -> None:
    Path("shared.hpp").write_text("#pragma once\nconst int ten = 10;\n")
    Path("other.hpp").write_text('#pragma once  // not here\n#include "shared.hpp"\n')
    text = '#ifdef __CUDACC__\n#include "other.hpp"\n#endif\n#include "shared.hpp" // ten\n'
    edit("counter.hpp", "namespace irgl {\n", f"{text}namespace irgl {{\n")
    edit("counter.hpp", "return size_;", "return size_ * ten;")
    assert irgl.compile("degrees.irgl")(ARCS).seen == 50


def test_files_that_include_each_other_end() -> None:
    Path("a.hpp").write_text('#pragma once\n#include "b.hpp"\nconst int of_a = 1;\n')
    Path("b.hpp").write_text('#pragma once\n#include "a.hpp"\nconst int of_b = 2;\n')
    edit("counter.hpp", "namespace irgl {\n", '#include "a.hpp"\nnamespace irgl {\n')
    edit("counter.hpp", "return size_;", "return size_ + of_a + of_b;")
    assert irgl.compile("degrees.irgl")(ARCS).seen == 8


def test_a_name_of_irgls_may_be_used_beside_it() -> None:
    Path("counter.hpp").rename("array.hpp")
    edit("counter.irgl", "counter.hpp", "array.hpp")
    edit("degrees.irgl", 'import "counter.irgl";', 'import "array.irgl";\nimport "counter.irgl";')
    edit("degrees.irgl", "  Counter<int> c;\n", "  Counter<int> c;\n  array<int> a;\n  a.resize(2);\n")
    assert irgl.compile("degrees.irgl")(ARCS).seen == 5


def test_several_plans_take_a_file_that_looks_like_a_unit() -> None:
    edit("counter.hpp", "namespace irgl {\n", "/*\nnamespace unit {\n}  // namespace unit\n*/\nnamespace irgl {\n")
    assert exit_code(["compile", "degrees.irgl", "--plan", "mean_degree > 1: direction=pull", "--plan", "none", "-o",
                      "degrees.cpp"]) == 0
    subprocess.run(["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", f"-I{toolchain.include_dir()}", "degrees.cpp"],
                   check=True)


@pytest.mark.parametrize(("forms", "cc"), [
    ("warp(claim_with_warp) task(lay)", "block"), ("thread(claim) task(lay)", "warp"), ("task(lay)", "thread"),
    ("thread(claim) warp(claim_with_warp) threadblock(claim_with_all)", "block")])
def test_a_level_without_its_form_is_left_alone(forms: str, cc: str) -> None:
    edit("bag.irgl", "thread(claim) warp(claim_with_warp) threadblock(claim_with_all) task(lay)", forms)
    unit = driver.compile("neighbours.irgl", target="simt", plan=Plan.parse(f"np=fg cc={cc}", "simt"))
    assert [line for line in unit.not_applicable if "form of it" in line] != [] and "bag.toss(" in unit.text


@pytest.mark.parametrize(("declared", "message"), [
    ("appends void add(T item) warp(a) warp(b);", r"'add' has two forms warp\(...\)"),
    ("void add(T item) warp(a) task(b);", "'add' reads: only what appends has aggregated forms")])
def test_forms_that_mean_nothing_are_refused(declared: str, message: str) -> None:
    edit("counter.irgl", "appends void add(T item);", declared)
    with pytest.raises(IrglError, match=message):
        irgl.compile("degrees.irgl")


def test_the_tuner_tells_the_line_of_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    edit("counter.hpp", "return most_;", "return mots_;")
    assert exit_code(["tune", "degrees.irgl", "--graph", "path:5", "--budget", "5s", "--db", "db"]) == 2
    assert "counter.hpp:16: 'mots_' was not declared" in capsys.readouterr().err


def test_a_copy_is_the_same_program_to_the_tuner() -> None:
    Path("copy").mkdir()
    for name in FILES:
        shutil.copyfile(name, f"copy/{name}")
    assert len({driver.ready(f"{folder}degrees.irgl").fingerprint for folder in ("", "copy/")}) == 1
    edit("copy/counter.cuh", "atomic_max", "atomic_min")
    assert len({driver.ready(f"{folder}degrees.irgl").fingerprint for folder in ("", "copy/")}) == 2


HISTOGRAM = """library Histogram<T> "histogram.hpp" { long size; elements T; iterator T items; T half(long i); }
graph Graph { node int unused = 0; }
long total = 0;
Kernel look(Graph g, Histogram<int> h) { ForAll (x In h.items) { total += x; } }
Program histogram(Graph g) { Histogram<int> h; h[0] += 4; Invoke look(g, h); total += h.half(0) + h.size; }
"""
TWIN = """from __future__ import annotations
from dataclasses import dataclass, field

@dataclass
class Histogram:
    zero: object
    convert: object
    list: list[int] = field(default_factory=lambda: [0, 0])
    size = 2
    @property
    def items(self):
        return self.list
    def element_place(self, i):
        return self.list, i
    def half(self, i):
        return self.list[i] // 2
"""


@pytest.mark.parametrize(("old", "new", "message"), [
    ("", "", ""),
    ("    @property\n", "", "`items` is a method, and no list"),
    ("return self.list\n", "return 5\n", "fails: TypeError: 'int' object is not iterable"),
    ("return self.list\n", "yield 1 // 0\n", "fails: ZeroDivisionError"),
    ("return self.list\n", "return ['a']\n", "`items` gives 'a', and is to give int"),
    ("return self.list, i", "return 3", r"`element_place\(0\)` gives no list and a place in it, but 3"),
    ("return self.list, i", "return self.list, 9", "gives no list and a place in it"),
    ("return self.list[i] // 2", "pass", r"`half\(\)` gives None, and is to give int"),
    ("size = 2", "size = 'two'", "`size` gives 'two', and is to give long"),
    ("size = 2", "import sys; sys.exit(3)", "the library's twin can't be loaded: SystemExit: 3"),
])
def test_what_a_twin_gives_is_looked_at(old: str, new: str, message: str) -> None:
    Path("histogram.irgl").write_text(HISTOGRAM)
    assert old in TWIN
    Path("histogram_reference.py").write_text(TWIN.replace(old, new, 1))
    found = irgl.compile("histogram.irgl", target="ref")
    if message:
        with pytest.raises(IrglError, match=message):
            found(ARCS)
    else:
        assert found(ARCS).total == 4 + 2 + 2


def test_a_twin_is_run_as_it_stands_there_and_once_for_all_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    edit("counter_reference.py", "self.size += 1", "self.size += runs[0]")
    Path("counter_reference.py").write_text(
        "runs = [0]\nruns[0] += 1\n" + Path("counter_reference.py").read_text())
    edit("degrees.irgl", "  Counter<int> c;\n", "  Counter<int> c;\n  Counter<int> d;\n  Invoke look(g, d);\n")
    assert irgl.compile("degrees.irgl", target="ref")(ARCS).seen == 5
    edit("counter_reference.py", "runs = [0]", "runs = [6]")
    assert irgl.compile("degrees.irgl", target="ref")(ARCS).seen == 35


def test_the_twin_of_a_file_in_a_folder_lies_there() -> None:
    Path("sub").mkdir()
    for name in ("counter.hpp", "counter_reference.py"):
        Path(name).rename(f"sub/{name}")
    edit("counter.irgl", "counter.hpp", "sub/counter.hpp")
    assert [irgl.compile("degrees.irgl", target=t)(ARCS).seen for t in ("cpu", "ref")] == [5, 5]
