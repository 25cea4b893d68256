"""Whole numbers wrap around in GPU code, too, where nvcc takes for granted that sums of signed numbers do not overflow.

The emulator complains of such a sum in a kernel; the interpreter says what comes out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.random_graphs import SmallGraph
from support.random_parts import RandomProgram
from support.simt_batch import compared

from irgl import driver
from irgl.plan import Plan
from irgl.rt.emulate.emulate import folder

GRAPH = SmallGraph(np.array([0, 2, 3, 3]), np.array([1, 2, 0]), None)
STATEMENTS = {
    "sum": "if (y + 1 > y) { n.b = 1; }",
    "difference": "if (-2 - y < 0) { n.b = 1; } if (-y - 9 < -y) { n.b += 2; }",
    "product": "n.b = y * 2 / 2;",
    "negative": "int least = y + 1; n.b = -least;",
    "absolute value": "int least = y + 1; if (abs(least) >= 0) { n.b = 1; }",
    "update": "int z = y; z += 5; if (z > y) { n.b = 1; } z -= 9; z *= 3; n.c = z;",
    "update of a property": "n.b = y; n.b += 7; n.b -= 1; n.b = n.b * 3;",
    "long": "int64 far = (int64) y * y * 2; n.c = far * 2; if (far + far < far) { n.b = 1; }",
    "short": "uint16 s = 65535; n.b = s * s; int16 t = 32767; t += 1; n.c = t;",
    "shared update": "g.total += y; n.b = 1;",
    "nested sum": "int sum = y; ForAll (e In n.edges) { sum += y; } n.b = sum;",
    "loop": "for (int i = y - 2; i <= y - 1; i += 1) { n.b += 1; } for (int i = y - 1; i > 0; i += 3) { n.b += 1; }",
}


def program(statements: str) -> RandomProgram:
    shared = "total += y;" if "g.total" in statements else ""
    statements = statements.replace("g.total += y;", shared)
    return RandomProgram(
        "graph Graph { node int b = 0; node int64 c = 0; }\nint total = 0;\n"
        f"Kernel step(Graph g, int x) {{ ForAll (n In g.nodes) {{ int y = x; {statements} }} }}\n"
        f"Program p(Graph g, int x = 0) {{ Invoke step(g, x); }}\n", GRAPH, {"x": 2**31 - 1})


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize("what", STATEMENTS)
def test_numbers_wrap_around_in_kernels(what: str) -> None:
    assert compared(program(STATEMENTS[what]), "none block=32") == ""


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize("outline", ["off", "all"])
def test_numbers_wrap_around_in_loops_of_the_program(outline: str) -> None:
    text = ("graph Graph { node int b = 0; }\nint out = 0;\n"
            "Kernel step(Graph g, int x) { ForAll (n In g.nodes) { n.b = x; } }\n"
            "Program p(Graph g, int x = 0) { int y = x; int k = 0;\n"
            "  while (k < 3) { y += 1; if (y - 1 < y) { out += 1; } Invoke step(g, y * 3); k += 1; } }\n")
    assert compared(RandomProgram(text, GRAPH, {"x": 2**31 - 1}), f"outline={outline} block=32") == ""


@pytest.mark.parametrize(("written", "stands"), [
    ("n.b = x % 7 + 1;", "= x % 7 + 1;"),
    ("n.c = (int64) x * 4;", "= int64_t(x) * 4;"),
    ("for (int i = 0; i < x; i += 1) { n.b = i; }", "for (int32_t i = 0; i < x; i += 1) {"),
    ("for (int i = x; i > 3; i -= 1) { n.b = i; }", "for (int32_t i = x; i > 3; i -= 1) {"),
    ("for (int i = 0; i <= 30; i += 4) { n.b = i; }", "for (int32_t i = 0; i <= 30; i += 4) {"),
])
def test_what_cannot_overflow_stands_as_written(written: str, stands: str) -> None:
    assert stands in unit(written)


@pytest.mark.parametrize("written", [
    "for (int i = 0; i <= x; i += 1) { n.b = i; }",
    "for (int i = 0; i < x; i += 2) { n.b = i; }",
    "for (int i = 0; i < n.c; i += 1) { n.b = i; }",
    "for (int i = 0; i < x; i += 1) { i = i * 2 % 9; }",
    "for (int i = 0; i > x; i += 1) { n.b = i; }",
])
def test_a_counter_that_may_overflow_is_counted_by_a_call(written: str) -> None:
    assert "irgl::plain_add(i, " in unit(written)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_nvcc_keeps_a_comparison_with_a_sum(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(unit(STATEMENTS["sum"]))
    command = ["nvcc", "-std=c++17", "-O3", "-arch=sm_75", "-ptx", f"-I{folder().parent}", "p.cu", "-o", "p.ptx"]
    subprocess.run(command, cwd=tmp_path, check=True)
    step = re.search(r"\.entry \w*step\w*\(.*?\n\}", (tmp_path / "p.ptx").read_text(), re.S)
    assert step is not None and "2147483647" in step[0]


def unit(statements: str) -> str:
    return driver.compile("p.irgl", target="cuda", plan=Plan.parse("none", "cuda"), text=program(statements).text).text
