"""Programs from code: for those who generate programs, such as front ends of other languages.

    from irgl import builder as b

    graph = b.graph("Graph", [b.node_property("level", b.INT, "INF")])
    mark = b.kernel("mark", [b.param("g", b.named("Graph"))],
                    [b.forall("n", b.member("g", "nodes"), [b.assign(b.member("n", "level"), 0)])])
    main = b.entry("all_zero", [b.param("g", b.named("Graph"))], [b.invoke("mark", "g")])
    program = b.program([graph, mark, main])      # irgl.compile takes it; b.text(program) is the .irgl

One function makes one node of the syntax (irgl/ast/irgl.asdl) and checks it at once; a Python number stands for its
literal, a text for the name. `with b.at(span):` says where the parts built inside stand in the user's own source;
where nothing is said, messages quote the program's .irgl text. A node may be used at several places of a tree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from irgl.ast import nodes as A
from irgl.ast.check import verify as verify_tree
from irgl.ast.dump import dump
from irgl.ast.visit import deepest, rebuild, walk
from irgl.driver import checked_program
from irgl.frontends.calls.declarations import *  # noqa: F403
from irgl.frontends.calls.expressions import *  # noqa: F403
from irgl.frontends.calls.statements import *  # noqa: F403
from irgl.frontends.depth import check_depth
from irgl.frontends.text.load import load_text, with_arrays
from irgl.source import IrglError, Source, Span

#: What messages call the text of a program whose parts have no place of their own.
BUILT = "<built>"


def program(decls: Iterable[A.Decl]) -> A.Program:
    """The program of these declarations, checked as far as its shape goes; `check` does the rest.

    Imports are put in their places. Raises IrglError for what no text could say: a `break` outside of loops, two
    statements of one label, too deep a tree.
    """
    built = A.Program(tuple(decls))
    for d in built.decls:
        if not isinstance(d, A.Decl):
            raise IrglError(f"a program holds {type(d).__name__}, which is no declaration")
    node, depth = deepest(built)
    check_depth(node.span, depth)
    built = _apart(built, set())
    try:
        verify_tree(built)
    except AssertionError as e:
        raise IrglError(str(e).split(" (from ")[0].split(":\n")[0]) from None
    first = built.decls[0].span if built.decls else None
    if first is None or any(d.span is None for d in built.decls):
        return load_text(text(built), BUILT)
    placed = with_arrays(_placed(built, first))
    if not any(isinstance(d, A.Import) for d in placed.decls):
        return placed
    imports = A.Program(tuple(d for d in placed.decls if isinstance(d, A.Import)))
    own = (d for d in placed.decls if not isinstance(d, A.Import))
    return A.Program((*load_text(text(imports), first.source.path).decls, *own), span=first)


def check(made: A.Program) -> None:
    """Names, types and races. Raises IrglError at the first mistake."""
    checked_program(made, source_of(made))


def text(made: A.Program) -> str:
    """The program as .irgl."""
    return dump(made)


def source_of(made: A.Program) -> Source:
    """The source in which a program begins."""
    place = made.span if made.span is not None else made.decls[0].span if made.decls else None
    return place.source if place is not None else Source(BUILT, text(made))


def _apart(node: A.Program, seen: set[int]) -> A.Program:
    """The tree with a node of its own at every place."""

    def own(n: A.Node) -> A.Node:
        copy = rebuild(n, own)
        if id(copy) in seen:
            copy = replace(copy)
        seen.add(id(copy))
        return copy

    return rebuild(node, own)


def _placed(node: A.Program, place: Span) -> A.Program:
    """The tree in which every part without a place has that of what it stands in."""

    def fill(n: A.Node, around: Span) -> A.Node:
        mine = n.span if n.span is not None else around
        inner = rebuild(n, lambda c: fill(c, mine))
        return inner if inner.span is not None else replace(inner, span=mine)

    made = fill(node, place)
    assert isinstance(made, A.Program)
    assert all(n.span is not None for n in walk(made))
    return made
