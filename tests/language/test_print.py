"""What print writes is the same on every target."""

from __future__ import annotations

import numpy as np
import pytest

import irgl
from irgl.driver import front
from irgl.interpret import run
from irgl.rt.graphs.graph import Graph
from irgl.source import Source

TEXT = """graph Graph { node int x = 0; }
double third = 1; float half = 0.5; uint64 most = 0; bool yes = true;
Program main(Graph g) {
  third = third / 3; most = most - 1;
  print(third, half, 1e20, 1234567.0);
  print(most, yes, !yes, -3, g.num_nodes);
  print("so far");
}
"""
LINES = ["0.333333 0.5 1e+20 1.23457e+06", "18446744073709551615 true false -3 2", "so far"]


def two() -> Graph:
    return Graph(np.array([0, 1, 1], np.int32), np.array([1], np.int32), None)


def test_the_interpreter_prints_by_6_digits() -> None:
    assert list(run(front(Source("p.irgl", TEXT)), {"g": two()}, {}).printed) == LINES


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_generated_code_prints_what_the_interpreter_does(target: str, capfd: pytest.CaptureFixture[str]) -> None:
    program = irgl.compile("p.irgl", target=target, text=TEXT)
    capfd.readouterr()
    program(two())
    out = capfd.readouterr()
    assert (out.out + out.err).splitlines() == LINES
