"""The styles that a plan makes of one Falcon program, counted in the emulator: a table of docs/counters.md.

By nodes or by edges, driven by the topology or by data, and of those driven by data with rounds that wait for each
other or don't (B. Gogoi, U. Cheramangalath and R. Nasre, Custom code generation for a graph DSL, section 3).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from counting import PROGRAMS, Counted, count, load_of

#: By basis, drive and sync, the plan.
STYLES = {
    ("vertex", "topology", "on"): "basis=vertex drive=topology",
    ("vertex", "data", "on"): "basis=vertex drive=data",
    ("vertex", "data", "off"): "basis=vertex drive=data offer.loop1.sync=off",
    ("edge", "topology", "on"): "basis=edge drive=topology",
    ("edge", "data", "on"): "basis=edge drive=data",
}


def runs(of: dict[str, str]) -> list[tuple[tuple[str, str, str], Counted]]:
    """Each style on each graph, from the node of most edges; all its loops on the host."""
    return [(style, count("sssp_free", f"np=serial outline=off {plan}", name, spec, mode="lockstep",
                          folder=PROGRAMS / "falcon", values={"argv2": _hub(spec)}))
            for name, spec in of.items() for style, plan in STYLES.items()]


@cache
def _hub(spec: str) -> int:
    return int(np.argmax(np.diff(load_of("sssp_free", spec, PROGRAMS / "falcon").row)))
