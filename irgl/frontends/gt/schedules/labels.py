"""What a schedule may speak of: the labels of a program, and the loops that came of the statements that have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from irgl.ast.labels import SCOPE, unknown
from irgl.source import IrglError, Span

#: What statements with labels are, and how messages name them.
APPLY, QUEUE, VERTICES, WHILE, FOR = "apply", "queue", "vertices", "while", "for"
INTERSECTION, STATEMENT = "intersection", "statement"
KINDS = {
    APPLY: "an apply of an edgeset", QUEUE: "an applyUpdatePriority", VERTICES: "an apply or filter of a vertexset",
    WHILE: "a while", FOR: "a for", INTERSECTION: "an intersection", STATEMENT: "a statement without a loop",
}


@dataclass(frozen=True, slots=True)
class Label:
    """A statement with a label. kind: one of KINDS.

    The places of plans (irgl/analysis/names/paths.py) that came of it: loops, the outermost ForAlls of kernels; edges,
    the ForAlls over edges in them; rounds, loops of the Program. frontier: its loops run over a list, which is a
    vertexset of the program. pulled: they take all edges, each along those at whose ends it changes something.
    unreached: the function in which it stands, where nothing calls that.
    """

    kind: str
    loops: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
    frontier: bool = False
    pulled: bool = False
    unreached: str = ""


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a schedule may speak of: by their paths, such as `s0:s1`, the labels of a program; by its vectors' names
    the properties that they became, '' for one that is none, such as the graph's degrees; and whether it has a
    parameter `delta`."""

    labels: Mapping[str, Label]
    vectors: Mapping[str, str] = field(default_factory=dict)
    delta: bool = True


class Paths:
    """The labels of a program, and those that calls would make of them."""

    def __init__(self, labelled: Labelled) -> None:
        self.labels = labelled.labels
        self._made: dict[str, tuple[str, ...]] = {}

    def make(self, path: str, of: Iterable[str]) -> None:
        """Notes a label that a call makes of others: it stands for all of them."""
        self._made[path] = tuple(of)

    def meant(self, path: str, span: Span) -> tuple[str, ...]:
        """The labels of the program that a path means. Raises IrglError where there are none, and for one that is
        never reached."""
        found = self._found(path)
        if not found:
            raise unknown(path, self.labels, span, how="#s1# in front of a statement gives it the label s1")
        for one in found:
            home = self.labels[one].unreached
            if home:
                raise IrglError(f"the label {one} stands in `{home}`, which nothing calls", span,
                                "call the function, or leave this out")
        return found

    def _found(self, path: str) -> tuple[str, ...]:
        if path in self.labels:
            return (path,)
        parts = path.split(SCOPE)
        for cut in range(len(parts), 0, -1):  # the longest label that a call made, and what stands in it
            head, rest = SCOPE.join(parts[:cut]), SCOPE.join(parts[cut:])
            if head in self._made:
                around = SCOPE.join([*parts[: cut - 1], rest])
                inside = [f"{old}{SCOPE}{rest}" if rest else old for old in self._made[head]]
                found = [p for p in dict.fromkeys([around, *inside]) if p in self.labels and p != path]
                return tuple(found)
        return ()
