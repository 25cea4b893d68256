"""From where on a hybrid loop pulls: the values of `switch`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

#: What a share is one of.
EDGES, NODES = "edges", "nodes"


@dataclass(frozen=True, slots=True)
class Switch:
    """`edges:1/20` or `nodes:0.02`: the share of the graph's edges or nodes above which a loop pulls. `nodes:P`: the
    share is what the Program's parameter `P` is given, whose name is `param`; otherwise that is empty."""

    of: str
    share: Fraction = Fraction(0)
    param: str = ""

    def __str__(self) -> str:
        return f"{self.of}:{self.param or self.share}"


def switch_in(text: str) -> Switch:
    """The switch that a plan names. Raises ValueError where it is none: no share from 0 to 1, of a million parts."""
    of, _, said = text.partition(":")
    if of not in (EDGES, NODES):
        raise ValueError(text)
    if said.isascii() and said.isidentifier():
        return Switch(of, param=said)
    if not re.fullmatch(r"[0-9]{1,7}(?:/0*[1-9][0-9]{0,6}|\.[0-9]{1,6})?", said):
        raise ValueError(text)
    share = Fraction(said)
    if not 0 <= share <= 1 or share.denominator > 1_000_000:
        raise ValueError(text)
    return Switch(of, share)
