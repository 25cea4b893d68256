"""From where on a hybrid loop pulls: the values of `switch`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

#: What a share is one of; and the rule of Beamer, Asanovic and Patterson (SC 2012), of two numbers.
EDGES, NODES = "edges", "nodes"
BEAMER = "beamer"


@dataclass(frozen=True, slots=True)
class Switch:
    """`edges:1/20` or `nodes:0.02`: the share of the graph's edges or nodes above which a loop pulls. `nodes:P`: the
    share is what the Program's parameter `P` is given, whose name is `param`; otherwise that is empty. `beamer:A:B`: it
    pulls from more than an Ath of the edges that no round had before on, and pushes again from a Bth of the nodes
    down."""

    of: str
    share: Fraction = Fraction(0)
    param: str = ""
    numbers: tuple[int, int] = (1, 1)

    def __str__(self) -> str:
        if self.of == BEAMER:
            return f"{BEAMER}:{self.numbers[0]}:{self.numbers[1]}"
        return f"{self.of}:{self.param or self.share}"


def switch_in(text: str) -> Switch:
    """The switch that a plan names. Raises ValueError where it is none: no share from 0 to 1, of a million parts, and
    no two whole numbers from 1 to 999999 behind `beamer`."""
    of, _, said = text.partition(":")
    if of == BEAMER and (found := re.fullmatch(r"([1-9][0-9]{0,5}):([1-9][0-9]{0,5})", said, re.ASCII)):
        return Switch(of, numbers=(int(found[1]), int(found[2])))
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
