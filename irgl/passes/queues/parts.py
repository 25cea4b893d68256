"""What stands in for a priority queue: buckets, and an array of what each node last ran with."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.source import Span

ARRAY = T.Named("array", (T.LONG,))


@dataclass(frozen=True, slots=True)
class OnQueue:
    """A kernel on a queue. graph: its parameter whose nodes that holds; falls: updates make the property smaller."""

    kernel: A.Kernel
    by: T.Priority
    graph: str
    falls: bool

    @property
    def key(self) -> tuple[str, str]:
        """Whose property it is that the queue goes by, and which."""
        return self.by.owner, self.by.property


def never(falling: bool, at: Span | None) -> A.Expr:
    """What no node has run with: beyond all that it may fall from, or rise from."""
    end = A.Name("INF", span=at)
    return end if falling else A.Unary("-", end, span=at)


def bucket(by: T.Priority, value: A.Expr) -> A.Expr:
    """The bucket of a property's value: where higher values go first, they have smaller numbers."""
    at = value.span
    wide = A.Cast(T.LONG, value, span=at)
    coarse = A.Binary("/", wide, A.Cast(T.LONG, A.Name(by.delta, span=at), span=at), span=at) if by.delta else wide
    return A.Unary("-", coarse, span=at) if by.higher else coarse
