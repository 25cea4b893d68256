"""The styles that a plan makes of one Falcon program, counted in the emulator: a table of docs/counters.md.

By nodes or by edges, driven by the topology or by data, and of those driven by data with rounds that wait for each
other or don't (B. Gogoi, U. Cheramangalath and R. Nasre, Custom code generation for a graph DSL, section 3).
"""

from __future__ import annotations

from functools import cache
from typing import Any

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
_COUNTED = ("launches", "warp_steps", "warp_memory", "utilisation")


def runs(of: dict[str, str]) -> list[tuple[tuple[str, str, str], Counted]]:
    """Each style on each graph, from the node of most edges; all its loops on the host."""
    return [(style, count("sssp_free", f"np=serial outline=off {plan}", name, spec, mode="lockstep",
                          folder=PROGRAMS / "falcon", values={"argv2": _hub(spec)}))
            for name, spec in of.items() for style, plan in STYLES.items()]


@cache
def _hub(spec: str) -> int:
    return int(np.argmax(np.diff(load_of("sssp_free", spec, PROGRAMS / "falcon").row)))


def table(found: list[tuple[tuple[str, str, str], Counted]]) -> tuple[list[list[object]], list[dict[str, Any]]]:
    """The cells of its lines, and the same for the file of results."""
    cells = [[r.graph, *style, r["launches"], r.appends, r.atomics - r.appends, r["warp_steps"],
              f"{r['utilisation']:.3f}"] for style, r in found]
    known = [{"graph": r.graph, "nodes": r.nodes, "edges": r.edges, "plan": r.plan, "seconds": r.seconds,
              "appends": r.appends, "atomics": r.atomics, **{name: r[name] for name in _COUNTED}} for _, r in found]
    return cells, known
