"""Focal points: where all threads of a unit meet, so that a collective (a barrier, a scan, a reservation) may stand.

A focal point is a vertex that depends on control iteratively only through uniform branches, other than possibly itself
(Pai and Pingali, OOPSLA 2016, 4.2.2). The last clause takes in the header of a loop that is not uniform: threads enter
it together, and then pass it a different number of times. So a collective does not stand at a vertex but on an *edge*,
and only where every decider of the edge itself is uniform: on the edge into such a header, not on the edge back to it.
All threads of the unit pass these edges equally often and in the same order.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from irgl.analysis.flow.cfg import Cfg, Edge, Vertex
from irgl.analysis.flow.control_dependence import Dependences, Point, control_dependence, deciders


@dataclass(frozen=True, slots=True)
class Focal:
    """`points` are the focal points, `edges` where a collective may stand.

    `between` tells for every other point the branches that keep it from being one, in the order of the text.
    """

    points: frozenset[Vertex]
    edges: frozenset[Edge]
    between: dict[Point, tuple[Vertex, ...]]


def focal_points(cfg: Cfg, uniform: Collection[Vertex], dependences: Dependences | None = None) -> Focal:
    """The focal points of a unit whose threads decide the branches in `uniform` alike (see uniformity.py).

    `dependences` saves computing them again.
    """
    iterated = deciders(dependences if dependences is not None else control_dependence(cfg))
    between: dict[Point, tuple[Vertex, ...]] = {}
    order = {v: i for i, v in enumerate(cfg.vertices)}
    for point, branches in iterated.items():
        apart = [b for b in branches if b not in uniform and b is not point]
        if apart:
            between[point] = tuple(sorted(apart, key=order.__getitem__))
    return Focal(
        frozenset(v for v in cfg.vertices if v not in between),
        frozenset(e for e in cfg.edges if e not in between),
        between,
    )
