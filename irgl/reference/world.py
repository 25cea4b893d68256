"""What a program starts from and what it leaves: scalars, parameters, graphs and their properties, builtins."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from irgl.analysis.names.conversions import graph_of
from irgl.analysis.names.given import given_item
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.reference import arithmetic as N
from irgl.reference import values as V
from irgl.reference.derived import oriented, weight_summary
from irgl.reference.own_twins import Maker, maker
from irgl.reference.worklists import Worklist
from irgl.source import IrglError

#: A variable is a list of one value; an inner scope copies the dict and shares the lists.
Env = dict[str, list[Any]]


@dataclass(slots=True)
class Result:
    """scalars and properties (of the first graph) by name, in dtypes of their width, nodes as ids, NONE as -1; graphs:
    the properties of every graph parameter; printed: one text per print; stats: counters."""

    scalars: dict[str, Any]
    properties: dict[str, V.Array]
    graphs: dict[str, dict[str, V.Array]]
    printed: list[str]
    stats: dict[str, int]


class World(ABC):
    """The state of one run, apart from control: `converted` evaluates initial values."""

    def __init__(self, checked: Checked, capacity: int | None, seed: int) -> None:
        self.checked = checked
        self.capacity = capacity
        self.random = N.Random(seed)
        self.began = time.perf_counter()
        self.stats = dict.fromkeys(("steps", "invocations", "rounds", "pushes", "retries", "worklist_growths"), 0)
        self.printed: list[str] = []
        self.globals: Env = {}
        self.makers: dict[T.Named, Maker] = {}
        self.params: Mapping[str, Any] = {}

    @abstractmethod
    def converted(self, e: A.Expr, to: T.Type, env: Env) -> Any: ...

    def begin(self, entry: A.Entry, graphs: Mapping[str, V.GraphLike], params: Mapping[str, Any]) -> Env:
        """The entry's variables. Raises IrglError where a parameter is missing or names a node that does not exist."""
        for g in self.checked.globals.values():
            self.globals[g.name] = [self.zero(g.type) if g.init is None else self.converted(g.init, g.type, {})]
        env = dict(self.globals)
        self.params = params
        home: V.Graph | None = None
        for p in entry.params:
            if isinstance(p.type, T.Named) and p.name in graphs:
                value: Any = self.graph(p.type.name, graphs[p.name])
                home = value if home is None else home
            elif p.name in params and given_item(self.checked, p.type) is not None:
                of = env[graph_of(p.type)][0] if graph_of(p.type) else home
                value = self._given_list(p.type, params[p.name], of)
            elif p.name in params:
                value = self._given(p, params[p.name], home)
            elif isinstance(p.default, A.Name) and p.default.id == "first" and home is not None:
                value = V.Node(home, 0) if home.num_nodes else None
            elif p.default is not None and isinstance(p.type, T.Named) and p.type.shape:
                each = self.converted(p.default, p.type.args[0], env)
                value = self._given_list(p.type, [each] * math.prod(p.type.shape), None)
            elif p.default is not None:
                value = self.converted(p.default, p.type, env)
            else:
                raise IrglError(f"no value is given for '{p.name}'", p.span)
            env[p.name] = [value]
        return env

    def _given(self, p: A.Param, value: Any, home: V.Graph | None) -> Any:
        if not isinstance(p.type, T.NodeT) or value is None or home is None:
            return V.convert(value, p.type)
        try:
            return home.node_at(value)
        except N.Fault as fault:
            raise IrglError(str(fault), p.span) from None

    def _given_list(self, t: T.Type, values: Any, of: V.Graph | None) -> Any:
        """A list of nodes, by their numbers, or an array of numbers."""
        made, counted = self.zero(t), dict(self.stats)
        for value in np.asarray(values).reshape(-1).tolist():
            if isinstance(t, T.Worklist):
                assert of is not None
                made.push(of.node_at(value))
            else:
                made.append(value)
        self.stats.update(counted)  # the program pushes none of them
        return made

    def graph(self, name: str, raw: V.GraphLike) -> V.Graph:
        """A graph with its properties at their initial values; an edge property without one has the weights."""
        g = V.Graph(name, raw)
        for p in self.checked.graph_types[name].properties:
            t = T.of_each(p.type)
            value = self.zero(t) if p.init is None else self.converted(p.init, t, self.globals)
            if p.given and p.name in self.params:
                values = [self._item(g, p.type, v) for v in self.params[p.name].tolist()]
                (g.of_node if p.owner == "node" else g.of_edge)[p.name] = values
            elif p.given and p.init is None:
                raise IrglError(f"no values are given for '{p.name}'", p.span)
            elif isinstance(p.type, T.Vector):
                g.of_node[p.name] = [[value] * p.type.length for _ in range(g.num_nodes)]
            elif p.owner == "node":
                g.of_node[p.name] = [value] * g.num_nodes
            elif p.init is None and isinstance(p.type, T.Int | T.Float):
                g.of_edge[p.name] = [V.convert(w, p.type) for w in g.weights]
            else:
                g.of_edge[p.name] = [value] * g.num_edges
        return g

    @staticmethod
    def _item(g: V.Graph, t: T.Type, value: Any) -> Any:
        """One value of an input; a node by its number, negative for NONE."""
        if isinstance(t, T.Vector):
            return [V.convert(v, t.of) for v in value]
        if isinstance(t, T.NodeT):
            return None if value < 0 else g.node_at(value)
        return V.convert(value, t)

    def zero(self, t: T.Type) -> Any:
        """What a variable without initial value holds: zero, NONE, an empty list or object."""
        fields = self.checked.fields(t)
        if fields is not None:
            return tuple(self.zero(f) for f in fields.values())
        if isinstance(t, T.Worklist):
            return Worklist(t, self.capacity, self.stats)
        if isinstance(t, T.Named):
            if t not in self.makers:
                self.makers[t] = maker(self.checked.libraries[t.name], t.args)
            return self.makers[t](lambda: self.zero(t.args[0]), lambda v: V.convert(v, t.args[0]))
        return None if isinstance(t, T.NodeT | T.EdgeT) else V.convert(0, t)

    def result(self, entry: A.Entry, env: Env) -> Result:
        graphs = {p.name: self._shown(env[p.name][0]) for p in entry.params if isinstance(env[p.name][0], V.Graph)}
        scalars = {n: self.globals[n][0] for n, g in self.checked.globals.items() if not g.hidden}
        return Result(scalars, next(iter(graphs.values()), {}), graphs, self.printed, self.stats)

    def _shown(self, g: V.Graph) -> dict[str, V.Array]:
        shown = {}
        for p in self.checked.graph_types[g.type].properties:
            values = (g.of_node if p.owner == "node" else g.of_edge)[p.name]
            shown[p.name] = V.to_array(values, p.type, self.checked.fields(p.type))
        return shown

    def builtin(self, e: A.Call, args: list[Any], t: T.Type) -> Any:
        """A function that the language itself provides; `t` is its result's type."""
        match e.function:
            case "range":
                return range(*(V.convert(a, T.LONG) for a in args))
            case "auto":
                return args[0]
            case "oriented":
                return self.graph(args[0].type, oriented(args[0]))
            case "common":
                found = V.common(*args)
                return found if isinstance(t, T.Range) else len(found)
            case "random":
                return self.random.below(V.convert(args[0], T.LONG))
            case "clock":
                return time.perf_counter() - self.began
            case "print":
                self.printed.append(" ".join(map(V.shown, args)))
                return None
            case "stop":
                raise IrglError(str(args[0]), e.span)
            case "average_weight" | "max_weight":
                return weight_summary(args[0], e.function)
            case _:
                of = [self.checked.types[a] for a in e.args]
                if not T.is_number(of[0]):
                    return min(args, key=V.key) if e.function == "min" else max(args, key=V.key)
                as_it_is = e.function in ("hash", "popcount", "isinf", "isnan")
                return N.function(e.function, [V.number(a) if as_it_is else V.convert(a, t) for a in args], of, t)
