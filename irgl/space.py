"""The legal space: which options of a plan apply to which places of a program, and why not to the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irgl.ast import nodes as A
from irgl.ast.visit import children, walk
from irgl.plan import OPTIONS, Plan
from irgl.source import IrglError


@dataclass(frozen=True, slots=True)
class Choice:
    """One option at one place. `reason` says why it isn't legal there; None: it is."""

    place: str
    option: str
    reason: str | None


def legal_space(program: A.Program, target: str = "cpu") -> list[Choice]:
    """Every option at every parallel loop that a kernel runs by itself, in the order of the text.

    A place is `kernel.label` or `kernel.loopN`, loops without a label counted from 1. Raises IrglError for a target
    that no plan speaks of.
    """
    if target not in ("cpu", "ref"):
        raise IrglError(f"no target is called `{target}`", hint="targets: cpu, ref")
    found = []
    for kernel in program.decls:
        if isinstance(kernel, A.Kernel):
            for path, loop in outer_loops(kernel):
                found += [Choice(path, o.name, _reason(o.name, loop, target)) for o in OPTIONS[target]]
    return found


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
