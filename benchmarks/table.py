"""Results as Markdown tables: `python benchmarks/table.py FILE.json` prints ratios, then times.

With `--graph G` it prints those of one graph, as README.md has them.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

Cell = dict[str, Any]
TITLES = {"bfs": "BFS", "sssp": "SSSP", "pr": "PR", "cc": "CC", "tc": "TC", "bc": "BC", "mst": "MST", "mis": "MIS",
          "kcore": "k-core"}
_NAMES = {"gapbs": "GAP suite", "networkit": "NetworKit", "igraph": "igraph", "scipy": "SciPy",
          "graphblas": "GraphBLAS", "rustworkx": "rustworkx"}


def ratio(ours: Cell, theirs: Cell) -> float | None:
    """Their time over ours, over the sources that both ran; above 1 ours is faster. None where one has no time."""
    if "by_source" not in ours or "by_source" not in theirs or theirs.get("disagrees"):
        return None
    both = min(len(ours["by_source"]), len(theirs["by_source"]))
    mine = statistics.fmean(ours["by_source"][:both])
    return float(statistics.fmean(theirs["by_source"][:both]) / mine) if mine > 0 else None


def markdown(found: dict[str, Any]) -> str:
    """Tables of ratios and of milliseconds, and what differs from the plain task."""
    peers = [p for p in _NAMES if any(p in row["cells"] for row in found["rows"])]
    algorithms, graphs = list(TITLES), list(found["graphs"])
    rows = sorted(found["rows"], key=lambda r: (algorithms.index(r["algorithm"]), graphs.index(r["graph"])))
    ratios = [_head(["algorithm", "graph", "irgl, ms", *peers])]
    times = [_head(["algorithm", "graph", "irgl", *peers, "others, cores"])]
    notes: dict[str, set[str]] = {}
    for row in rows:
        cells, names = row["cells"], [TITLES[row["algorithm"]], row["graph"]]
        ours = cells["irgl"]
        ratios.append(_line([*names, _time(ours), *(_ratio(ours, cells.get(p, {})) for p in peers)]))
        times.append(_line([*names, _time(ours), *(_time(cells.get(p, {})) for p in peers),
                            f"{max((c['noise'] for c in cells.values() if 'noise' in c), default=0.0):.2f}"]))
        for p in ("irgl", *peers):
            said = cells.get(p, {}).get("note", "")
            if said:
                of_graph = p == "irgl" or "delta" in said
                notes.setdefault(f"{p}, {TITLES[row['algorithm']]}", set()).add(
                    said + (f" ({row['graph']})" if of_graph else ""))
    listed = "\n".join(f"- {key}: {'; '.join(sorted(said))}." for key, said in notes.items())
    return "\n".join(["Ratios: their time over ours.", "", *ratios, "", "Milliseconds.", "", *times, "", listed, ""])


def of_graph(found: dict[str, Any], graph: str) -> str:
    """A table of irgl's times and the others' ratios on one graph."""
    cells = {row["algorithm"]: row["cells"] for row in found["rows"] if row["graph"] == graph}
    lines = ["| | irgl, ms | " + " | ".join(_NAMES.values()) + " |", "|---|" + "---:|" * (1 + len(_NAMES))]
    lines += [_line([title, _time(cells[a]["irgl"]), *(_ratio(cells[a]["irgl"], cells[a].get(p, {})) for p in _NAMES)])
              for a, title in TITLES.items() if a in cells]
    return "\n".join(lines)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("results", type=Path)
    parser.add_argument("--graph", help="one graph alone")
    given = parser.parse_args()
    found = json.loads(given.results.read_text(encoding="utf-8"))
    if given.graph is not None and given.graph not in found["graphs"]:
        parser.error(f"no graph is called {given.graph}: there are {', '.join(found['graphs'])}")
    print(markdown(found) if given.graph is None else of_graph(found, given.graph))


if __name__ == "__main__":
    main()
