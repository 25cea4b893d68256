"""What a caller of an exported function must know of its program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter as the function has it.

    kind: graph, number, vector, set or array. type: as GraphIt writes it. name: the parameter or the input of the
    program that it goes to ('' for the graph, which is the program's only one). size: how many values an array has.
    """

    function: str
    kind: str
    type: str
    name: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """A const whose value outlives a call.

    given: the parameter or input of the program that it goes to, '' where the function stores it before it asks for it.
    anew: the parameter that says whether it begins with its first value, which is computed; '' where that is plain.
    left: the scalar or property of the program that has it afterwards.
    """

    const: str
    given: str
    anew: str
    left: str


@dataclass(frozen=True, slots=True)
class Export:
    """An exported function.

    result: the scalar or property of the program that has its result, '' where there is none. is_set: that is a set, of
    the vertices whose bool is true. graph: the const edgeset whose graph it works on, which an earlier call stored;
    '' where it has a graph as an argument, or uses none. stores: the const edgesets that become the graph. forgets: the
    consts that begin with what is computed, whose values go with the graph that was there. file: the path that the
    graph is loaded from, '' where none is.
    """

    name: str
    arguments: tuple[Argument, ...]
    result: str
    is_set: bool
    kept: tuple[Kept, ...]
    graph: str
    stores: tuple[str, ...]
    forgets: tuple[str, ...]
    file: str

    def usage(self) -> str:
        """How it is called."""
        return f"{self.name}({', '.join(a.function for a in self.arguments)})"
