"""Further arguments for the kernels that a Program invokes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from irgl.ast import nodes as A
from irgl.ast.visit import rebuild

#: What invokes a kernel.
Call = A.Invoke | A.Iterate | A.InvokeResult


def called_with(entry: A.Entry, more: Callable[[Call], tuple[A.Expr, ...]]) -> A.Entry:
    """The Program whose invocations have `more` arguments behind their own."""
    def visit(node: A.Node) -> A.Node:
        new = rebuild(node, visit)
        if isinstance(node, Call) and (added := more(node)):
            assert isinstance(new, Call)
            return replace(new, args=(*new.args, *added))
        return new

    new = visit(entry)
    assert isinstance(new, A.Entry)
    return new
