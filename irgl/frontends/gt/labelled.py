"""What a schedule of a .gt file may speak of: its labels, with the loops that came of the statements."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.frontends.gt.bodies.unit import Place
from irgl.frontends.gt.schedules.labels import APPLY, FOR, QUEUE, VERTICES, WHILE, Label, Labelled
from irgl.frontends.gt.schedules.parameters import DELTA


def labelled(program: A.Program, places: Iterable[Place], vectors: Iterable[str]) -> Labelled:
    """The labels of a lowered program, by the places that became of them; its vectors, by the names that the file has
    for them; and whether it has a delta."""
    kernels = {d.name: d for d in program.decls if isinstance(d, A.Kernel)}
    found: dict[str, list[Place]] = {}
    for place in places:
        found.setdefault(place.path, []).append(place)
    labels = {path: _label([p for p in of if p.place] or of, kernels) for path, of in found.items()}
    arrays = {p.name for d in program.decls if isinstance(d, A.GraphType) for p in d.properties if p.owner == "node"}
    params = [p.name for d in program.decls if isinstance(d, A.Entry) for p in d.params]
    return Labelled(labels, {v: v if v in arrays else "" for v in vectors}, DELTA in params)


def _label(places: list[Place], kernels: dict[str, A.Kernel]) -> Label:
    kind = places[0].kind
    where = tuple(p.place for p in places if p.place)
    if kind in (WHILE, FOR):
        return Label(kind, rounds=where)
    of = [kernels[place.partition(".")[0]] for place in where]
    loops = [next(n for n in walk(k) if isinstance(n, A.ForAll)) for k in of]
    edges = tuple(f"{place}.loop1" for place, loop in zip(where, loops, strict=True)
                  if any(isinstance(n, A.ForAll) for s in loop.body for n in walk(s)))
    queue = any(isinstance(k.worklist, T.Worklist) and k.worklist.by is not None for k in of)
    listed = any(not (isinstance(loop.iterator, A.Member) and loop.iterator.name == "nodes") for loop in loops)
    return Label(QUEUE if queue and kind == APPLY else kind, where, edges, frontier=listed and not queue and
                 kind in (APPLY, VERTICES), pulled=kind == APPLY and all(map(_pulls, loops)))


def _pulls(loop: A.ForAll) -> bool:
    """Does it reduce into its own nodes along edges?"""
    targets = [n.target.object if isinstance(n.target, A.Index) else n.target for s in loop.body
               if isinstance(s, A.ForAll) for n in walk(s) if isinstance(n, A.Reduce)]
    return any(isinstance(target, A.Member) and isinstance(target.object, A.Name) and target.object.id == loop.var
               for target in targets)
