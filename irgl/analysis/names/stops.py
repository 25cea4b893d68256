"""What a program says where it stops itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgl.ast import nodes as A
from irgl.ast.visit import walk


def stops(program: A.Program, sources: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
    """Every stop(): the file among `sources`, the line and the column where it stands, and its text."""
    for e in walk(program):
        if isinstance(e, A.Call) and e.function == "stop" and e.span is not None:
            (why,) = e.args
            assert isinstance(why, A.StringLit)
            if e.span.source.path in sources:
                yield sources.index(e.span.source.path), e.span.line, e.span.column, why.value
