"""What a caller must know of a compiled program to run it, in a form that a cache can keep: no syntax trees.

Types are written as the language writes them (`int`, `node`, a struct's name). A Formula is a list whose first element
says what it is; irgl/rt/manifests/formula.py gives its value.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from irgl.rt.manifests.check import MANIFEST
from irgl.source import is_graphit

Formula = list[Any]
#: Changes with the form of the JSON text.
VERSION = 22


@dataclass(frozen=True, slots=True)
class Property:
    """owner: node or edge. weights: it takes the file's. inf: its declared first value is INF.

    given: an input, whose values the caller gives, or else they are `default`, or the graph's coordinates on `axis`;
    changed: the program stores to it. length: how many values each node has, where it has several, else 0.
    """

    owner: str
    type: str
    name: str
    weights: bool
    inf: bool
    given: bool = False
    changed: bool = False
    default: Formula | None = None
    axis: int | None = None
    length: int = 0

    def shape(self, count: int) -> tuple[int, ...]:
        """Of the array that has the values of `count` nodes or edges."""
        return (count, self.length) if self.length else (count,)

    @property
    def borrowed(self) -> bool:
        """Does the program only read it, where it lies?"""
        return self.weights or (self.given and not self.changed)


@dataclass(frozen=True, slots=True)
class FormNeed:
    """A form of a graph's edges (irgl/forms/) that a unit runs over: of its out- or in-edges (`edges`: out, in).

    options: those that are the form's own, as the plan says them. weights: the type of the weights that lie beside it,
    '' for none. numbered: the edge that stands at each place is wanted. part: the most nodes of a part, 0: any number.
    copied: the bytes of what a run copies to each edge's place; touched: of what it uses of each far end.
    """

    edges: str
    form: str
    options: tuple[tuple[str, str], ...]
    weights: str
    numbered: bool
    part: int = 0
    copied: int = 0
    touched: int = 0


@dataclass(frozen=True, slots=True)
class GraphParam:
    """A graph parameter; the needs are those of irgl.driver.GraphNeeds. forms: in the order of irgl_graph.forms.
    in_weights: behind its properties' memory stand the weights in the order of in-edges.

    ends, in_ends: the unit reads the far ends of out-edges, of in-edges, out of rows; else it is given none.
    """

    name: str
    directed: bool | None
    simple: bool
    sorted: bool
    weighted: str | None
    transpose: bool
    in_edge: bool
    in_weights: bool
    properties: tuple[Property, ...]
    forms: tuple[FormNeed, ...] = ()
    ends: bool = True
    in_ends: bool = True


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter that is no graph. shown: its default as the program writes it; '' and no formula: it has none.

    graph: the graph parameter that a node, or a list's nodes, belong to; '' for numbers. item: what a list or an array
    holds, '' for what is neither; unique: no item may be given twice. shape: of an array, where it has to be of one:
    (16,) a vector, (16, 4) the rows of such. variable: to which the program gives the value of
    argv1, argv2, ..., '' for parameters of other names.
    """

    name: str
    type: str
    graph: str
    default: Formula | None
    shown: str
    item: str = ""
    unique: bool = False
    variable: str = ""
    shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scheduled:
    """What the program's own schedule comes to (irgl/scheduling.py): a plan's text, the default of `delta` that it
    gives, '' for none, and its calls that change nothing, each with its place and the reason; the program's labels, by
    which a plan's words may speak of the same places."""

    plan: str
    delta: str
    not_applicable: tuple[str, ...]
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """A place of which a profile tells; its fields are those of irgl.codegen.openmp.sites.Site."""

    kind: str
    place: str
    file: str
    line: int
    over: str
    of: int
    slot: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """A compiled program: its C++ text, its interface, and how its answer is verified.

    mesh: the parameter that is one, '' where none is. order: the names of all parameters, these and graphs included.
    structs: (type, name) of each field. units: structs with ids that are touched as one atomic unit, with the place of
    the first time: source, line, column and width, as faults are told. roles: what the verifier is told. sources: the
    paths of the program's files, in the order of irgl_run_args.fault[3]. fingerprint: of its syntax, whatever its names
    and its plan (irgl/analysis/fingerprint.py). schedule: for the plan's target; None: the program has none. numbered:
    why no plan may lay its graphs out in another order of the nodes; '' where one may. files: what the C++ of the
    program's own libraries is made of, with digests (irgl/frontends/own_headers.py). rounds: the places of the loops
    whose rounds it notes, in the order of their numbers; None: it notes none. sites: what its profile tells of, by
    number; None: it notes none. stops: where the program stops itself
    (source, line and column), and what it says. loads: the name of the graph that it loads by itself unless another one
    is given, '' where it must be given one. used: where parameters called argv1, argv2, ... and the first graph are
    asked for, by their names: source, line, column and width. searches: has it loops that may be turned round, in
    each of which a node that pulls leaves its edges once it is found? spreads: the places of those that hand on values
    as they are, where all do (analysis/loops/spreads.py). gathers: the places of loops over edges that gather values of
    all far ends in each of several rounds, and may run over blocks (analysis/loops/gathers.py).
    """

    program: str
    path: str
    graphs: tuple[GraphParam, ...]
    mesh: str
    params: tuple[Param, ...]
    order: tuple[str, ...]
    scalars: tuple[tuple[str, str], ...]
    structs: dict[str, tuple[tuple[str, str], ...]]
    units: tuple[tuple[str, int, int, int, int], ...]
    verifier: str | None
    roles: dict[str, Formula]
    tolerance: float | None
    any_valid: bool
    plan: str
    schedule: Scheduled | None
    applied: tuple[str, ...]
    not_applicable: tuple[str, ...]
    sources: tuple[str, ...]
    stops: tuple[tuple[int, int, int, str], ...]
    numbered: str
    fingerprint: str
    files: dict[str, str]
    rounds: tuple[str, ...] | None
    sites: tuple[Site, ...] | None
    text: str
    loads: str
    used: dict[str, tuple[int, int, int, int]]
    searches: bool
    spreads: tuple[str, ...]
    gathers: tuple[str, ...]

    @property
    def by_file_ids(self) -> bool:
        """Does it know nodes by the numbers that a file gives them, gaps included? So do GraphIt's programs."""
        return is_graphit(self.path)


