"""A graph in a few figures, by which graphs are compared: those with similar ones want similar plans."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.device_graph import lying
from irgl.rt.graphs.graph import Graph
from irgl.tune.inputs.rules import Rule, first_that_holds

#: A search for far nodes starts this often from the last one that it found.
SWEEPS = 3
#: Beyond so many nodes and arcs no depth is looked for, nor how edges lie.
DEPTH_LIMIT = 50_000_000
#: The features that tell how edges lie.
_LYING = ("inside", "on_diagonals", "mean_run", "packed")

#: The classes of graphs, by the first rule that holds. Random arcs give a dispersion of 1, a mesh's or a road's are
#: more even, and roads have few arcs, too. Degrees say nothing of depth: where every node has as many arcs to random
#: others, the graph is taken for a mesh.
CLASSES: dict[str, Rule] = {
    "skewed": Rule.parse("dispersion > 2 and max_degree > 8 * mean_degree"),
    "road": Rule.parse("dispersion < 0.9 and mean_degree < 3.5"),
    "mesh": Rule.parse("dispersion < 0.9"),
    "random": Rule.parse("always"),
}
#: What they are, in words.
MEANING = {
    "skewed": "a few nodes have very many arcs, and paths are short: webs, social networks, rmat",
    "road": "few arcs at every node, and paths are long",
    "mesh": "about as many arcs at every node, and paths are long: grids, triangulations, finite elements",
    "random": "degrees as chance gives them, and paths are short",
}


@dataclass(frozen=True, slots=True)
class Features:
    """max_degree and the like are of out-degrees; dispersion as in irgl.tune.inputs.rules.

    top_share: the part of the arcs that leaves the hundredth of the nodes which has most. depth: how many arcs the
    longest of the shortest paths has that a few searches found, at most the graph's diameter; None: not looked for.
    inside, on_diagonals, mean_run, packed: how edges lie, as irgl.rt.forms.figures.Quick has them.
    """

    nodes: int
    edges: int
    max_degree: int
    dispersion: float
    directed: bool
    weighted: bool
    top_share: float | None = None
    depth: int | None = None
    inside: float | None = None
    on_diagonals: float | None = None
    mean_run: float | None = None
    packed: float | None = None

    @property
    def mean_degree(self) -> float:
        return self.edges / self.nodes if self.nodes else 0.0

    def figure(self, name: str) -> float:
        """A figure that rules speak of."""
        return float(getattr(self, name))

    @property
    def graph_class(self) -> str:
        """Its class: a key of CLASSES."""
        return first_that_holds(CLASSES, self)

    def as_numbers(self) -> dict[str, float]:
        """All that is known, as a database keeps it."""
        return {name: float(value) for name, value in asdict(self).items() if value is not None}

    @staticmethod
    def from_numbers(numbers: Mapping[str, float]) -> Features:
        """What as_numbers gave. Raises KeyError where something is missing."""
        depth = numbers.get("depth")
        return Features(int(numbers["nodes"]), int(numbers["edges"]), int(numbers["max_degree"]),
                        float(numbers["dispersion"]), bool(numbers["directed"]), bool(numbers["weighted"]),
                        numbers.get("top_share"), None if depth is None else int(depth),
                        *(numbers.get(name) for name in _LYING))


def at_once(graph: Graph) -> Features:
    """The features that one look at the degrees gives: all that a class depends on. O(nodes), a few ns for each, once
    for each graph."""
    if graph.figures is None:
        graph.figures = _seen(graph)
    found: Features = graph.figures
    return found


def _seen(graph: Graph) -> Features:
    degrees = np.diff(graph.row)
    nodes, edges = graph.num_nodes, graph.num_edges
    mean = edges / nodes if nodes else 0.0
    # As floats: the square of a degree may not fit into what the degree fits into. And not by np.dot, whose threads go
    # on looking for work for a while, on the cores that the run wants.
    squares = float(np.square(degrees, dtype=np.float64).sum()) / nodes if nodes else 0.0
    dispersion = max(0.0, squares - mean * mean) / mean if edges else 0.0
    return Features(nodes, edges, int(degrees.max(initial=0)), dispersion, graph.directed,
                    lying(graph, "weight") is not None)


def of(graph: Graph) -> Features:
    """All features. O(nodes + edges): about a tenth of a second for a million edges, most of it for the depth."""
    quick = at_once(graph)
    return Features(quick.nodes, quick.edges, quick.max_degree, quick.dispersion, quick.directed, quick.weighted,
                    _top_share(graph), _depth(graph), *_lying(graph))


def distance(a: Features, b: Features) -> float:
    """How unlike two graphs are, 0 for the same features. What only one of them has counts for nothing.

    The distance between points whose axes are chosen so that a step of 1 matters about as much on each: a factor of
    four in size, of two in degrees and depth, of e in their spread; all edges inside clusters or none, half of them on
    diagonals, rows in tiles sixteen times as long, a form of half the bytes.
    """
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(_point(a), _point(b), strict=True)
                         if x is not None and y is not None))


def _point(f: Features) -> tuple[float | None, ...]:
    return (
        math.log2(1 + f.nodes) / 2,
        math.log2(1 + f.mean_degree),
        math.log2(1 + f.max_degree) / 2,
        math.log(0.1 + f.dispersion),
        None if f.top_share is None else 4 * f.top_share,
        None if f.depth is None else math.log2(1 + f.depth),
        float(f.directed),
        float(f.weighted) / 2,
        f.inside,
        None if f.on_diagonals is None else 2 * f.on_diagonals,
        None if f.mean_run is None else math.log2(f.mean_run) / 4,
        None if f.packed is None else math.log2(f.packed),
    )


def _lying(graph: Graph) -> tuple[float | None, ...]:
    """How edges lie: what decides between forms. Its orders would cost more than a run, and are left out."""
    if graph.num_edges == 0 or graph.num_nodes + graph.num_edges > DEPTH_LIMIT:
        return ()
    # Imported only here: a run under a plan that was found before does without it.
    from irgl.rt.forms.figures import quick

    return quick(graph)


def _top_share(graph: Graph) -> float | None:
    nodes, edges = graph.num_nodes, graph.num_edges
    if edges == 0:
        return None
    top = max(1, nodes // 100)
    degrees = np.partition(np.diff(graph.row), nodes - top)
    return float(degrees[nodes - top :].sum(dtype=np.int64)) / edges


def _depth(graph: Graph) -> int | None:
    """By searches in breadth, the first from a node of most arcs, each further one from the node found last.

    C. Magnien, M. Latapy, M. Habib, Fast computation of empirically tight bounds for the diameter of massive graphs,
    J. Experimental Algorithmics 13, 2009.
    """
    nodes, edges = graph.num_nodes, graph.num_edges
    if edges == 0 or nodes + edges > DEPTH_LIMIT:
        return None
    # Imported only here: a run under a plan that was found before does without it.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    ones = np.ones(edges, np.int8)
    matrix = csr_array((ones, graph.dst, graph.row), shape=(nodes, nodes))
    start, found = int(np.argmax(np.diff(graph.row))), 0
    for _ in range(SWEEPS):
        order, before = breadth_first_order(matrix, start)
        last = int(order[-1])
        found = max(found, _steps(before, last, start))
        start = last
    return found


def _steps(before: NDArray[Any], last: int, start: int) -> int:
    """How many arcs the way from `start` to `last` has, where `before` is what each node was reached from."""
    count, at = 0, last
    while at != start:
        at = int(before[at])
        count += 1
    return count
