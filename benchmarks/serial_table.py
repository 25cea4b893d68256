"""The results of serial.py as Markdown tables."""

from __future__ import annotations

import statistics
from typing import Any

Row = dict[str, Any]


def ratio(row: Row, ours: str, theirs: str = "serial") -> float | None:
    """Their time over ours; above 1 ours is faster. None where one has no time."""
    ms = row.get("ms", {})
    return ms[theirs] / ms[ours] if ours in ms and theirs in ms else None


def markdown(found: dict[str, Any]) -> str:
    """A row for each program and graph, and geometric means: of each program over its graphs, then of these."""
    rows = sorted(found["rows"], key=lambda r: (r["program"], r["graph"]))
    m = found["machine"]
    lines = [f"{m['cpu']}, {m['cores']} cores, {m['compiler']}, irgl {found['irgl']} at {found['commit']}, plan "
             f"{found['plan']}.", "",
             "| program | graph | serial, ms | one thread, ms | ratio | two threads, ms | ratio | NetworkX |",
             "|---|---|---:|---:|---:|---:|---:|---:|"]
    for r in rows:
        if "wrong" in r:
            lines.append(f"| {r['program']} | {r['graph']} | {r['wrong']} | | | | | |")
            continue
        ms = r["ms"]
        lines.append(f"| {r['program']} | {r['graph']} | {ms['serial']:.3f} | {ms['irgl1']:.3f} | "
                     f"{ratio(r, 'irgl1'):.2f} | {ms['irgl2']:.3f} | {ratio(r, 'irgl2'):.2f} | "
                     f"{_far(ratio(r, 'irgl1', 'networkx'))} |")
    lines += ["", "NetworkX: its time over that of one thread.", "", "| program | one thread | two threads |",
              "|---|---:|---:|"]
    means = {name: [_mean([ratio(r, ours) for r in rows if r["program"] == name]) for ours in ("irgl1", "irgl2")]
             for name in dict.fromkeys(r["program"] for r in rows)}
    lines += [f"| {name} | {_far(one)} | {_far(two)} |" for name, (one, two) in means.items()]
    lines.append(f"| geometric mean | {_far(_mean([one for one, _ in means.values()]))} | "
                 f"{_far(_mean([two for _, two in means.values()]))} |")
    return "\n".join([*lines, ""])


def _mean(ratios: list[float | None]) -> float | None:
    known = [x for x in ratios if x is not None]
    return statistics.geometric_mean(known) if known else None


def _far(x: float | None) -> str:
    return "" if x is None else f"{x:.2f}" if x < 10 else f"{x:,.0f}"
