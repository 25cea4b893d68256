"""The front end for GraphIt's .gt files: a file as a program of irgl's, with spans in the file (docs/graphit.md)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from irgl.ast import nodes as A
from irgl.ast.visit import deepest
from irgl.frontends.depth import check_depth, too_deep
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies.unit import Place
from irgl.frontends.gt.grammar import parse
from irgl.frontends.gt.labelled import labelled as labels_of
from irgl.frontends.gt.lowering.program import lower
from irgl.frontends.gt.schedules.labels import Labelled
from irgl.frontends.gt.schedules.parameters import with_parameters
from irgl.frontends.gt.schedules.read import schedule_of
from irgl.source import IrglError, Source


@dataclass(frozen=True, slots=True)
class GraphIt:
    """A program, and what a .gt file says beside it.

    labels: what became of each labelled statement, in the order of the text; one that became several loops is there
    several times. schedule: the text behind `schedule:`, None where there is none. arguments: for each argv[k] that is
    a number, the parameter of the Program that it goes to. graph: the k of the argv[k] that names the graph, or its
    path; None where none is loaded. vectors: those of vertices, by their names in the file.
    """

    program: A.Program
    labels: tuple[Place, ...]
    schedule: G.Schedule | None
    arguments: dict[int, str]
    graph: str | int | None
    vectors: tuple[str, ...]


def load(source: Source, schedule: Source | None = None) -> A.Program:
    """The program of a .gt file. schedule: the text of the schedule that holds, which may ask for parameters; None:
    there is none. Raises IrglError at the first mistake."""
    found = read(source)
    if schedule is None:
        return found.program
    said = schedule_of(schedule, labelled(source), "cpu")
    return with_parameters(found.program, said.delta, said.arguments)


def labelled(source: Source) -> Labelled:
    """What a schedule of the program may speak of. Raises IrglError at the first mistake."""
    found = read(source)
    return labels_of(found.program, found.labels, found.vectors)


def labels(source: Source) -> dict[str, list[Place]]:
    """By the paths of nested labels ("s0:s1") what became of the statements: their kinds, and the places in plans."""
    found: dict[str, list[Place]] = {}
    for place in read(source).labels:
        found.setdefault(place.path, []).append(place)
    return found


@lru_cache(maxsize=8)
def read(source: Source) -> GraphIt:
    """All that a .gt file says. Raises IrglError at the first mistake."""
    try:
        file = parse(source)
        if file.schedule is not None and not (file.consts or file.funcs):
            raise IrglError("the file has a schedule alone, and no program", file=source.path,
                            hint=f"name it beside the program that it is for: --schedule {source.path}")
        lowered = lower(file, source)
    except RecursionError:
        raise too_deep(file=source.path) from None
    node, depth = deepest(lowered.program)
    check_depth(node.span, depth)
    return GraphIt(lowered.program, lowered.labels, file.schedule, lowered.arguments, lowered.graph,
                   tuple(c.name for c in file.consts if isinstance(c.type, G.VectorType)))
