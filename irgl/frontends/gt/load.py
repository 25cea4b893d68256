"""The front end for GraphIt's .gt files: a file as a program of irgl's, with spans in the file (docs/graphit.md)."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import lru_cache

from irgl.ast import nodes as A
from irgl.ast.visit import deepest
from irgl.frontends.depth import check_depth, too_deep
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies.unit import Place
from irgl.frontends.gt.exports.interface import Export
from irgl.frontends.gt.exports.program import exports as exported
from irgl.frontends.gt.exports.program import lower_export
from irgl.frontends.gt.grammar import parse
from irgl.frontends.gt.labelled import labelled as labels_of
from irgl.frontends.gt.lowering.program import lower
from irgl.frontends.gt.schedules.labels import Labelled
from irgl.frontends.gt.schedules.parameters import with_parameters
from irgl.frontends.gt.schedules.read import schedule_of
from irgl.frontends.gt.source import GraphItSource
from irgl.source import IrglError, Source, Span


@dataclass(frozen=True, slots=True)
class GraphIt:
    """A program, and what a .gt file says beside it.

    labels: what became of each labelled statement, in the order of the text; one that became several loops is there
    several times. schedule: the text behind `schedule:`, None where there is none. arguments: for each argv[k] that is
    a number, the parameter of the Program that it goes to. graph: the k of the argv[k] that names the graph, or its
    path; None where none is loaded. vectors: those of vertices, by their names in the file. notes: what a
    strict check tells beside what the program shows. export: how the program is called, where it is that of an exported
    function.
    """

    program: A.Program
    labels: tuple[Place, ...]
    schedule: G.Schedule | None
    arguments: dict[int, str]
    graph: str | int | None
    vectors: tuple[str, ...]
    notes: tuple[tuple[Span, str], ...] = ()
    export: Export | None = None


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


def entries(source: Source) -> tuple[bool, tuple[str, ...]]:
    """Whether a .gt file has a main, and the functions that it exports. Raises IrglError for what is no .gt file."""
    try:
        file = parse(source)
    except RecursionError:
        raise too_deep(file=source.path) from None
    return any(f.name == "main" for f in file.funcs), exported(file)


@lru_cache(maxsize=8)
def read(source: Source) -> GraphIt:
    """All that a .gt file says of main, or of the function that is chosen. Raises IrglError at the first mistake, and
    for a library of exported functions of which none is chosen."""
    chosen = source.chosen if isinstance(source, GraphItSource) else ""
    export = None
    try:
        file = parse(source)
        if file.schedule is not None and not (file.consts or file.funcs):
            raise IrglError("the file has a schedule alone, and no program", file=source.path,
                            hint=f"name it beside the program that it is for: --schedule {source.path}")
        known = exported(file)
        has_main = any(f.name == "main" for f in file.funcs)
        if not chosen and known and not has_main:
            raise IrglError(f"it has no main: it is a library of exported functions: {', '.join(known)}",
                            file=source.path, hint=f'call them from Python: irgl.compile("{source.path}").{known[0]}'
                            f'(...); one alone is {source.path}:{known[0]}')
        lowered = lower(file, source) if chosen in ("", "main") or (chosen not in known and has_main) else None
        if not chosen and not known and not has_main:
            raise _no_main(file, source)
        if lowered is None or chosen not in ("", "main", _name_of(lowered.program)):
            found = lower_export(file, source, chosen)
            lowered, export = found.lowered, found.export
    except RecursionError:
        raise too_deep(file=source.path) from None
    node, depth = deepest(lowered.program)
    check_depth(node.span, depth)
    return GraphIt(lowered.program, lowered.labels, file.schedule, lowered.arguments, lowered.graph,
                   tuple(c.name for c in file.consts if isinstance(c.type, G.VectorType)),
                   lowered.notes, export)


def _name_of(program: A.Program) -> str:
    return next((d.name for d in program.decls if isinstance(d, A.Entry)), "")


def _no_main(file: G.File, source: Source) -> IrglError:
    """At the function that may be meant, or at what is declared last."""
    if not (file.elements or file.consts or file.funcs):
        return IrglError("the file is empty, but for comments", file=source.path, hint="write func main() ... end")
    near = difflib.get_close_matches("main", [f.name for f in file.funcs], 1)
    declared = sorted((d.span for d in (*file.elements, *file.consts, *file.funcs)), key=lambda s: (s.line, s.column))
    named = [f.span for f in file.funcs if f.name in near]
    at = [*declared, *named][-1]
    return IrglError("the program has no main", at, f"did you mean main, not {near[0]}?" if near else
                     "write func main() ... end")
