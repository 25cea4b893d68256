"""The shape of a kernel: whether its threads ever wait for each other."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast.visit import walk


def only_loop(kernel: A.Kernel) -> A.ForAll | None:
    """The ForAll that is all of the kernel's body, a label apart."""
    only = kernel.body[0] if len(kernel.body) == 1 else None
    loop = only.body if isinstance(only, A.Labeled) else only
    return loop if isinstance(loop, A.ForAll) else None


def waits_for_none(kernel: A.Kernel) -> bool:
    """Has it no Exclusive, and no parallel loop or one alone, so that no thread waits for the others of the grid?"""
    inside = list(walk(kernel))
    if any(isinstance(n, A.Exclusive) for n in inside):
        return False
    return only_loop(kernel) is not None or not any(isinstance(n, A.ForAll) for n in inside)