def inputs(manifest: Manifest) -> dict[str, tuple[GraphParam, Property]]:
    """The properties that a caller gives, by name, each with its graph."""
    return {p.name: (g, p) for g in manifest.graphs for p in g.properties if p.given}


def to_json(manifest: Manifest) -> dict[str, Any]:
    return {"version": VERSION, **asdict(manifest)}


def from_json(data: Any) -> Manifest:
    """The manifest that `to_json` wrote. Raises ValueError for anything else."""
    if not MANIFEST(data) or data["version"] != VERSION:
        raise ValueError("no manifest, or another version's")
    rest = {name: part for name, part in data.items() if name != "version"}
    graphs = tuple(GraphParam(**{
        **g, "properties": tuple(Property(**p) for p in g["properties"]), "forms": tuple(map(_form, g["forms"]))
    }) for g in rest.pop("graphs"))
    params = tuple(Param(**{**p, "shape": tuple(p["shape"])}) for p in rest.pop("params"))
    scalars = tuple((n, t) for n, t in rest.pop("scalars"))
    structs = {n: tuple((t, f) for t, f in fields) for n, fields in rest.pop("structs").items()}
    used = {name: tuple(place) for name, place in rest.pop("used").items()}
    stops = tuple((*place, text) for *place, text in rest.pop("stops"))
    units = tuple((n, *place) for n, *place in rest.pop("units"))
    noted = rest.pop("sites")
    sites = None if noted is None else tuple(Site(**s) for s in noted)
    said = rest.pop("schedule")
    schedule = None if said is None else Scheduled(said["plan"], said["delta"], tuple(said["not_applicable"]),
                                                   tuple((path, tuple(at)) for path, at in said["labels"]))
    plain: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in rest.items()}
    return Manifest(graphs=graphs, params=params, scalars=scalars, structs=structs, units=units, stops=stops,
                    schedule=schedule, used=used, sites=sites, **plain)


def _form(f: dict[str, Any]) -> FormNeed:
    return FormNeed(**{**f, "options": tuple((name, value) for name, value in f["options"])})
