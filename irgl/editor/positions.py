"""Places as the protocol counts them: lines and UTF-16 units from 0."""

from __future__ import annotations

from irgl.source import Span

#: Line and unit of the first character, and of that behind the last.
Range = tuple[int, int, int, int]


def range_of(span: Span) -> Range:
    """Where a span stands in its text; one that reaches beyond a line ends with it."""
    return (span.line - 1, units(span.source.line(span.line), span.column - 1),
            span.end_line - 1, units(span.source.line(span.end_line), span.end_column - 1))


def units(text: str, characters: int) -> int:
    """How many units the first characters of a line take."""
    return len(text[:max(0, characters)].encode("utf-16-le", errors="surrogatepass")) // 2


def characters(text: str, unit: int) -> int:
    """How many characters of a line stand before a unit."""
    return len(text.encode("utf-16-le", errors="surrogatepass")[: 2 * unit].decode("utf-16-le", errors="ignore"))
