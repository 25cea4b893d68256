"""Walking a notation's own small tree: dataclasses that have each other, or tuples of each other, for their fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

N = TypeVar("N")


def below(node: N, kind: type[N]) -> Iterator[N]:
    """A node and all below it, from left to right. kind: what all nodes of the tree are."""
    stack: list[Any] = [node]
    while stack:
        found = stack.pop()
        yield found
        values = (getattr(found, field.name) for field in fields(found))
        stack += [v for value in values for v in (value if isinstance(value, tuple) else (value,))
                  if isinstance(v, kind)][::-1]
