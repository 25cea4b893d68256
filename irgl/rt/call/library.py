"""A .gt file from Python: the functions that it exports as methods, which share what they store in consts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from irgl.frontends.gt.exports.interface import Export
from irgl.rt.call.answer import Answer
from irgl.rt.call.callable import Program, compiled
from irgl.rt.graphs.in_memory import InMemory, as_graph
from irgl.rt.graphs.loading import place_of
from irgl.rt.inputs.exported import graph_given, graph_loaded, members
from irgl.source import IrglError, Source

#: What a call may say beside a function's own parameters; `weight` where it is given a graph.
_OPTIONS = ("threads", "seed", "worklist_capacity", "progress", "profile", "delta")


class Library(Program):
    """The exported functions of a .gt file: `library.rank(graph)` calls one, `library["rank"]` is it, too.

    irgl.compile makes it. Consts that a function stores keep their values until the next call, of any of them; those of
    another Library of the same file are others. One call runs at a time. Where the file has a main, the library is its
    Program as well, which shares no values with the functions. It can be pickled, with these values. Raises
    IrglError where a Program is asked for and there is no main.

    functions: by name. has_main: is it a Program, too? source: its text.
    """

    def __init__(self, source: Source, exports: Mapping[str, Export], opened: Callable[[str], Program],
                 main: Program | None, recipe: Callable[[], tuple[str, str, str, str, Path | None]]) -> None:
        if main is not None:
            self.__dict__.update(main.__dict__)
        self.source = source
        self.functions = {name: Function(self, export, opened) for name, export in exports.items()}
        self._recipe = recipe
        self.has_main = main is not None
        self._lock = threading.RLock()
        self._kept: dict[str, Any] = {}

    @property
    def __name__(self) -> str:
        return PurePath(self.source.path).stem

    def __getattr__(self, name: str) -> Any:
        """An exported function."""
        found = self.__dict__.get("functions", {})
        if name in found:
            return found[name]
        if name in ("manifest", "plan", "syntax", "_choose", "_checked") and found:
            first = next(iter(found.values()))
            raise IrglError(f"{self.source.path} has no main: it is a library of exported functions",
                            hint=f"call one: {self.__name__}.{first.export.usage()}")
        raise AttributeError(f"{self!r} exports no function `{name}`")

    def __getitem__(self, name: str) -> Function:
        if name not in self.functions:
            raise IrglError(f"{self.source.path} exports no function `{name}`",
                            hint=f"it exports {', '.join(self.functions)}")
        return self.functions[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.functions})

    def __repr__(self) -> str:
        shown = [f.export.usage() for f in self.functions.values()]
        return f"<irgl library {self.__name__}: {', '.join([*shown, *(['main'] if self.has_main else [])])}>"

    def _repr_html_(self) -> str | None:  # type: ignore[override]
        return super()._repr_html_() if self.has_main else None

    def __reduce__(self) -> tuple[Any, ...]:
        assert self._recipe is not None
        with self._lock:
            return compiled, self._recipe(), {"_kept": dict(self._kept)}


class Function:
    """An exported function: `function(graph, vector)` runs it and gives its result.

    export: how it is called. answer: what the last call left: its times, counters and plan; None before.
    """

    def __init__(self, library: Library, export: Export, opened: Callable[[str], Program]) -> None:
        self.export = export
        self.answer: Answer | None = None
        self._library = library
        self._opened = opened
        self._program: Program | None = None

    @property
    def __name__(self) -> str:
        return self.export.name

    @property
    def program(self) -> Program:
        """The function as a program of irgl's, whose inputs and results are the consts as well: its code, what is known
        of its loops. Generated when it is first asked for; raises IrglError where the plan can't be honoured."""
        if self._program is None:
            self._program = self._opened(self.export.name)
        return self._program

    def __repr__(self) -> str:
        return f"<irgl function {self.export.usage()} of {self._library.__name__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Library.__getitem__, (self._library, self.export.name)

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Runs the function. Its result is a number, an array with a value for each vertex, (n,), in the order of the
        graph's nodes and of the type that the function says, of a vertexset its members' numbers, (k,), ascending; or
        None.

        given, named: its parameters, by position or name. An edgeset is what irgl.as_graph takes, or a file's name;
        edges are taken as they are, self-loops and parallel ones, too. A vector is an array, a list, or a dict by
        node, which stays as it is; a vertex a number, or the node's name; a vertexset a list of vertices, or an array
        of bools, (n,). Options of a Program's call may be said
        beside them: threads, seed, worklist_capacity, progress, profile, and weight of the graph.

        The first call builds the unit. Raises IrglError for a parameter that is missing or doesn't fit, for one that
        there isn't, where no call has stored the graph that it works on, and as a Program's call does.
        """
        with self._library._lock:
            values = self._values(given, named)
            weight = named.pop("weight", None)
            memory = self._graph(values, weight)
            params = {a.name: members(a, values[a.function]) if a.kind == "set" else values[a.function]
                      for a in self.export.arguments if a.kind != "graph"}
            answer = self.program(memory, **params, **self._before(memory), **named)
            self.answer = answer
            for line in answer.printed:
                print(line)
            result: Any = self._left(answer, self.export.result) if self.export.result else None
            self._keep(answer, memory)
            return np.flatnonzero(result) if self.export.is_set else result

    def _values(self, given: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        """The values of all parameters, which are taken out of `named`."""
        name, usage, known = self.export.name, self.export.usage(), [a.function for a in self.export.arguments]
        if len(given) > len(known):
            raise IrglError(f"{name} takes {_arguments(len(known))}, and {len(given)} "
                            f"{'is' if len(given) == 1 else 'are'} given", hint=f"write {usage}")
        values = dict(zip(known, given, strict=False))
        for word in [w for w in named if w in known]:
            if word in values:
                raise IrglError(f"{name} is given `{word}` twice", hint=f"write {usage}")
            values[word] = named.pop(word)
        graphs = any(a.kind == "graph" for a in self.export.arguments)
        for word in named:
            if word not in _OPTIONS and (word != "weight" or not graphs):
                raise IrglError(f"{name} has no parameter `{word}`", hint=f"write {usage}")
        for a in self.export.arguments:
            if a.function not in values:
                raise IrglError(f"{name} needs a value for `{a.function}` ({a.type})", hint=f"write {usage}")
            if a.size and hasattr(values[a.function], "__len__") and len(values[a.function]) != a.size:
                raise IrglError(f"`{a.function}` takes {a.size} values, and {len(values[a.function])} are given")
        return values

    def _graph(self, values: dict[str, Any], weight: str | None) -> InMemory:
        export, kept = self.export, self._library._kept
        argument = next((a for a in export.arguments if a.kind == "graph"), None)
        if argument is not None:
            return graph_given(argument, values[argument.function], weight)
        found: InMemory
        if export.graph in kept:
            found = kept[export.graph]
            return found
        if export.file:
            found = graph_loaded(place_of(export.file, self._library.source.path))
            if export.graph:
                kept[export.graph] = found
            return found
        if export.graph:
            setters = [f.export.usage() for f in self._library.functions.values() if export.graph in f.export.stores]
            raise IrglError(f"{export.name} works on `{export.graph}`, and no call has stored a graph there",
                            hint=f"call {' or '.join(setters)} first" if setters else
                            f"export a function that stores one: {export.graph} = input_edges;")
        nobody = np.empty(0, np.int32)
        return as_graph((nobody, nobody))

    def _before(self, memory: InMemory) -> dict[str, Any]:
        """What earlier calls left, by what it is given as."""
        found: dict[str, Any] = {}
        for kept in self.export.kept:
            if not kept.given or kept.const not in self._library._kept:
                continue
            value = found[kept.given] = self._library._kept[kept.const]
            if kept.anew:
                found[kept.anew] = False
            if hasattr(value, "shape") and len(value.shape) and len(value) != memory.graph.num_nodes:
                raise IrglError(f"`{kept.const}` has values of {len(value)} vertices, which an earlier call left, and "
                                f"the graph has {memory.graph.num_nodes}",
                                hint=f"call what makes `{kept.const}` for this graph first")
        return found

    def _keep(self, answer: Answer, memory: InMemory) -> None:
        state, export = self._library._kept, self.export
        for const in export.forgets:
            state.pop(const, None)
        for const in export.stores:
            state[const] = memory
        for kept in export.kept:
            if kept.given and kept.left not in {*answer}:
                continue  # nothing changed it
            value = self._left(answer, kept.left)
            state[kept.const] = value.copy() if kept.left == export.result and hasattr(value, "copy") else value

    def _left(self, answer: Answer, name: str) -> Any:
        """A result; an input that the program did not change, as it was given."""
        return answer[name] if name in {*answer} else np.array(answer._values[name])


def _arguments(count: int) -> str:
    return "no argument" if not count else f"{count} argument{'s' * (count != 1)}"
