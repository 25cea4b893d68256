"""The text of a .gt file, of whose functions one may be meant."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.source import Source


@dataclass(frozen=True, slots=True)
class GraphItSource(Source):
    """A text in GraphIt's notation; `chosen` is the exported function that is meant, '' for main."""

    chosen: str = ""
