"""What statements and kernels hand back to what is around them, and where a fault gets its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from irgl.ast import nodes as A
from irgl.reference.arithmetic import Fault
from irgl.reference.world import Env
from irgl.source import IrglError

Self = TypeVar("Self")
Of = TypeVar("Of", bound=A.Node)
Gives = TypeVar("Gives")


class Jump(Enum):
    """How a statement ends when the next one is not to run."""

    BREAK, CONTINUE, END_ITEM = range(3)


@dataclass(frozen=True, slots=True)
class Returned:
    """A function's end, with its value."""

    value: Any


Outcome = Jump | Returned | None


@dataclass(slots=True)
class Invocation:
    """One run of a kernel: whether all of it comes again, its ReduceAndReturn so far, whether any ForAll had an item,
    the ForAlls around."""

    together: bool = False
    any: bool = False
    all: bool = True
    worked: bool = False
    depth: int = 0

    def value(self, reduction: str) -> bool:
        return self.any if reduction == "any" else self.all


def taken(item: Any) -> None:
    """What an Exclusive or an Atomic takes. Raises Fault where it is NONE."""
    if item is None:
        raise Fault("NONE can't be locked")


def located(f: Callable[[Self, Of, Env], Gives]) -> Callable[[Self, Of, Env], Gives]:
    """A method on a node that gives a fault inside it the node's place."""

    def with_place(self: Self, node: Of, env: Env) -> Gives:
        try:
            return f(self, node, env)
        except Fault as fault:
            raise IrglError(str(fault), node.span) from None

    return with_place
