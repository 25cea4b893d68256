"""What a call of a compiled program gives back."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from irgl.rt.call.run import Outcome
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.in_memory import InMemory
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.meshes.meshes import Mesh
from irgl.rt.results.by_name import as_dict, as_edges
from irgl.rt.results.profile import Profile
from irgl.rt.results.result import Values, shown
from irgl.rt.results.verify import verify
from irgl.source import IrglError

Array = np.ndarray[Any, Any]


class Answer:
    """Properties as arrays and scalars as numbers, by name: `answer.level`, or `answer["level"]`.

    An array has one entry for each node, (n,), or edge, (m,), or K of them for each node, (n, K), in the order of
    the graph that was given, and the dtype that the program declares (int32 for `int`, float64 for `double`, ...);
    it is the program's own memory, without a copy. Arrays are NumPy's, or where the program ran on a GPU and CuPy
    is installed CuPy's, on that GPU. A property that holds nodes has their numbers (-1 for none); `named` gives the
    user's names. A name that is no result raises IrglError in brackets, AttributeError after a dot.

    scalars: the program's, by name. times_ms: of each run, in milliseconds, without building and loading. counters:
    what was counted (docs/counters.md). plan: the plan that it ran under, as text; plan_source: where that comes from
    (`given`, `built in`, `default for road graphs, measured`, ...). graphs: by parameter, as the program saw them.
    mesh: what became of the mesh. profile: what the loops did and how long they took, of a call with profile=True, else
    None. changed: what was made of the graph to suit the program, in words. printed: the lines
    of the interpreter's print().
    """

    def __init__(self, manifest: Manifest, outcome: Outcome, graphs: dict[str, InMemory], values: dict[str, Any],
                 mesh: Mesh | None, plan_source: str) -> None:  # fmt: skip
        self._manifest = manifest
        self._result = outcome.result
        self._graphs = graphs
        self._values = values
        self._mesh = mesh
        self.program = manifest.program
        self.plan = manifest.plan
        self.plan_source = plan_source
        self.scalars: dict[str, Any] = outcome.result.scalars
        self.times_ms: tuple[float, ...] = outcome.kernel_ms
        self.counters: dict[str, int] = outcome.stats
        self.printed: tuple[str, ...] = outcome.printed
        self.profile: Profile | None = outcome.profile
        self.graphs = outcome.result.graphs
        self.mesh: Mesh | None = outcome.result.mesh
        self.changed = tuple(words for g in self.graphs.values() for words in g.changed)
        if "edges" in {*self}:  # programs had results of that name before there was such a method
            self.__dict__["edges"] = self["edges"]

    @property
    def time_ms(self) -> float:
        """The last run's time in milliseconds, without building the program and loading the graph."""
        return self.times_ms[-1]

    def __getitem__(self, name: str) -> Any:
        values = self._result.properties.get(name)
        if values is not None:
            graph = self._result.graphs[self._result.home[name]]
            plain = not (values.type == "node" or values.node_fields) or (graph.node_ids is None and graph.id_base == 0)
            return values.array if plain else _like(values.array, shown(values, graph))
        if name in self.scalars:
            return self.scalars[name]
        raise IrglError(f"{self.program} has no result `{name}`", hint=f"its results: {', '.join(self)}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in {*self}:
            raise AttributeError(f"{self.program} has no result `{name}`; its results: {', '.join(self)}")
        return self[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._result.properties
        yield from self.scalars

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self})

    def named(self, name: str) -> dict[Hashable, Any]:
        """A property as a dict by the nodes' own names, of edges by those of both ends; nodes in it by theirs, None for
        none, in structs too. O(n), O(m).

        Values are Python's. Of an undirected graph there are both directions of an edge. Raises IrglError for what is
        no property, and for a property of edges where two of them have the same ends.
        """
        values, graph, labels = self._property(name, None)
        return as_dict(values, graph, labels)

    def edges(self, name: str, form: str = "arrays") -> Any:
        """An edge property with the names of the edges' ends, in the order of the graph's edges. O(m).

        form: "arrays" (source, target, value), each (m,), of which a struct's value has fields; "pandas" or "polars", a
        data frame of these columns, the last called as the property, or a column for each field of a struct; "scipy", a
        CSR matrix by the nodes' places in the graph. Of an undirected graph there are both directions of an edge.
        Raises IrglError for what is no property of edges, where the library is not installed, and for a matrix of
        structs or parallel edges. Of a program with a result `edges`, `found.edges` is that one, and
        `type(found).edges(found, name)` this method.
        """
        values, graph, labels = self._property(name, "edge")
        return as_edges(values, name, graph, labels, form)

    def _property(self, name: str, owner: str | None) -> tuple[Values, Graph, Sequence[Hashable] | None]:
        """The property of that name, its graph, and the names of its nodes."""
        values = self._result.properties.get(name)
        if values is None or owner not in (None, values.owner):
            kind = "" if owner is None else f"{owner} "
            known = [n for n, v in self._result.properties.items() if owner in (None, v.owner)]
            raise IrglError(f"{self.program} has no {kind}property `{name}`",
                            hint=f"it has {', '.join(known)}" if known else None)
        home = self._result.home[name]
        labels = self._graphs[home].labels if home in self._graphs else None
        return values, self._result.graphs[home], labels

    def wrong(self) -> str | None:
        """What the program's verifier finds wrong with the answer, in words; None where it is right.

        The verifier is the file that the program's `verify` clause names; it has a time of its own, linear for most.
        Raises IrglError where the program names none.
        """
        if self._manifest.verifier is None:
            raise IrglError(f"{self.program} names no verifier", hint="write a `verify` clause")
        return verify(self._manifest, self.graphs, self._values, self._result, self._mesh)

    def _repr_html_(self) -> str:
        html: str = importlib.import_module("irgl.notebook.views").answer(self)  # above this room
        return html

    def __repr__(self) -> str:
        parts = [f"{n}={v}" for n, v in self.scalars.items()]
        parts += [f"{n}: {v.type}[{', '.join(map(str, v.array.shape))}]" for n, v in self._result.properties.items()]
        return f"<{self.program}: {', '.join(parts)}; {self.time_ms:.3f} ms>"


def _like(given: Any, array: Array) -> Any:
    """`array` of the kind that `given` is: NumPy's, or CuPy's on its device."""
    if isinstance(given, np.ndarray):
        return array
    with given.device:
        return sys.modules[type(given).__module__.split(".")[0]].asarray(array)
