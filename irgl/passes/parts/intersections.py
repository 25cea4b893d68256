"""How calls of `common` go through two rows: where a plan may say it (`intersect`), and what it says of each.

A call belongs to the innermost ForAll in whose body it stands. Calls in helpers, which many loops may share, in the
Program, and in kernels outside of loops go by what the plan says of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irgl.analysis.effects.effects import effects_of
from irgl.analysis.names.members import is_common
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk
from irgl.options import OPTIONS
from irgl.passes.parts.laid import ROWS
from irgl.passes.parts.spread import kernel_of, loops, why_not_spread
from irgl.plan import Plan

OPTION = "intersect"
AUTO, HASH, WARP = "auto", "hash", "warp"


def calls_of(checked: Checked, loop: A.ForAll) -> list[A.Call]:
    """The calls of `common` that belong to a loop."""
    return [call for s in loop.body for call in _outside_loops(checked, s)]


def calls_elsewhere(checked: Checked) -> list[A.Call]:
    """Those that belong to no loop."""
    return [*_outside_loops(checked, checked.program)]


def _outside_loops(checked: Checked, node: A.Node) -> Iterator[A.Call]:
    if is_common(node, checked.functions):
        yield node
    for child in children(node):
        if isinstance(node, A.ForAll) and any(child is s for s in node.body):
            continue
        yield from _outside_loops(checked, child)


def why_not(checked: Checked, loop: A.ForAll, word: str, target: str) -> str | None:
    """Why the calls of a loop can't go through rows so; None: they can."""
    calls = calls_of(checked, loop)
    if not calls:
        return "no common(...) stands in this loop itself"
    if word == WARP:
        return "a CPU's threads have no lanes" if target not in ("cuda", "simt") else _why_not_joined(checked, loop)
    if word != HASH:
        return None
    if target in ("cuda", "simt"):
        return "a GPU's threads are too many for a byte of every node each: they mark no rows"
    if any(isinstance(checked.types[call], T.Range) for call in calls):
        return "a For runs over common neighbours here, and marks are for counting them"
    return None


def sums(loop: A.ForAll) -> dict[A.Call, A.ExprStmt]:
    """Of a loop's calls those that are added to something, under conditions at most, with the statement."""
    found: dict[A.Call, A.ExprStmt] = {}

    def visit(stmts: tuple[A.Stmt, ...]) -> None:
        for s in stmts:
            match s:
                case A.ExprStmt(A.Reduce("+", _, A.Call("common") as call)):
                    found[call] = s
                case A.If():
                    visit(s.body)
                    visit(s.orelse)
                case A.Block():
                    visit(s.body)
                case _:
                    pass

    visit(loop.body)
    return found


def _why_not_joined(checked: Checked, loop: A.ForAll) -> str | None:
    """Why the threads of a warp can't join in the calls of a loop, which all come at the end of what it does then."""
    around = next(a for _, n, a in loops(kernel_of(checked, loop)) if n is loop)
    reason = why_not_spread(checked, loop, around) if around else None
    if reason is not None:
        return f"its loop stays with one thread: {reason}"
    added = sums(loop)
    if any(call not in added for call in calls_of(checked, loop)):
        return "what it finds is more than added to something, or in a sequential loop, or under a lock"
    whole = list(walk(around[0] if around else loop))
    sums_of = {n.value.target for n in whole if isinstance(n, A.ExprStmt) and isinstance(n.value, A.Reduce)
               and n.value.op == "+"}
    inside = {checked.symbols[n] for n in walk(loop) if isinstance(n, A.VarDecl)}
    helped = effects_of(checked, [n for n in whole if isinstance(n, A.Call) and n.function in checked.functions])
    by_helpers = {place.name for place in (*helped.reads, *helped.writes)}
    for s in added.values():
        assert isinstance(s.value, A.Reduce)
        target = s.value.target
        parts = list(walk(target))
        if not all(isinstance(n, A.Name | A.Member) and checked.symbols.get(n) not in inside for n in parts):
            return "what it is added to is known there alone"
        if any(type(n) is type(target) and n not in sums_of and _names(checked, n, target) for n in whole) or any(
                isinstance(n, A.Name | A.Member) and (n.id if isinstance(n, A.Name) else n.name) in by_helpers
                for n in parts):
            return "the loop also uses what it is added to"
    return None


def _names(checked: Checked, a: A.Node, b: A.Node) -> bool:
    """May both be the same variable, or property?"""
    if isinstance(a, A.Member) and isinstance(b, A.Member):
        return a.name == b.name
    return isinstance(a, A.Name) and isinstance(b, A.Name) and checked.symbols.get(a) is checked.symbols.get(b)


def why_not_laid(kernel: A.Kernel, word: str, plan: Plan) -> str | None:
    """Why warps can't join in a kernel's calls under a plan: they run over rows alone."""
    laid = word == WARP and any(plan.text_of("format", place) != ROWS for place, _, _ in loops(kernel))
    return "the plan has loops beside it run over a form" if laid else None


def why_not_elsewhere(checked: Checked, word: str) -> str | None:
    """The same of calls that belong to no loop."""
    if not calls_elsewhere(checked):
        return "each common(...) of the program stands in a loop" if _calls(checked) else \
            "the program has no common(...)"
    if word == WARP:
        return "the threads of a warp ask together in loops alone"
    return "marks belong to a thread of a loop, which is not known in helpers and outside of loops" \
        if word == HASH else None


def _calls(checked: Checked) -> bool:
    return any(is_common(n, checked.functions) for n in walk(checked.program))


def words(target: str) -> tuple[str, ...]:
    """The ways that there are."""
    return next(o.words for o in OPTIONS[target] if o.name == OPTION)


def by_loop(checked: Checked, kernel: A.Kernel, plan: Plan) -> dict[A.ForAll, str]:
    """By each loop with such calls what the plan says of them; auto where they can't go so."""
    said = {loop: plan.text_of(OPTION, place) for place, loop, _ in loops(kernel) if calls_of(checked, loop)}
    return {loop: word if why_not(checked, loop, word, plan.target) is None and why_not_laid(kernel, word, plan) is None
            else AUTO for loop, word in said.items()}


def by_call(checked: Checked, said: Mapping[A.ForAll, str]) -> dict[A.Call, str]:
    """What is said of loops, by each call."""
    return {call: word for loop, word in said.items() for call in calls_of(checked, loop)}


def elsewhere(checked: Checked, plan: Plan) -> str:
    """What the plan says of the calls that belong to no loop; auto where they can't go so."""
    word = plan.text_of(OPTION)
    return word if why_not_elsewhere(checked, word) is None else AUTO
