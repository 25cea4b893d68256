"""Results as Markdown tables, ratios first, then times; `python benchmarks/table.py FILE.json` prints those of FILE."""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

Cell = dict[str, Any]
_ORDER = ("gapbs", "networkit", "igraph", "scipy", "graphblas", "rustworkx")
_TITLES = {"bfs": "BFS", "sssp": "SSSP", "pr": "PR", "cc": "CC", "tc": "TC", "bc": "BC", "mst": "MST", "mis": "MIS",
           "kcore": "k-core"}


def ratio(ours: Cell, theirs: Cell) -> float | None:
    """Their time over ours, over the sources that both ran; above 1 ours is faster. None where one has no time."""
    if "by_source" not in ours or "by_source" not in theirs or theirs.get("disagrees"):
        return None
    both = min(len(ours["by_source"]), len(theirs["by_source"]))
    mine = statistics.fmean(ours["by_source"][:both])
    return float(statistics.fmean(theirs["by_source"][:both]) / mine) if mine > 0 else None


def markdown(found: dict[str, Any]) -> str:
    """Tables of ratios and of milliseconds, and what differs from the plain task."""
    peers = [p for p in _ORDER if any(p in row["cells"] for row in found["rows"])]
    algorithms, graphs = list(_TITLES), list(found["graphs"])
    rows = sorted(found["rows"], key=lambda r: (algorithms.index(r["algorithm"]), graphs.index(r["graph"])))
    ratios = [_head(["algorithm", "graph", "irgl, ms", *peers])]
    times = [_head(["algorithm", "graph", "irgl", *peers, "others, cores"])]
    notes: dict[str, set[str]] = {}
    for row in rows:
        cells, names = row["cells"], [_TITLES[row["algorithm"]], row["graph"]]
        ours = cells["irgl"]
        ratios.append(_line([*names, _time(ours), *(_ratio(ours, cells.get(p, {})) for p in peers)]))
        times.append(_line([*names, _time(ours), *(_time(cells.get(p, {})) for p in peers),
                            f"{max((c['noise'] for c in cells.values() if 'noise' in c), default=0.0):.2f}"]))
        for p in peers:
            if cells.get(p, {}).get("note"):
                notes.setdefault(f"{p}, {_TITLES[row['algorithm']]}", set()).add(
                    cells[p]["note"] + (f" ({row['graph']})" if "delta" in cells[p]["note"] else ""))
    listed = "\n".join(f"- {key}: {'; '.join(sorted(said))}." for key, said in notes.items())
    return "\n".join(["Ratios: their time over ours.", "", *ratios, "", "Milliseconds.", "", *times, "", listed, ""])


def _head(titles: list[str]) -> str:
    return _line(titles) + "\n" + _line(["---", "---", *["---:"] * (len(titles) - 2)])


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _time(cell: Cell) -> str:
    if "ms" in cell:
        ms = cell["ms"]
        text = f"{ms:.2f}" if ms < 10 else f"{ms:.1f}" if ms < 100 else f"{ms:,.0f}"
        return text + (" (wrong)" if cell.get("disagrees") else "")
    if "error" in cell:
        return cell["error"] if cell["error"].startswith(">") else "fails"
    return ""


def _ratio(ours: Cell, theirs: Cell) -> str:
    found = ratio(ours, theirs)
    if found is None:
        return _time(theirs) if theirs.get("disagrees") or "error" in theirs else ""
    text = f"{found:.2f}" if found < 10 else f"{found:,.0f}"
    return f"**{text}**" if found < 1 else text


if __name__ == "__main__":
    print(markdown(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
