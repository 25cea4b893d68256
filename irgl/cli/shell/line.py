"""A command line that is being typed, in words: quotes and backslashes read as shells read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: Options of `irglc run` whose value may be left out, with what they then have.
_IMPLIED = {"--stats": "totals", "--profile": "table"}


@dataclass(frozen=True, slots=True)
class Word:
    """The word at the cursor. text: what it means. bare: of each character, whether it stands outside of quotes.
    quote: the quote that is still open, '' where none is; opened: how much of the text stands in front of it."""

    text: str
    bare: tuple[bool, ...]
    quote: str
    opened: int

    def cut(self, breaks: str) -> int:
        """How much of the text stands in front of what bash's line editor completes: all up to the open quote, or to
        the last of the characters `breaks`."""
        if self.quote:
            return self.opened
        return max((at + 1 for at, c in enumerate(self.text) if self.bare[at] and c in breaks), default=0)


def words_of(line: str) -> tuple[list[str], Word]:
    """The words of a line that are whole, and the one at its end, which is empty where the line ends with a space."""
    whole: list[str] = []
    text, bare, quote, opened, begun = "", [], "", 0, False
    characters = iter(line)
    for c in characters:
        if c == "\\" and quote != "'":
            escaped = next(characters, "")
            text, begun = text + escaped, True
            bare += [False] * len(escaped)
        elif quote and c == quote:
            quote = ""
        elif not quote and c in "\"'":
            quote, opened, begun = c, len(text), True
        elif not quote and c.isspace():
            if begun:
                whole.append(text)
            text, bare, begun = "", [], False
        else:
            text, begun = text + c, True
            bare.append(not quote)
    return whole, Word(text, tuple(bare), quote, opened)


def with_values(words: Sequence[str]) -> list[str]:
    """The words behind `irglc run`, in which each option has its value."""
    end = words.index("--") if "--" in words else len(words)
    return [*(f"{w}={_IMPLIED[w]}" if w in _IMPLIED else w for w in words[:end]), *words[end:]]
