"""A piece of C++ and how tightly it binds, so that only the parentheses stand that precedence asks for."""

from __future__ import annotations

from typing import NamedTuple

PRIMARY, UNARY, CONDITIONAL = 15, 13, 2
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}


def escaped(text: str) -> str:
    """A text as it stands between the quotes of a string of C++; a path may have bytes that are no text."""
    return "".join(_ESCAPES.get(c) or (f"\\{ord(c) & 0xff:03o}" if c < " " or "\udc80" <= c <= "\udcff" else c)
                   for c in text)


class Code(NamedTuple):
    """C++ text and how tightly its outermost operator binds."""

    text: str
    level: int = PRIMARY

    def at(self, level: int) -> str:
        """The text, in parentheses unless it binds at least as tightly as `level`."""
        return self.text if self.level >= level else f"({self.text})"
