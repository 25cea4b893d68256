"""Tables of small bodies, run as one program: what each finds and leaves, and what the interpreter says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from irgl.analysis.check import check
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.rt.graphs.graph import Graph
from support.running import outcome


class Left(NamedTuple):
    """What a run leaves: scalars and properties by name."""

    scalars: dict[str, Any]
    properties: dict[str, list[Any]]


def numbered(text: str, number: int, words: str = "s") -> str:
    """A body with names of its own: the number behind each of the words, `a|b`."""
    return re.sub(rf"\b({words})\b", rf"\g<1>{number}", text)


def scalars(count: int, word: str = "s") -> str:
    """The declarations of as many numbered scalars."""
    return "".join(f"long {word}{i} = 0; " for i in range(count))


def found_and_wanted(text: str, plan: str, target: str, graph: Graph | Mapping[str, Graph],
                     names: Iterable[str] | None = None) -> tuple[Left, Left]:
    """What a text leaves under a plan of the target, and in the interpreter. The names stand for the text's scalars, in
    their order, and say which body went wrong; a graph that has no name is each of the Program's."""
    checked = check(load_text(text))
    assert checked.entry is not None
    given = graph if isinstance(graph, Mapping) else {
        p.name: graph for p in checked.entry.params if str(p.type) in checked.graph_types}
    wanted, found = run(checked, given), outcome(text, plan, target, graph).result
    called = [*names] if names is not None else [*wanted.scalars]
    return (Left(dict(zip(called, found.scalars.values(), strict=True)),
                 {name: p.array.tolist() for name, p in found.properties.items()}),
            Left(dict(zip(called, wanted.scalars.values(), strict=True)),
                 {name: list(p) for name, p in wanted.properties.items()}))
