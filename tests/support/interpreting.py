"""What tests of the interpreter share: tiny graphs, and programs around one expression or one kernel."""

from __future__ import annotations

from typing import Any

import pytest

from irgl.analysis.check import check
from irgl.frontends.text.load import load_text
from irgl.interpret import Result, run
from irgl.source import IrglError
from support.random_graphs import SmallGraph, from_arcs

NOTHING = from_arcs(0, [])
ALONE = from_arcs(1, [])
PATH = from_arcs(4, [(0, 1, 5), (1, 2, 3), (2, 3, 9)])
LOOPY = from_arcs(3, [(0, 0, 1), (0, 1, 2), (0, 1, 4), (2, 1, 8)])
GRAPH = "graph Graph { node int a = 0; node int b = 0; node node up = NONE; edge int w; edge int mark = 0; }\n"


def ran(text: str, graph: SmallGraph = PATH, graph_type: str = GRAPH, **options: Any) -> Result:
    params = options.pop("params", None)
    return run(check(load_text(graph_type + text)), {"g": graph}, params, **options)


def value(expression: str, t: str = "long", before: str = "", graph: SmallGraph = PATH) -> Any:
    """The value of an expression of the Program."""
    return ran(f"{t} answer = 0;\nProgram p(Graph g) {{ {before} answer = {expression}; }}", graph).scalars["answer"]


def after(
    kernel: str, host: str = "Invoke k(g);", graph: SmallGraph = PATH, worklist: str = "", **options: Any
) -> Result:
    text = f"int count = 0;\nKernel k(Graph g) {worklist} {{ {kernel} }}\nProgram p(Graph g) {{ {host} }}"
    return ran(text, graph, **options)


def fault(expression: str, t: str = "long", before: str = "", graph: SmallGraph = PATH) -> IrglError:
    with pytest.raises(IrglError) as caught:
        value(expression, t, before, graph)
    return caught.value


#: A kernel that counts visits and goes on to the nodes behind.
SPREAD = "ForAll (i In WL) { node n = WL.pop(i); n.a += 1; ForAll (e In n.edges) { WL.push(e.dst); } }"
