"""The defaults that irgl ships: of programs that are known by their fingerprint, a plan for each class of graphs.

`defaults/TARGET.json` holds them; benchmarks/tune_defaults.py makes it. A program that it does not know runs under the
options' own defaults (irgl/options.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from irgl.plan import Plan

FOLDER = Path(__file__).resolve().parent / "defaults"
#: Of the files' form.
VERSION = 1
#: The entry for graphs of every class.
ALL = "all"
#: How the plan of an entry was found that nobody has looked for yet: it is what the options say by themselves.
BY_THEMSELVES = "not tuned"
BUILT_IN = "built in"
#: Whose file a target reads: the emulator runs what a GPU would.
FILES = {"cpu": "cpu", "cuda": "cuda", "simt": "cuda"}


@dataclass(frozen=True, slots=True)
class Standard:
    """A plan for the graphs of a class, or of all; `how` it was found: measured, or modelled for some GPU."""

    plan: Plan
    of: str
    how: str

    @property
    def source(self) -> str:
        return BUILT_IN if self.how == BY_THEMSELVES else f"default for {self.of} graphs, {self.how}"


def standard(fingerprint: str, target: str, graph_class: str | None) -> Standard:
    """What irgl ships for a program on graphs of a class (None: any graph, or none)."""
    entries = _file(FILES[target])["programs"].get(fingerprint, {}) if target in FILES else {}
    of = graph_class if graph_class is not None and graph_class in entries else ALL
    if of not in entries:
        return Standard(Plan(target=target), ALL, BY_THEMSELVES)
    entry = entries[of]
    return Standard(_parsed(entry["plan"], target), of, entry["how"])


@cache
def _parsed(text: str, target: str) -> Plan:
    return Plan.parse(text, target)


@cache
def _file(name: str) -> dict[str, Any]:
    path = FOLDER / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert found["version"] == VERSION, f"{path} is of another version"
    return found
