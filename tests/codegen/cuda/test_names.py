"""A program's own names meet none that the compiler gives: in its passes, in the generated text, in the headers."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.awkward_graphs import random_arcs
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.running import outcome
from support.simt_batch import all_compared

from irgl.codegen.cxx.names import name
from irgl.driver import compile as compile_unit
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.compile.toolchain import include_dir
from irgl.rt.manifests.program import open_program
from irgl.rt.system.endings import RefusedCodeError

GRAPH = random_arcs(5, 40, 90)
HEAD = "graph Graph { node int a = 0; edge int w; }\nlong s = 0;\n"
INCLUDED = f"-I{include_dir()}"
EMULATOR = include_dir() / "cuda_rt" / "emu" / "include"
WORD = re.compile(r"#define ([A-Za-z_]\w*)")

APPENDS = HEAD + """Kernel k(Graph g, list<node> {list}) {
  ForAll (n In g.nodes) {
    int {local} = 2;
    ForAll (e In n.edges) { if (e.w > 2) { {list}.push(e.dst); s += {local}; } }
    if (n.id % 3 != 0) { continue; }
    for (int i = 0; i < 2; i++) { {list}.push(n); }
    if ({local} < 5) { n.a += 1; s += {local}; }
  }
}
Program main(Graph g) { list<node> l; Invoke k(g, l); s += l.size; }
"""
EXCLUSIVE = HEAD + """Kernel k(Graph g) {
  ForAll (n In g.nodes) {
    int {local} = 2;
    if (n.id >= 0) { Exclusive (g, [n]) { n.a += {local}; s += {local}; } Else { s += 100; } }
    s += {local};
  }
}
Program main(Graph g) { Invoke k(g); }
"""
HOST = HEAD + """Kernel k(Graph g, int {local}) { ForAll (n In g.nodes) { n.a += {local}; s += n.a; } }
Program main(Graph {list}) {
  int {local} = 2;
  Pipe Once { Invoke k({list}, {local}); {local} += 1; Invoke k({list}, {local}); }
  s += {local};
}
"""
WORDS = ("count_1", "count_x", "item_1", "place_1", "in_1", "valid", "k_kernel", "UINT_MAX")


def filled(text: str, local: str, lists: str) -> str:
    return text.replace("{local}", local).replace("{list}", lists)


@pytest.mark.parametrize("word", WORDS)
def test_a_variable_or_list_may_be_called_as_one_that_the_passes_make(word: str) -> None:
    wanted = outcome(filled(APPENDS, "mine", "l"), "default", "cpu", GRAPH).result
    for text in (filled(APPENDS, word, "l"), filled(APPENDS, "mine", word)):
        found = outcome(text, "cc=block np=fg block=64", "simt", GRAPH).result
        assert found.scalars == wanted.scalars, text
        assert (found.properties["a"].array == wanted.properties["a"].array).all()


@pytest.mark.parametrize("word", ["count_1", "place_1", "in_1", "done_1", "valid"])
@pytest.mark.parametrize("declared", ["long {};", "int {}(int x) {{ return x; }}",
                                      "Kernel {}(Graph g) {{ ForAll (n In g.nodes) {{ n.a += 1; }} }}"])
def test_what_a_program_declares_may_be_called_as_a_variable_that_the_passes_make(word: str, declared: str) -> None:
    text = HEAD + declared.format(word) + filled(APPENDS, "mine", "l").removeprefix(HEAD)
    compile_unit("p.irgl", target="cuda", plan=Plan.parse("cc=block np=fg", "cuda"), text=text)


@pytest.mark.parametrize("word", ["mine_1", "held_1", "add", "valid", "in_1"])
def test_a_variable_may_be_called_as_what_an_exclusive_declares(word: str) -> None:
    for target, plan in (("cpu", "default"), ("simt", "block=64")):
        assert outcome(filled(EXCLUSIVE, word, "l"), plan, target, random_arcs(5, 8, 0)).result.scalars["s"] == 32


@pytest.mark.parametrize(("word", "outline"), [
    ("s", "all"), ("saved", "graph"), ("loop", "graph"), ("at", "graph"), ("main_pipe1_state", "all")])
def test_what_an_outlined_loop_uses_may_be_called_as_its_state(word: str, outline: str) -> None:
    text = HOST.replace("long s", "long total").replace("s +=", "total +=")
    wanted = outcome(filled(text, "mine", "g"), "default", "cpu", GRAPH).result.scalars["total"]
    for one in (filled(text, word, "g"), filled(text, "mine", word)):
        assert outcome(one, f"outline={outline} block=64", "simt", GRAPH).result.scalars["total"] == wanted


@pytest.mark.parametrize("word", ["clock", "int4", "std", "cudaMalloc"])
def test_a_graph_or_a_struct_may_be_called_as_something_in_the_headers(word: str) -> None:
    text = f"""struct {word}_of {{ int x; int y; }};
