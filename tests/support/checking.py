"""Small programs for the checker's tests, and what it found in them."""

from __future__ import annotations

from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.dump_expr import expression
from irgl.ast.visit import walk
from irgl.frontends.text.load import load_text
from support.diagnostics import PATH


def checked(text: str) -> Checked:
    """A program on the prelude of tests/diagnostics, and arrays."""
    return check(load_text(f'import "prelude.irgl";\nimport "array.irgl";\n{text}', PATH))


def kernel(body: str, params: str = "Graph g", worklist: str = "", helpers: str = "") -> Checked:
    """A program of one kernel k."""
    return checked(f"{helpers}\nKernel k({params}) {worklist} {{\n{body}\n}}\n")


def accesses(c: Checked, location: str) -> list[str]:
    """The access of each place in kernel k that reads `location`, in source order."""
    places = [e for e in walk(c.kernels["k"]) if isinstance(e, A.Expr) and e in c.access]
    return [c.access[e] for e in places if expression(e) == location]


def over_nodes(body: str) -> str:
    return f"ForAll (n In g.nodes) {{ {body} }}"
