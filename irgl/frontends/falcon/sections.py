"""Which sections may run side by side: those that touch nothing that another one changes."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.frontends.falcon.unit import Unit
from irgl.source import IrglError, Span

#: What changes a Collection or Set.
_CHANGES = ("push", "clear", "unite")


def refuse_dependent(parts: list[A.Stmt], unit: Unit) -> None:
    """Raises IrglError at what one section touches and another one changes."""
    known = [_touched(part, unit) for part in parts]
    for k, mine in enumerate(known):
        for name, span, changes in mine:
            for other in known[:k]:
                if (found := next((o for o in other if o[0] == name and (changes or o[2])), None)) is not None:
                    what, before = ("changed" if c else "read" for c in (changes, found[2]))
                    raise IrglError(f"'{name.lstrip('.')}' is {what} here, and {before} in line {found[1].line}, by "
                                    "another section", span, "sections may run side by side: put one behind the other")


def _touched(part: A.Stmt, unit: Unit) -> list[tuple[str, Span, bool]]:
    """What a section and its kernels touch: a variable's or global's name, or a property's behind a dot; where; does
    it change there? Changes come first."""
    nodes = [*_nodes(part, unit)]
    local = {n.name for n in nodes if isinstance(n, A.VarDecl)} | {"g"}
    changed: dict[A.Expr, None] = {}
    for n in nodes:
        if isinstance(n, A.Assign | A.Reduce):
            changed[n.target] = None
        elif (isinstance(n, A.MethodCall) and n.name in _CHANGES) or (isinstance(n, A.Call) and n.function == "cas"):
            changed[n.object if isinstance(n, A.MethodCall) else n.args[0]] = None
    places = [(e, e in changed) for e in (*changed, *nodes) if isinstance(e, A.Name | A.Member)]
    return [(name, e.span, changes) for e, changes in places if e.span is not None
            and (name := e.id if isinstance(e, A.Name) else f".{e.name}") not in local]


def _nodes(part: A.Stmt, unit: Unit) -> Iterator[A.Node]:
    for n in walk(part):
        yield n
        if isinstance(n, A.Invoke):
            yield from (inner for k in unit.kernels if k.name == n.kernel for s in k.body for inner in walk(s))