graph {word} {{ node int a = 0; node {word}_of b = ({word}_of){{1, 2}}; edge int w; }}
long s = 0;
Kernel k({word} g) {{ ForAll (n In g.nodes) {{ n.a += n.b.y; s += n.a; }} }}
Program main({word} g) {{ Invoke k(g); }}
"""
    for source in (text, text.replace(f"{word}_of", "other").replace(word, "Graph").replace("other", word)):
        for target in ("cpu", "simt"):
            assert outcome(source, "default", target, random_arcs(5, 8, 20)).result.scalars["s"] == 16


SHARED = """struct Pair { int x; int y; }; graph Graph { node int a = 0; }
int {word} = 0; long s = 0;
Pair pair() { Pair p; {word} += 1; p.x = {word}; p.y = 7; return p; }
Kernel k(Graph g) WL list<int> {
  Pair p = pair(); long sum = 0;
  ForAll (i In WL) { int x = WL.pop(i); sum += x; if (x > 0) { Respawn x - 1; } }
  s += sum * 100 + p.x * 10 + p.y; {word} += 1;
}
Kernel j(Graph g, int most) { ForAll (n In g.nodes) { most += 1; } {word} += most; }
Program main(Graph g) { {word} = 3; Pipe Once Initial [3, 2] { Invoke k(g); Invoke j(g, 2); } s += {word} * 10000; }
"""


def members() -> list[str]:
    """What the generated Scalars inherits: the members of SharedOf, and of what it is made of."""
    text = (include_dir() / "cuda_rt" / "orchestrate.cuh").read_text().replace("{}", "")
    bodies = re.findall(r"struct (?:SharedOf|Kept)\b[^{;]*\{(.*?)\}", text, re.S)
    return [word for body in bodies for word in re.findall(r"(\w+)(?:\[\w+\])?(?: = )?[;,]", body)]


def test_the_members_of_what_a_grid_shares_are_found() -> None:
    assert sorted(members()) == ["given", "kept", "slots", "value"]


def test_a_program_scalar_may_be_called_as_a_member_of_what_a_grid_shares() -> None:
    programs = [RandomProgram(SHARED.replace("{word}", word), from_arcs(4, [(0, 1, 1)]), {}) for word in members()]
    assert all_compared(programs, ["outline=off block=32", "outline=all block=32"]) == {}


def macros(words: Sequence[str]) -> set[str]:
    """The macros that a compiler knows behind the run-time's headers."""
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return set(WORD.findall(done.stdout))


