"""The layout of generated CUDA text."""

from __future__ import annotations

import pytest
from support.programs import ON_GRAPHS, PLACE

from irgl import driver
from irgl.codegen.cuda.layout import WIDTH, fold
from irgl.plan import Plan


def test_a_line_that_fits_stays_as_it_is() -> None:
    assert fold("f(a, b);\n  g(c);") == "f(a, b);\n  g(c);"


def test_arguments_go_below_one_another() -> None:
    first, second = "a" * 60, "b" * 60
    assert fold(f"  call({first}, {second});") == f"  call({first},\n       {second});"


def test_arguments_of_a_long_name_go_below_its_line() -> None:
    name = "n" * 80
    assert fold(f"  {name}(first, second, third, {'x' * 20}) {{") == (
        f"  {name}(\n      first, second, third, {'x' * 20}) {{")


def test_an_operator_begins_a_line() -> None:
    assert fold(f"  for_each(t, {'r' * 90}, [&](int a, int b) {{") == (
        f"  for_each(t, {'r' * 90},\n           [&](int a, int b) {{")


def test_a_qualifier_is_no_call() -> None:
    params = ", ".join(f"int parameter_{k}" for k in range(5))
    folded = fold(f"__global__ void __launch_bounds__(irgl::block_size, 1) k({params}) {{")
    assert folded.splitlines()[0].startswith("__global__ void __launch_bounds__(irgl::block_size, 1) k(")


@pytest.mark.parametrize("kept", ["std::pair<int, long>(0)", "{1, 2}", "f(1, 2)", '"a, b"', '"\\", "'])
def test_an_argument_is_not_parted(kept: str) -> None:
    assert kept in fold(f"call({'x' * 104}, {kept}, y);").splitlines()[-1]


def test_directives_and_comments_are_left_alone() -> None:
    lines = f"#define A(x, y) {'z' * 120}\n// of (a, b) {'z' * 120}"
    assert fold(lines) == lines


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_folding_changes_nothing_but_spaces(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.parse("np=tb+wp+fg", "cuda")
    folded = driver.compile(PLACE / f"{name}.irgl", target="cuda", plan=plan).text
    monkeypatch.setattr("irgl.codegen.cuda.unit.fold", str)
    plain = driver.compile(PLACE / f"{name}.irgl", target="cuda", plan=plan).text
    assert max(map(len, plain.splitlines())) > WIDTH
    assert "".join(folded.split()) == "".join(plain.split())
