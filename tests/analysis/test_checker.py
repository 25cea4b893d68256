"""What the checker accepts, the types that it finds, and that all of it becomes C++ that compiles."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.checking import kernel
from support.diagnostics import PATH, Case, right_programs
from support.places import ROOT

from irgl.analysis.check import check
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.driver import compile
from irgl.frontends.text.load import load_text

RIGHT = right_programs()


@pytest.mark.parametrize("case", RIGHT, ids=str)
def test_every_expression_has_a_definite_type_in(case: Case) -> None:
    c = check(load_text(case.text, PATH))
    for e in walk(c.program):
        if isinstance(e, A.Expr) and e in c.types:
            assert not isinstance(c.types[e], T.Inf | T.Nothing | T.Auto)


def test_every_right_program_becomes_cxx_that_compiles(tmp_path: Path) -> None:

    lines = []
    for i, case in enumerate(RIGHT):
        (tmp_path / f"{i}.cpp").write_text(compile(PATH, text=case.text).text, encoding="utf-8")
        lines += [
            f"#define unit unit_{i}",
            f"#define irgl_run irgl_run_{i}",
            f'#include "{i}.cpp"',
            "#undef unit",
            "#undef irgl_run",
        ]
    (tmp_path / "all.cpp").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        ["g++", "-fsyntax-only", "-std=c++17", "-fopenmp", f"-I{ROOT}", str(tmp_path / "all.cpp")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:3000]


# What kernels do with their worklists


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        ("ForAll (n In g.nodes) { n.label = 1; }", ""),
        ("ForAll (n In WL.items) { n.label min= 1; }", "reads"),
        ("ForAll (i In WL) { node n = WL.pop(i); n.label min= 1; }", "reads"),
        ("ForAll (n In g.nodes) { WL.push(n); }", "pushes"),
        ("ForAll (n In WL.items) { Respawn n; }", "reads retries"),
        ("ForAll (n In WL.items) { Retry n; }", "reads retries"),
        ("ForAll (n In g.nodes) { ReduceAndReturn(n.seen); }", "returns"),
    ],
)
def test_the_facts_of_a_kernel(body: str, facts: str) -> None:
    found = kernel(body).facts["k"]
    assert " ".join(f for f in ("reads", "pushes", "retries", "returns") if getattr(found, f)) == facts


# What loops combine


@pytest.mark.parametrize(
    ("body", "combined"),
    [
        ("int x = 0; ForAll (n In g.nodes) { x += n.label; } high = x;", ["x sum"]),
        ("int x = 0; ForAll (n In g.nodes) { x -= n.label; } high = x;", ["x sum"]),
        ("int x = INF; ForAll (n In g.nodes) { x min= n.label; } high = x;", ["x min_of"]),
        ("int x = 0; ForAll (n In g.nodes) { x max= n.label; } high = x;", ["x max_of"]),
        ("bool x = true; ForAll (n In g.nodes) { x &= n.seen; } high = x;", ["x bit_and"]),
        ("bool x = false; ForAll (n In g.nodes) { x |= n.seen; } high = x;", ["x bit_or"]),
        ("ForAll (n In g.nodes) { total += 1; }", ["total sum"]),
        ("ForAll (n In g.nodes) { total += 1; high max= n.label; }", ["total sum", "high max_of"]),
        ("ForAll (n In g.nodes) { if (total += 1) { n.label = 1; } }", []),
        ("ForAll (n In g.nodes) { total += 1; total min= 3; }", []),
        ("ForAll (n In g.nodes) { high ^= 1; }", []),
        ("ForAll (n In g.nodes) { int x = 0; x += 1; n.label = x; }", []),
    ],
)
def test_what_a_forall_combines(body: str, combined: list[str]) -> None:
    c = kernel(body)
    (loop,) = [n for n in walk(c.kernels["k"]) if isinstance(n, A.ForAll)]
    assert [f"{symbol.name} {how}" for symbol, how in c.combined[loop]] == combined


def test_a_variable_is_combined_by_every_loop_that_stands_between_it_and_its_update() -> None:
    c = kernel(
        "ForAll (n In g.nodes) { int x = 0; ForAll (e In n.edges) { ForAll (f In e.dst.edges) { x += 1; } } "
        "n.label = x; }"
    )
    loops = [n for n in walk(c.kernels["k"]) if isinstance(n, A.ForAll)]
    assert [len(c.combined[loop]) for loop in loops] == [0, 1, 1]