def defined(folder: Path) -> dict[str, set[str]]:
    """The macros of each target, and those of nvcc where there is one."""
    every = 'import "mesh.irgl";\n' + filled(EXCLUSIVE, "mine", "l")
    more = '#include "cpu_rt/main.hpp"\n#include "cpu_rt/choose.hpp"\nnamespace unit {'
    for target, suffix in (("cpu", "cpp"), ("cuda", "cu")):
        text = compile_unit("p.irgl", target=target, text=every).text
        (folder / f"p.{suffix}").write_text(text.replace("namespace unit {", more, 1))
    common = ["-std=c++17", "-dM", "-E", INCLUDED]
    emulated = ["g++", *common, "-x", "c++", f"-I{EMULATOR}", "-include", str(EMULATOR / "cuda_runtime.h"),
                str(folder / "p.cu")]
    found = {"cpu": macros(["g++", "-fopenmp", *common, str(folder / "p.cpp")]), "simt": macros(emulated),
             "slim": macros([*emulated, "-DIRGL_EMU_SLIM"])}
    if shutil.which("nvcc") is not None:
        found["cuda"] = macros(["nvcc", "-std=c++17", "-arch=sm_90", INCLUDED, "-E", "-Xcompiler", "-dM",
                                str(folder / "p.cu")])
    return found


def test_no_name_is_written_as_a_macro_of_the_headers(tmp_path: Path) -> None:
    found = defined(tmp_path)
    for target, words in found.items():
        assert len(words) > 1000, target
        assert sorted(w for w in words if name(w) in words or name(w.rstrip("_")) in words) == [], target


@pytest.mark.parametrize("word", ["n", "level", "Graph", "Node2", "a_b", "is_ok", "N", "x_", "maxDegree", "_low"])
def test_an_ordinary_name_stays_as_it_is(word: str) -> None:
    assert name(word) == (word + "_" if word.startswith("_") else word)


def test_different_names_stay_different() -> None:
    words = ["EOF", "A_b", "valid", "std", "__x", "_X", "_x", "htobe16", "held_1", "inner", "inner12", "cudaMalloc"]
    words = [w + end for w in words for end in ("", "_", "__", "_u", "_u_")]
    assert len({name(w) for w in words}) == len(words)


def test_what_gxx_refuses_of_irgls_own_text_is_a_bug_of_irgls() -> None:
    plan = Plan.parse("default", "simt")
    manifest = open_program("text.irgl", plan, text=filled(APPENDS, "mine", "l"))
    with pytest.raises(RefusedCodeError) as e:
        device.build(replace(manifest, text=manifest.text + "\nint wrong = ;\n"), (32, 32), True)
    assert "refuses the code that irgl made" in e.value.message
    assert e.value.hint.startswith("please report it with /")


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
def test_a_stand_alone_program_with_an_unsigned_scalar_compiles_without_a_warning(tmp_path: Path) -> None:
    from irgl.standalone import standalone
    plan = Plan(target="cuda")
    text = HEAD.replace("long", "uint64") + "Kernel k(Graph g) { ForAll (n In g.nodes) { s += 1; } }\n" \
        "Program main(Graph g) { Invoke k(g); }\n"
    (tmp_path / "p.cu").write_text(standalone(compile_unit("p.irgl", target="cuda", plan=plan, text=text), plan))
    done = subprocess.run(["nvcc", "-std=c++17", "-arch=sm_90", "-fdevice-syntax-only", "-c", INCLUDED, "p.cu"],
                          cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "warning" not in done.stderr


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
def test_a_scalar_that_a_for_counts_may_be_called_as_a_function_of_cs_library(tmp_path: Path) -> None:
    """In the head of a `for` nvcc reads `s.round < 20` as the beginning of a template's arguments."""
    plan = Plan(target="cuda")
    text = HEAD + "Kernel k(Graph g) { ForAll (n In g.nodes) { s += 1; } }\n" \
        "Program main(Graph g) { for (int round = 0; round < 20; round += 1) { Invoke k(g); } }\n"
    (tmp_path / "p.cu").write_text(compile_unit("p.irgl", target="cuda", plan=plan, text=text).text)
    done = subprocess.run(["nvcc", "-std=c++17", "-arch=sm_90", "-fdevice-syntax-only", "-c", INCLUDED, "p.cu"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
