"""Random structured control flow as bare syntax: what control-flow graphs are made of, without names and types."""

from __future__ import annotations

from hypothesis import strategies as st

from irgl.ast import nodes as A

_X = A.Name("x")


def _plain() -> A.Stmt:
    return A.ExprStmt(A.Call("f", ()))


def bodies(depth: int = 3, loops: tuple[type[A.Stmt], ...] = ()) -> st.SearchStrategy[tuple[A.Stmt, ...]]:
    """A few statements nested `depth` deep; `loops` are those around them, the innermost last."""
    return st.lists(_statements(depth, loops), max_size=3).map(tuple)


def _statements(depth: int, loops: tuple[type[A.Stmt], ...]) -> st.SearchStrategy[A.Stmt]:
    options: list[st.SearchStrategy[A.Stmt]] = [st.builds(_plain)]
    if loops:
        options.append(st.builds(A.Continue))
        if loops[-1] is not A.ForAll:
            options.append(st.builds(A.Break))
    if A.ForAll in loops:
        options.append(st.builds(A.Retry, st.just(_X)))
    if depth:
        inner = bodies(depth - 1, loops)

        def looped(kind: type[A.Stmt]) -> st.SearchStrategy[tuple[A.Stmt, ...]]:
            return bodies(depth - 1, (*loops, kind))

        options += [
            st.builds(A.If, st.just(_X), inner, inner),
            st.builds(A.Atomic, st.just(_X), inner, inner, st.booleans()),
            st.builds(A.ForAll, st.just("x"), st.just(_X), looped(A.ForAll)),
            st.builds(A.For, st.just("x"), st.just(_X), looped(A.For)),
            st.builds(A.While, st.just(_X), looped(A.While)),
            st.builds(A.DoWhile, looped(A.DoWhile), st.just(_X)),
            st.builds(A.CFor, st.just(()), st.none() | st.just(_X), st.just((_plain(),)), looped(A.CFor)),
            st.builds(A.Block, inner),
        ]
    return st.one_of(options)
