"""Why something is not possible at a place, and what would make it so."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.ast import nodes as A


@dataclass(frozen=True, slots=True)
class Refusal:
    """`reason` and `remedy` in the user's words; `node` is what stands in the way."""

    reason: str
    remedy: str
    node: A.Node

    def __str__(self) -> str:
        line = f" (line {self.node.span.line})" if self.node.span is not None else ""
        return f"{self.reason}{line}"
