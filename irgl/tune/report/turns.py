"""The rounds of plans that may turn loops round: which way each went, over how much, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from irgl.tune.report.draw import ms
from irgl.tune.report.facts import Facts
from irgl.tune.report.heat import name

#: What the columns of counts and times are called.
_HEADS = {"ms": "time", "warp_steps": "warp steps", "transactions": "transactions", "atomics": "atomics"}


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a graph's plan: a row each of the loop, its number and the way that it went, and of numbers."""

    graph: str
    plan: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, str, str, tuple[str, ...]], ...]


def by_graph(facts: Facts) -> list[Rounds]:
    """Those that the search looked at."""
    return [_table(facts, graph, found) for graph in facts.graphs if (found := facts.tuned.rounds.get(graph))]


def _table(facts: Facts, graph: str, found: Any) -> Rounds:
    counted = [c for c in _HEADS if c in found[0]]
    rows = tuple((str(r["loop"]), ".".join(map(str, (*r["around"], r["round"]))), str(r["direction"] or ""),
                  tuple(_cell(r, c) for c in ("frontier", "edges", *counted))) for r in found)
    return Rounds(graph, name(facts, facts.tuned.won[graph]), ("nodes", "edges", *(_HEADS[c] for c in counted)), rows)


def _cell(r: Mapping[str, Any], column: str) -> str:
    value = r[column]
    return "" if value is None else ms(value) if column == "ms" else f"{value:,}"
