"""Known answers of published graphs: the table ../shared/graphs/answers/known-answers.tsv, read into typed facts.

A line of the table holds a graph, one quantity or several (`components ; triangles`), as many values, and where they
are from. `split` takes lines apart; the other functions find one fact each. Counts of triangles and cores are of the
undirected graph without self-loops and duplicates, components are weak ones, nodes are numbered as in the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from support.places import SHARED_GRAPHS

SHARED = SHARED_GRAPHS
TABLE = SHARED / "answers" / "known-answers.tsv"
ABSENT = "no ../shared/graphs/answers/known-answers.tsv beside the checkout"

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Paths:
    """Shortest paths from a node: how many nodes are reached, the largest distance and where, the sum of all.

    None: the table does not say.
    """

    source: int
    reached: int | None
    largest: int
    at: int | None
    total: int


@dataclass(frozen=True, slots=True)
class Levels:
    """Breadth-first search from a node: how many nodes are reached (None: not said), and the largest level.

    follows: "out-arcs"; "undirected", each arc both ways; or "file", the arcs or edges that the file holds.
    """

    source: int
    reached: int | None
    depth: int
    follows: str


@dataclass(frozen=True, slots=True)
class Forest:
    """A minimum spanning forest: number of edges (None: not said) and total weight."""

    edges: int | None
    weight: int


@cache
def parse(path: Path = TABLE) -> dict[Key, str]:
    """{(graph, quantity): value}, texts as in the table."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    return {(graph, quantity): value for graph, quantity, value, _basis in rows}


@cache
def split(path: Path = TABLE) -> dict[Key, str]:
    """As `parse`, with lines of several quantities taken apart; `BFS from 0:` goes before all that follow it."""
    found: dict[Key, str] = {}
    for (graph, quantity), value in parse(path).items():
        start, colon, rest = quantity.partition(": ")
        prefix, names = (start + colon, rest) if colon else ("", quantity)
        parts, values = names.split(" ; "), value.split(" ; ")
        assert len(parts) == len(values), f"{graph}: {quantity}"
        found |= {(graph, prefix + part): each for part, each in zip(parts, values, strict=True)}
    return found


def graphs() -> list[str]:
    """The graphs of the table, in its order."""
    return list(dict.fromkeys(graph for graph, _ in parse()))


def components(graph: str) -> int | None:
    """The number of weak components, isolated nodes included where the table says so."""
    return _count(graph, r"(weak )?components( \(.*\)| over .*)?")


def triangles(graph: str) -> int | None:
    return _count(graph, r"triangles")


def max_core(graph: str) -> int | None:
    return _count(graph, r"max core( \(undirected\))?")


def strong_components(graph: str) -> int | None:
    return _count(graph, r"strongly connected components|SCCs")


def forest(graph: str) -> Forest | None:
    """The minimum spanning forest of the undirected graph, the lightest of parallel arcs taken."""
    for name, value in _facts(graph):
        if re.match(r"minimum spanning tree weight|MST weight", name):
            inside = re.search(r"(\d+) edges\)", name)
            return Forest(int(inside[1]) if inside else None, int(value))
    edges = _count(graph, r"minimum spanning forest: edges")
    weight = _count(graph, r"minimum spanning forest: weight")
    return None if weight is None else Forest(edges, weight)


def paths(graph: str) -> list[Paths]:
    """Facts on all distances from a source, one for each line that has them."""
    found = []
    for name, value in _facts(graph):
        if match := re.fullmatch(r"SSSP from (\d+): (reached / )?largest( \(at node\))? / sum( of all)?", name):
            *reached, largest, total = value.split(" / ")
            number, _, where = largest.partition(" (")
            at = int(where.rstrip(")")) if where else None
            found.append(Paths(int(match[1]), int(reached[0]) if reached else None, int(number), at, int(total)))
    return found


def distances(graph: str) -> dict[tuple[int, int], int]:
    """{(source, target): distance} for the single pairs that the table names."""
    forms = (r"(?:shortest (?:distance|time) )?(\d+) -> (\d+)", r"SSSP from (\d+): d\((\d+)\)")
    found = {}
    for name, value in _facts(graph):
        for form in forms:
            if match := re.fullmatch(form, name):
                found[int(match[1]), int(match[2])] = int(value)
    return found


def levels(graph: str) -> list[Levels]:
    """Facts on breadth-first searches, one for each of the table's."""
    found = []
    for name, value in _facts(graph):
        if match := re.fullmatch(r"BFS depth from (\d+)", name):
            found.append(Levels(int(match[1]), None, int(value), "file"))
        elif match := re.fullmatch(r"BFS from (\d+):? (?:(out-arcs|undirected) )?reached ?/ ?(depth|levels .*)", name):
            reached, depth = re.split(r" ?/ ?", value)
            found.append(Levels(int(match[1]), int(reached), int(depth), match[2] or "file"))
    return found


def pagerank_top(graph: str) -> dict[int, float] | None:
    """The nodes with the five largest ranks (damping 0.85), largest first, and the ranks."""
    return _top(graph, r"PageRank 0\.85.*, five largest")


def betweenness_top(graph: str) -> dict[int, float] | None:
    """The five largest exact scores, largest first: undirected, each pair counted once."""
    return _top(graph, r"betweenness .*, five largest")


def vector(name: str) -> dict[int, float]:
    """The numbers of answers/`name`.txt, by node (counted from 0)."""
    lines = (TABLE.parent / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return {int(node): float(value) for node, value in (line.split() for line in lines)}


def _facts(graph: str) -> list[tuple[str, str]]:
    return [(name, value) for (owner, name), value in split().items() if owner == graph]


def _count(graph: str, pattern: str) -> int | None:
    found = [value for name, value in _facts(graph) if re.fullmatch(pattern, name)]
    return int(found[0].split()[0]) if found else None


def _top(graph: str, pattern: str) -> dict[int, float] | None:
    # Not taken apart: the five are one value.
    for (owner, name), value in parse().items():
        if owner == graph and re.fullmatch(pattern, name):
            return {int(node): float(rank) for node, rank in (pair.split() for pair in value.split(", "))}
    return None
