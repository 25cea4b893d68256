"""The legal space: which options of a plan apply to which places of a program, and why not to the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from irgl.analysis.check import check
from irgl.analysis.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import children, walk
from irgl.passes import back_off, turn_continues
from irgl.passes.lower_cuda import decisions
from irgl.plan import OPTIONS, Option, Plan
from irgl.source import IrglError


@dataclass(frozen=True, slots=True)
class Choice:
    """One option at one place. `reason` says why it isn't legal there; None: it is.

    values: what it may be set to there, where it takes words; numbers have their range (plan.py).
    """

    place: str
    option: str
    reason: str | None
    values: tuple[str, ...] = ()


def legal_space(program: A.Program, target: str = "cpu") -> list[Choice]:
    """Every option at every place where it could be set, in the order of the text (analysis/paths.py names places).

    On the CPU these are the parallel loops that a kernel runs by itself; on GPUs nested loops, appends and reductions,
    Pipes and Iterates, and the whole (an empty place). Raises IrglError for a target that no plan speaks of.
    """
    if target in ("cuda", "simt"):
        return list(_on_gpus(check(program), target))
    if target not in ("cpu", "ref"):
        raise IrglError(f"no target is called `{target}`", hint="targets: cpu, cuda, simt, ref")
    found = []
    for kernel in program.decls:
        if isinstance(kernel, A.Kernel):
            for path, loop in outer_loops(kernel):
                found += [Choice(path, o.name, _reason(o.name, loop, target)) for o in OPTIONS[target]]
    return found


def _on_gpus(checked: Checked, target: str) -> Iterator[Choice]:
    """Where an option takes one of several words, those that are legal; the reason of the first where none is."""
    retried = back_off.reasons(checked)
    checked = check(turn_continues.run(checked.program))
    reasons: dict[tuple[str, str], dict[str, str | None]] = {}
    for option in OPTIONS[target]:
        for value in _words(option):
            for d in decisions(checked, Plan(((option.name, value),), target), retried):
                if d.option == option.name:
                    known = reasons.setdefault((d.place, d.option), {})
                    known[value] = known.get(value) or d.reason
    for (place, name), values in reasons.items():
        plain = next(o.plain for o in OPTIONS[target] if o.name == name)
        legal = tuple(v for v, reason in values.items() if reason is None or v == plain)
        first = next((r for r in values.values() if r is not None), None)
        yield Choice(place, name, first if legal in ((plain,), ()) else None, legal)
    yield from (Choice("", o.name, None) for o in OPTIONS[target] if not o.words)


def _words(option: Option) -> list[str]:
    if not option.joined:
        return list(option.words)
    alone, *rest = option.words
    joined = ["+".join(some) for k in range(1, len(rest) + 1) for some in combinations(rest, k)]
    return [alone, *joined]


def report(program: A.Program, plan: Plan, target: str = "cpu") -> tuple[list[str], list[str]]:
    """What of a plan applies where, and what doesn't with the reason, one line each."""
    applied, not_applicable = [], []
    for choice in legal_space(program, target):
        said = f"{choice.place}: {choice.option}={plan.text_of(choice.option)}"
        if choice.reason is None:
            applied.append(said)
        else:
            not_applicable.append(f"{said}: {choice.reason}")
    return applied, not_applicable


def outer_loops(kernel: A.Kernel) -> list[tuple[str, A.ForAll]]:
    """The parallel loops of a kernel that stand in no other, with their places."""
    found = []
    for number, (label, loop) in enumerate(_outer(kernel.body, ""), 1):
        found.append((f"{kernel.name}.{label if label else f'loop{number}'}", loop))
    return found


def _outer(nodes: tuple[A.Node, ...], label: str) -> Iterator[tuple[str, A.ForAll]]:
    for node in nodes:
        if isinstance(node, A.ForAll):
            yield label, node
        elif isinstance(node, A.Labeled):
            yield from _outer((node.body,), node.label)
        else:
            yield from _outer(tuple(children(node)), "")


def _reason(option: str, loop: A.ForAll, target: str) -> str | None:
    if target == "ref":
        return "the reference interpreter runs one item after the other"
    if option == "giant" and not any(isinstance(n, A.ForAll) and _over_edges(n) for s in loop.body for n in walk(s)):
        return "no ForAll over a node's edges in this loop"
    return None


def _over_edges(loop: A.ForAll) -> bool:
    return any(isinstance(n, A.Member) and n.name in ("edges", "out_edges", "in_edges") for n in walk(loop.iterator))
