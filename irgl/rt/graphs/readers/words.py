"""Header lines: a few non-negative integers that say how much follows."""

from __future__ import annotations

from irgl.rt.graphs.readers.text import Text, quoted


def counts_line(text: Text, offset: int, shape: str, skip: int = 0) -> list[int]:
    """The non-negative integers of the line at `offset` behind `skip` words; as many as `shape` has words then."""
    if offset >= len(text.data):
        raise text.fail(f"the file ends before its '{shape}' line")
    words = text.line(offset).split()[skip:]
    wanted = shape.split()[skip:]
    if len(words) != len(wanted):
        raise text.fail(f"expected '{shape}', found '{quoted(text.line(offset).strip())[1:-1]}'", offset)
    return [count(text, offset, word, name) for word, name in zip(words, wanted, strict=True)]


def amount(number: int, one: str, many: str | None = None) -> str:
    """'1 entry', '1,234 entries'; `many` is `one` and an s unless it is given."""
    return f"{number:,} {one if number == 1 else many if many is not None else one + 's'}"


def count(text: Text, offset: int, word: bytes, name: str) -> int:
    """`word` as a non-negative integer of at most 18 digits."""
    if not word.isdigit():
        raise text.fail(f"{name}: {quoted(word)} is not a count", offset)
    if len(word) > 18:
        raise text.fail(f"{name}: {quoted(word)} is too large", offset)
    return int(word)
