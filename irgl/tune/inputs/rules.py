"""Rules over the figures of a graph: what decides between plans, here and in generated code.

A rule is text, such as `max_degree > 32 * mean_degree and nodes >= 1000`: comparisons joined by `and`. Each side is a
number, a figure, or a number times a figure; `<`, `<=`, `>` and `>=` compare. The rule without a comparison, `always`,
holds for every graph. All figures come from the numbers of nodes and edges and one look at the nodes' out-degrees.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from irgl.codegen.openmp.several import ALWAYS, FIGURES
from irgl.source import IrglError

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}
_COMPARISON = re.compile(r"([^<>=]+?)\s*(<=|>=|<|>)\s*([^<>=]+)")
_TERM = re.compile(r"(?:([0-9.eE+-]+)\s*\*\s*)?([a-z_]+)|([0-9.eE+-]+)")


class Figures(Protocol):
    """Whatever has the figures of a graph; irgl.tune.inputs.features.Features is one."""

    def figure(self, name: str) -> float:
        """The figure of that name, one of FIGURES."""


@dataclass(frozen=True, slots=True)
class Term:
    """`factor` times a figure; by itself where `figure` is ''."""

    factor: float
    figure: str = ""

    def value(self, of: Figures) -> float:
        return self.factor * of.figure(self.figure) if self.figure else self.factor

    def __str__(self) -> str:
        if not self.figure:
            return f"{self.factor:.12g}"
        return self.figure if self.factor == 1 else f"{self.factor:.12g} * {self.figure}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two terms and what is between them."""

    left: Term
    compare: str
    right: Term

    def holds(self, of: Figures) -> bool:
        return _COMPARE[self.compare](self.left.value(of), self.right.value(of))

    def __str__(self) -> str:
        return f"{self.left} {self.compare} {self.right}"


@dataclass(frozen=True, slots=True)
class Rule:
    """It holds where all of its comparisons do."""

    comparisons: tuple[Comparison, ...] = ()

    @staticmethod
    def parse(text: str) -> Rule:
        """The rule of a text. Raises IrglError for anything else."""
        if text.strip() == ALWAYS:
            return Rule()
        return Rule(tuple(_comparison(part.strip(), text) for part in re.split(r"\band\b", text)))

    def holds(self, of: Figures) -> bool:
        return all(c.holds(of) for c in self.comparisons)

    def __str__(self) -> str:
        return " and ".join(map(str, self.comparisons)) if self.comparisons else ALWAYS


def first_that_holds(rules: Mapping[str, Rule], of: Figures) -> str:
    """The name of the first rule that holds. Raises IrglError where none does."""
    for name, rule in rules.items():
        if rule.holds(of):
            return name
    raise IrglError("no rule holds for this graph", hint="let the last one be `always`")


def _comparison(text: str, whole: str) -> Comparison:
    found = _COMPARISON.fullmatch(text)
    if found is None:
        raise IrglError(f"`{text}` is no comparison, in the rule `{whole}`",
                        hint="write `max_degree > 32 * mean_degree and nodes >= 1000`, or `always`")
    return Comparison(_term(found[1].strip(), whole), found[2], _term(found[3].strip(), whole))


def _term(text: str, whole: str) -> Term:
    found = _TERM.fullmatch(text)
    try:
        if found is not None and found[2] in FIGURES:
            return Term(_number(found[1]) if found[1] is not None else 1.0, found[2])
        if found is not None and found[3] is not None:
            return Term(_number(found[3]))
    except ValueError:
        pass
    raise IrglError(f"`{text}` is neither a number nor a figure of a graph, in the rule `{whole}`",
                    hint="figures: " + "; ".join(f"{name} ({what})" for name, what in FIGURES.items()))


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
