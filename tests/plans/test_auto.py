"""The option auto: it scales the defaults that a program leaves to tuning, and nothing else."""

from __future__ import annotations

import re
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irgl import driver
from irgl.cli.main import exit_code
from irgl.options import by_name
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.compile.toolchain import command
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError
from irgl.space import Choice, legal_space
from irgl.standalone import standalone

GRAPH = Graph(np.array([0, 2, 3, 3], np.int32), np.array([1, 2, 2], np.int32), np.array([1, 2, 6], np.int32))
#: Declarations with the value of x under each of the factors 1/16, 1/4, 1, 4 and 16.
SCALED: list[tuple[str, list[float]]] = [
    ("int x = auto(100)", [6, 25, 100, 400, 1600]),
    ("int x = auto(3)", [1, 1, 3, 12, 48]),
    ("int x = auto(0)", [0, 0, 0, 0, 0]),
    ("int x = auto(-100)", [-100] * 5),
    ("int x = auto(1000000000)", [62_500_000, 250_000_000, 1_000_000_000, 2**31 - 1, 2**31 - 1]),
    ("uint8 x = auto((uint8)40)", [2, 10, 40, 160, 255]),
    ("long x = auto(g.num_edges * 1000)", [187, 750, 3000, 12_000, 48_000]),
    ("int x = auto((int)average_weight(g))", [1, 1, 3, 12, 48]),
    ("double x = auto(0.5)", [0.03125, 0.125, 0.5, 2, 8]),
    ("float x = auto((float)0.5)", [0.03125, 0.125, 0.5, 2, 8]),
    ("double x = auto(2)", [0.125, 0.5, 2, 8, 32]),
    ("int x = 100", [100] * 5),
    ("int y = auto(8), int x = y * 10", [10, 20, 80, 320, 1280]),
]
FACTORS = ("1/16", "1/4", "1", "4", "16")


def source(declaration: str) -> str:
    return f"graph Graph {{ edge int w; }}\nlong i = 0;\ndouble d = 0;\nProgram p(Graph g, {declaration}) " \
           "{ i = (long)x; d = (double)x; }\n"


def bound(declaration: str, plan: str, **given: object) -> dict[str, Any]:
    return bind(open_program("<test>", Plan.parse(plan), text=source(declaration)), {"g": GRAPH}, given)


@pytest.mark.parametrize(("declaration", "values"), SCALED)
def test_defaults_left_to_tuning_are_multiplied_and_stay_in_their_type(declaration: str, values: list[float]) -> None:
    assert [bound(declaration, f"auto={factor}")["x"] for factor in FACTORS] == values


@pytest.mark.parametrize("factor", FACTORS)
def test_a_given_value_stays(factor: str) -> None:
    assert bound("int x = auto(100)", f"auto={factor}", x="7")["x"] == 7


def test_a_stand_alone_program_has_the_same_defaults(tmp_path: Path) -> None:
    """All declarations are the parameters of one program for each factor, whose main is compiled alone."""
    declarations = [d for d, _ in SCALED if "average" not in d and " y " not in d and "num_edges" not in d]
    names = [f"x{k}" for k in range(len(declarations))]
    params = ", ".join(d.replace(" x ", f" {n} ") for d, n in zip(declarations, names, strict=True))
    totals = "".join(f"double d{n} = 0;\n" for n in names)
    text = f"graph Graph {{ edge int w; }}\n{totals}Program p(Graph g, {params}) {{ " \
           f"{' '.join(f'd{n} = (double){n};' for n in names)} }}\n"
    for factor in ("1/16", "4"):
        plan = Plan.parse(f"auto={factor}")
        code = standalone(driver.compile("p.irgl", plan=plan, text=text), plan)
        (tmp_path / "p.cpp").write_text(code)
        words = ["-O0" if w == "-O3" else w for w in command(32, 32) if w not in ("-shared", "-fPIC")]
        subprocess.run([*words, "-o", str(tmp_path / "p"), str(tmp_path / "p.cpp")], check=True)
        assert exit_code(["graph", "convert", "path:3", str(tmp_path / "g.irglg")]) == 0
        words = [str(tmp_path / "p"), str(tmp_path / "g.irglg")]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        expected = [dict(SCALED)[d][FACTORS.index(factor)] for d in declarations]
        assert [float(v) for v in re.findall(r"^dx\d+ (.*)$", done.stdout, re.M)] == expected


def test_help_shows_the_default_as_the_plan_has_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.irgl"
    path.write_text(source("int x = auto(100)"))
    exit_code(["run", str(path), "--plan", "auto=1/4", "--help"])
    assert "[default: 1/4 * auto(100)]" in capsys.readouterr().out


@pytest.mark.parametrize("target", ["cpu", "ref"])
@pytest.mark.parametrize(("declaration", "reason"), [
    ("int x = auto(1)", None), ("int x = 1", "no parameter's default is a number auto(...)"),
    ("bool x = auto(true)", "no parameter's default is a number auto(...)")])
def test_it_is_legal_where_a_number_is_left_to_tuning(declaration: str, reason: str | None, target: str) -> None:
    checked = driver.ready("p.irgl", source(declaration)).checked
    assert [c for c in legal_space(checked.program, target) if c.option == "auto"] == [
        Choice("", "auto", reason, by_name("cpu")["auto"].words)]


def test_it_is_a_power_of_two_from_an_nth_to_n_times() -> None:
    assert {Fraction(w) for w in by_name("cpu")["auto"].words} == {Fraction(2) ** k for k in range(-8, 9)}
    assert bound("int x = auto(512)", "auto=1/256")["x"] == 2
    with pytest.raises(IrglError, match="`auto=512`: it takes 1, 1/2"):
        Plan.parse("auto=512")


def test_plans_that_differ_in_it_share_their_code() -> None:
    texts = {open_program("<test>", Plan.parse(f"auto={f}"), text=source("int x = auto(1)")).text for f in FACTORS}
    assert len(texts) == 1
