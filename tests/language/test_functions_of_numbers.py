"""Functions of floating point numbers mean the same everywhere, also where they are not defined."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.awkward_graphs import directed
from support.running import outcome

from irgl.analysis.check import check
from irgl.analysis.names.members import FLOAT_FUNCTIONS, FLOAT_FUNCTIONS_OF_TWO
from irgl.frontends.text.load import load_text
from irgl.interpret import run

CALLS = {**{f: f"{f}(x)" for f in FLOAT_FUNCTIONS}, **{f: f"{f}(x, y)" for f in FLOAT_FUNCTIONS_OF_TWO}}
NODES = 24


def text(number: str) -> str:
    properties = " ".join(f"node {number} by_{f} = 0;" for f in CALLS)
    stores = " ".join(f"n.by_{f} = {call};" for f, call in CALLS.items())
    return f"""graph Graph {{ {properties} }}
Kernel all(Graph g) {{
  ForAll (n In g.nodes) {{
    {number} x = ({number})(n.id - 12) * 3 / 8;
    {number} y = ({number})(n.id % 5) - 2;
    {stores}
  }}
}}
Program main(Graph g) {{ Invoke all(g); }}
"""


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize(("number", "tolerance"), [("double", 4e-15), ("float", 1e-6)])
def test_targets_agree_with_the_interpreter(target: str, number: str, tolerance: float) -> None:
    graph = directed(NODES, [])
    wanted = run(check(load_text(text(number))), {"g": graph}).properties
    found = outcome(text(number), "none" if target == "cpu" else "none block=32", target, graph).result.properties
    for name, values in found.items():
        assert np.allclose(values.array, wanted[name], rtol=tolerance, atol=tolerance, equal_nan=True), name


def test_the_interpreter_agrees_with_c() -> None:
    found = run(check(load_text(text("double"))), {"g": directed(NODES, [])}).properties
    for node in (3, 12, 13, 20):
        x, y = (node - 12) * 3 / 8, node % 5 - 2
        assert found["by_atan2"][node] == pytest.approx(math.atan2(x, y), rel=1e-15)
        assert found["by_hypot"][node] == pytest.approx(math.hypot(x, y), rel=1e-15)
        assert found["by_sin"][node] == pytest.approx(math.sin(x), rel=1e-15)
        assert found["by_trunc"][node] == math.trunc(x)
        assert found["by_cbrt"][node] == pytest.approx(math.copysign(abs(x) ** (1 / 3), x), rel=1e-14)


def test_what_is_not_defined_is_not_a_number() -> None:
    found = run(check(load_text(text("double"))), {"g": directed(NODES, [])}).properties
    assert {f for f in CALLS if math.isnan(found[f"by_{f}"][0])} == {
        "sqrt", "asin", "acos", "log", "log2", "log10", "log1p"}
