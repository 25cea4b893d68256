"""The first lines of `irglc explain`: what is parallel, and what is atomic, in words for who is new to a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgl.analysis.explain.facts import Explained
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.dump_expr import expression
from irgl.ast.visit import walk

#: What the checker says of a location that one iteration, or one thread, has to itself.
_ALONE = ("own", "once", "locked")


def opening(checked: Checked, places: Sequence[Explained]) -> list[str]:
    """Two lines: the loops whose iterations run at once, and what is updated as a whole, so that none gets lost."""
    loops = [f"{p.path}{_line(p.node)}" for p in places if isinstance(p.node, A.ForAll)]
    updates = list(dict.fromkeys(_atomic(checked)))
    return [
        f"parallel  the iterations of {', '.join(loops)} run at once" if loops else "parallel  nothing: no ForAll",
        f"atomic    {', '.join(updates)}" if updates else
        "atomic    nothing: no two iterations write to one place, but to lists, which many may push to",
    ]


def _atomic(checked: Checked) -> Iterator[str]:
    """Updates, loads and stores that other iterations may meet; scalars are summed up by each thread first."""
    combined = {symbol for found in checked.combined.values() for symbol, _ in found}
    for node in walk(checked.program):
        match node:
            case A.Reduce() if checked.access.get(node.target, "own") not in _ALONE:
                symbol = checked.symbols.get(node.target)
                summed = ", each thread first for itself" if symbol in combined else ""
                yield f"{expression(node.target)} {node.op}={_line(node, summed)}"
            case A.Call(function="cas") if checked.access.get(node.args[0], "own") not in _ALONE:
                yield f"cas({expression(node.args[0])}, ...){_line(node)}"
            case A.Assign() if node.target in checked.concurrent or node.access != "plain":
                yield f"{node.access} {expression(node.target)} ={_line(node)}".removeprefix("plain ")


def _line(node: A.Node, more: str = "") -> str:
    return f" (line {node.span.line}{more})" if node.span is not None else ""


def planned(plan: str, applied: Sequence[str], refused: Sequence[str]) -> str:
    """The third line: what a plan did. A place's option reads `step.loop1: grain=256`."""
    if not applied and not refused:
        return f"plan      {plan}: no option of it has a place here"
    did = ", ".join(applied) if len(applied) <= 4 else f"{', '.join(applied[:3])} and {len(applied) - 3} more"
    left = f"; {len(refused)} without effect, for the reasons that --plan shows" if refused else ""
    return f"plan      {plan}: {did or 'nothing'}{left}"
