"""A piece of C++ and how tightly it binds, so that only the parentheses stand that precedence asks for."""

from __future__ import annotations

from typing import NamedTuple

PRIMARY, UNARY, CONDITIONAL = 15, 13, 2


def escaped(text: str) -> str:
    """A text as it stands between the quotes of a string of C++."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


class Code(NamedTuple):
    """C++ text and how tightly its outermost operator binds."""

    text: str
    level: int = PRIMARY

    def at(self, level: int) -> str:
        """The text, in parentheses unless it binds at least as tightly as `level`."""
        return self.text if self.level >= level else f"({self.text})"
