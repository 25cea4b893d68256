"""How deep a program may be nested, whichever notation it is in."""

from __future__ import annotations

from irgl.source import IrglError, Span

#: How deep statements and expressions may stand in one another. What reads trees by recursion relies on it.
MAX_DEPTH = 150


def too_deep(span: Span | None = None, *, file: str | None = None) -> IrglError:
    """The mistake of a text that is nested more deeply than that."""
    return IrglError("nested too deeply", span, "split it with variables or functions", file=file)


def check_depth(span: Span | None, depth: int) -> None:
    """Raises IrglError where what stands at `span` is too deep in the tree."""
    if depth > MAX_DEPTH:
        raise too_deep(span)
