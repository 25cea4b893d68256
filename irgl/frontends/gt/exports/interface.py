"""What a caller of an exported function must know of its program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter as the function has it. kind: graph, number or vector; type: as GraphIt writes it; name: the
    parameter or the input of the program that it goes to ('' for the graph, which is the program's only one)."""

    function: str
    kind: str
    type: str
    name: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A const whose value outlives a call. given: the parameter or input of the program that it goes to, '' where the
    function stores it before it asks for it; left: the scalar or property of the program that has it afterwards."""

    const: str
    given: str
    left: str


@dataclass(frozen=True, slots=True)
class Export:
    """An exported function. result: the scalar or property of the program that has its result, '' where there is none.

    graph: the const edgeset whose graph it works on, which an earlier call stored; '' where it has a graph as an
    argument, or uses none. stores: the const edgesets that become the graph. file: the path that the graph is loaded
    from, '' where none is.
    """

    name: str
    arguments: tuple[Argument, ...]
    result: str
    kept: tuple[Kept, ...]
    graph: str
    stores: tuple[str, ...]
    file: str

    def usage(self) -> str:
        """How it is called."""
        return f"{self.name}({', '.join(a.function for a in self.arguments)})"
