"""The facts of irgl.analysis.explain.facts in words."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.explain.facts import Explained, describe
from irgl.analysis.flow.cfg import Edge


def title(p: Explained) -> str:
    """Where a place is, and what stands there."""
    return f"{p.path}{f'  (line {p.line})' if p.line is not None else ''}  {p.what}"


def facts(p: Explained, *, every: bool = True) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is known of a place: a word for the fact, and its lines. every: what only GPUs care for, too."""
    if p.effects.reads:
        yield "reads", (", ".join(map(str, p.effects.reads)),)
    if p.effects.writes:
        yield "writes", (", ".join(map(str, p.effects.writes)),)
    if p.variables:
        yield "closure", (", ".join(p.variables),)
    if p.combines:
        yield "combines", (", ".join(p.combines),)
    if p.uniform is not None and every:
        yield "uniform", ("by its schedule alone" if p.uniform == "thread" and p.focal else
                          "no" if p.uniform == "thread" else f"for the {p.uniform}",)  # fmt: skip
    for how, words in (("outer", "with the outermost loops uniform"), ("all", "with all loops uniform")):
        if every and p.focal and (how == "outer" or p.focal[how] != p.focal["outer"]):
            yield "focal", (f"{words}:{'' if p.focal[how] else ' none'}", *(f"  {_edge(e)}" for e in p.focal[how]))
    for name, bound in p.bounds.items():
        yield "bound", (f"{name}: {bound.kind}, {bound}",)
    if p.what.startswith("Kernel"):
        yield "replay", ("a round may run twice" if p.replay is None else f"no: {p.replay}",)
    if p.sections:
        yield "sections", tuple(p.sections)
    if p.outline is not None:
        yield "outline", ("yes" if p.outline else "no", *(
            f"{'' if path == p.path else f'{path}: '}{r}; {r.remedy}" for path, r in p.refusals))  # fmt: skip


def lines(p: Explained, *, every: bool = True) -> list[str]:
    """It as `irglc explain --all` prints it, or without `every` as `irglc explain` does."""
    found = [title(p)]
    for what, values in facts(p, every=every):
        found += [f"  {what if i == 0 else '':<10}{value}" for i, value in enumerate(values)]
    return found


def _edge(e: Edge) -> str:
    return f"{describe(e.source)} -> {describe(e.target)}"
