"""The examples of docs/language.md."""

from __future__ import annotations

import re

from support.places import ROOT
from support.running import Example

DOC = ROOT / "docs" / "language.md"
_FENCE = re.compile(r"^```irgl (check|run=(\S+) result=(\S+))\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _examples() -> list[Example]:
    found = []
    for match in _FENCE.finditer(DOC.read_text()):
        line = DOC.read_text()[: match.start()].count("\n") + 1
        pairs = (p.split("=") for p in match[3].split(",")) if match[3] else ()
        found.append(Example(f"line_{line}", match[2] or "", {k: float(v) for k, v in pairs}, match[4]))
    return found


EXAMPLES = _examples()
RUNNING = [e for e in EXAMPLES if e.graph]
