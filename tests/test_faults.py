"""What a running program does wrong ends it with one message at its line, on the CPU target as in the interpreter."""

from __future__ import annotations

import pytest
from support.verifying import arcs

from irgl.plan import Plan
from irgl.rt.bind import bind
from irgl.rt.program import open_program
from irgl.rt.run import Options, run
from irgl.source import IrglError

_PROGRAM = """graph Graph {{ node int x = 0; }}
int out = 0;
Kernel work(Graph g, int zero) {{
  ForAll (n In g.nodes) {{
    {body}
  }}
}}
Program p(Graph g, int zero = 0) {{
  while (true) {{ Invoke work(g, zero); }}
}}
"""


def _message(body: str) -> str:
    manifest = open_program("wrong.irgl", text=_PROGRAM.format(body=body))
    graphs = {"g": arcs(3, [(0, 1), (1, 2)])}
    with pytest.raises(IrglError) as caught:
        run(manifest, graphs, bind(manifest, graphs, {}), Plan(), Options(threads=2))
    return str(caught.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("out += 1 / zero;", "wrong.irgl:5:1: error: division by zero"),
        ("out += 1 % zero;", "wrong.irgl:5:1: error: division by zero"),
        ("out += g.node(n.id + 1).x;", "wrong.irgl:5:1: error: access through NONE or outside of its bounds"),
        ("out += g.edge(zero - 1).dst.x;", "wrong.irgl:5:1: error: access through NONE or outside of its bounds"),
        ("out += n.edges[1].dst.x;", "wrong.irgl:5:1: error: access through NONE or outside of its bounds"),
    ],
    ids=["quotient", "remainder", "node", "edge", "nth_edge"],
)
def test_a_fault_ends_even_an_endless_program(body: str, message: str) -> None:
    assert _message(body).splitlines()[0] == message
