"""clock(): the seconds since the Program began, on every target."""

from __future__ import annotations

import pytest

import irgl
from irgl.source import IrglError

TEXT = """graph Graph { node int x = 0; }
double begun = 0;
double ended = 0;
Kernel count(Graph g) { ForAll (n In g.nodes) { n.x += 1; } }
Program main(Graph g) {
  begun = clock();
  for (int i = 0; i < 50; i++) { Invoke count(g); }
  ended = clock();
}
"""


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_time_goes_on(target: str) -> None:
    found = irgl.compile("clocked.irgl", target=target, text=TEXT)("grid:4x4")
    assert 0 <= found["begun"] < found["ended"] < 60


def test_a_kernel_has_no_clock() -> None:
    with pytest.raises(IrglError, match="'clock' belongs to the Program, not to a kernel"):
        irgl.compile("clocked.irgl", target="ref", text=TEXT.replace("n.x += 1;", "n.x += (int)clock();"))


def test_a_helper_may_be_called_clock() -> None:
    text = TEXT.replace("Kernel count", "double clock() { return 7.0; }\nKernel count")
    assert irgl.compile("clocked.irgl", target="ref", text=text)("grid:4x4")["ended"] == 7.0
