"""Walking, rebuilding and comparing trees. Everything goes by the fields of the node classes, so no kind of node can be
forgotten here when the abstract syntax grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import TypeVar

from irgl.ast import nodes as A

N = TypeVar("N", bound=A.Node)

#: What `transform` asks of its function: the node itself, another one, or - for an element of a list - several or none.
Rewrite = Callable[[A.Node], "A.Node | Sequence[A.Node]"]


_FIELDS: dict[type[A.Node], tuple[str, ...]] = {}


def field_names(kind: type[A.Node]) -> tuple[str, ...]:
    """The fields of a kind of node, in the order of irgl.asdl, without its span."""
    known = _FIELDS.get(kind)
    if known is None:
        known = _FIELDS[kind] = tuple(f.name for f in fields(kind) if f.name != "span")
    return known


_BELOW: dict[type[A.Node], tuple[str, ...]] = {}
_LEAVES = ("str", "str | None", "bool", "int", "int | None", "T.Type", "T.Type | None", "tuple[str, ...]")


def _below(kind: type[A.Node]) -> tuple[str, ...]:
    """The fields of a kind of node that hold nodes: walks are most of what a compile does."""
    known = _BELOW.get(kind)
    if known is None:
        known = _BELOW[kind] = tuple(f.name for f in fields(kind) if f.name != "span" and f.type not in _LEAVES)
    return known


def children(node: A.Node) -> list[A.Node]:
    """The nodes directly below `node`, in source order."""
    kind, found = type(node), list[A.Node]()
    for name in _BELOW[kind] if kind in _BELOW else _below(kind):
        value = getattr(node, name)
        if type(value) is tuple:  # what the grammar's lists are, and soonest asked
            found += value
        elif value is not None:
            found.append(value)
    return found


def line_of(node: A.Node) -> int:
    """The line in which a node begins; 0: it has none."""
    return node.span.line if node.span is not None else 0


def walk(node: A.Node) -> Iterator[A.Node]:
    """`node` and every node below it, each before its children, in source order. Takes no stack, however deep."""
    return iter(_whole(node))


@lru_cache(maxsize=4096)  # analyses ask for the same trees again and again
def _whole(node: A.Node) -> tuple[A.Node, ...]:
    found, stack = list[A.Node](), [node]
    while stack:
        top = stack.pop()
        found.append(top)
        below = children(top)
        below.reverse()
        stack += below
    return tuple(found)


def rebuild(node: N, f: Rewrite) -> N:
    """`node` with `f(child)` in place of each child; `node` itself where `f` changed none.

    In a list (a body, arguments), `f` may give a sequence: its nodes are spliced in.
    """
    changes: dict[str, object] = {}
    for name in field_names(type(node)):
        old = getattr(node, name)
        new: object = old
        if isinstance(old, A.Node):
            new = f(old)
            assert isinstance(new, A.Node), f"{type(node).__name__}.{name} holds one node, not {new!r}"
        elif isinstance(old, tuple):
            new = _spliced(old, f)
        if new is not old:
            changes[name] = new
    return replace(node, **changes) if changes else node  # type: ignore[arg-type]


def _spliced(old: tuple[object, ...], f: Rewrite) -> tuple[object, ...]:
    new: list[object] = []
    for value in old:
        result = f(value) if isinstance(value, A.Node) else value
        if isinstance(result, Sequence) and not isinstance(result, str):
            new.extend(result)
        else:
            new.append(result)
    same = len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))
    return old if same else tuple(new)


def transform(node: N, f: Rewrite) -> N:
    """The tree with `f` applied to every node, children first. Unchanged subtrees are shared, not copied.

    `f` gets a node whose children are done already and returns it or a replacement; what it returns is not
    visited again. Where a node stands in a list, `f` may return a sequence to put several or none in its place.
    """

    def deep(n: A.Node) -> A.Node | Sequence[A.Node]:
        return f(rebuild(n, deep))

    result = deep(node)
    assert isinstance(result, type(node)), f"a {type(node).__name__} became {result!r}"
    return result


def copied(node: N, instead: Callable[[A.Node], A.Node | None] = lambda _: None) -> N:
    """The tree once more, of nodes of its own, without labels. What `instead` gives for a node, which nobody else
    holds, stands in its place and is not looked into.
    """
    other = instead(node)
    if other is not None:
        return other  # type: ignore[return-value]
    if isinstance(node, A.Labeled):
        return copied(node.body, instead)  # type: ignore[return-value]
    parts: dict[str, object] = {}
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, A.Node):
            parts[name] = copied(value, instead)
        elif isinstance(value, tuple):
            parts[name] = tuple(copied(v, instead) if isinstance(v, A.Node) else v for v in value)
    return replace(node, **parts)  # type: ignore[arg-type]


def equal(a: A.Node, b: A.Node) -> bool:
    """Do two trees say the same, wherever they stand in their sources?"""
    return difference(a, b) is None


def difference(a: A.Node, b: A.Node) -> tuple[object, object] | None:
    """The first two parts, in source order, in which two trees differ; None where they are equal."""
    stack: list[tuple[object, object]] = [(a, b)]
    while stack:
        x, y = stack.pop()
        if x is y:
            continue
        if type(x) is not type(y):
            return x, y
        if isinstance(x, A.Node):
            below = [(getattr(x, name), getattr(y, name)) for name in field_names(type(x))]
            stack.extend(reversed(below))
        elif isinstance(x, tuple) and isinstance(y, tuple):
            if len(x) != len(y):
                return x, y
            stack.extend(reversed(list(zip(x, y, strict=True))))
        elif x != y:
            return x, y
    return None


def deepest(node: N) -> tuple[A.Node, int]:
    """The node that most others stand around, and how many they are with itself."""
    found: tuple[A.Node, int] = (node, 1)
    stack: list[tuple[A.Node, int]] = [found]
    while stack:
        top, depth = stack.pop()
        if depth > found[1]:
            found = (top, depth)
        stack.extend((c, depth + 1) for c in children(top))
    return found
