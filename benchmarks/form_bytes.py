"""Bytes per arc of real graphs in every form of edges, as they are built: no run, no times.

    python benchmarks/form_bytes.py --json benchmarks/results/form_bytes.json
    python benchmarks/form_bytes.py --graphs cnr-2000,NY                      some of them
    python benchmarks/form_bytes.py --show benchmarks/results/form_bytes.json the table of a result file

Graphs are those of ../shared/graphs with more than 50,000 arcs, as they are loaded, in the given order of the nodes.
What lies beside a form where a program wants it, weights and numbers of edges, is not counted. `list` is the share of
its list from nodes to pieces in what cr2 takes.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import machine

import irgl
from irgl.forms.find import form, names
from irgl.forms.form import Rows
from irgl.rt.forms.figures import defaults
from irgl.rt.forms.native import native
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.source import IrglError

Row = dict[str, Any]
ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "graphs"
LEAST = 50_000
#: What is told of a form besides what it does by itself.
TRIED = {"blocks": ("inside=runs",), "split": ("split=8",), "cr2": ("expand=off",)}
#: Files that hold no graph by themselves, or one that is there twice.
_LEFT_OUT = ("USA-road-d.NY.co.gz", "USA-road-t.NY.gr.xz")
#: Files whose format has to be named.
_NAMED = {"actor-casts.dat.xz": "cliques"}


def files() -> dict[str, Path]:
    """The files of graphs by a short name, those of each folder in the order of the names."""
    found = [p for folder in ("social", "road", "mesh-graph", "matrix") for p in sorted((SHARED / folder).glob("*"))
             if p.name not in _LEFT_OUT]
    return {p.name.removeprefix("USA-road-").removeprefix("d.").split(".")[0]: p for p in found}


def forms() -> list[str]:
    """All forms, each as it is by itself and as TRIED says."""
    return [" ".join((name, *more)) for name in names() for more in ((), *((word,) for word in TRIED.get(name, ())))]


def taken(graph: Graph, said: str) -> int | None:
    """The bytes of a graph's out-edges in a form; None where it does not take them."""
    name, *words = said.split()
    rows, bits = Rows(graph.row, graph.dst), (8 * graph.dst.itemsize, 8 * graph.row.itemsize)
    options = {**defaults(name), **dict(word.split("=") for word in words)}
    try:
        built = form(name).build(rows, options, native(*bits))
    except IrglError:
        return None
    return sum(a.nbytes for a in built.arrays)


def row(name: str, file: Path) -> Row | None:
    """A graph with its bytes; None for one that is too small."""
    graph = load(str(file), format=_NAMED.get(file.name))
    if graph.num_edges <= LEAST:
        return None
    found = {"csr": graph.row.nbytes + graph.dst.nbytes} | {said: taken(graph, said) for said in forms()}
    return {"graph": name, "file": file.name, "nodes": graph.num_nodes, "arcs": graph.num_edges,
            "directed": graph.directed, "bytes": found}


def markdown(result: Row) -> str:
    """The table: bytes per arc, and how large a part of cr2 its list is."""
    columns = list(result["rows"][0]["bytes"])
    lines = [f"| graph | arcs | {' | '.join(f'`{c}`' for c in columns)} | list |", "|---" * (len(columns) + 3) + "|"]
    for r in result["rows"]:
        size = r["bytes"]
        cells = ["-" if size[c] is None else f"{size[c] / r['arcs']:.2f}" for c in columns]
        share = 1 - size["cr2 expand=off"] / size["cr2"]
        lines.append(f"| {r['graph']} | {r['arcs']:,} | {' | '.join(cells)} | {share:.0%} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", help="some of them, by their names")
    parser.add_argument("--json", type=Path, metavar="FILE", help="result file")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the table of a result file; build nothing")
    given = parser.parse_args()
    if given.show is not None:
        print(markdown(json.loads(given.show.read_text(encoding="utf-8"))))
        return
    known = files()
    if not known:
        parser.error("there is no ../shared/graphs beside the repository")
    asked = given.graphs.split(",") if given.graphs else list(known)
    for word in asked:
        if word not in known:
            parser.error(f"no graph is called {word!r}: there are {', '.join(known)}")
    rows = [found for name in asked if (found := row(name, known[name])) is not None]
    result = {"rows": rows, "machine": machine.describe(), "commit": machine.commit(ROOT), "irgl": irgl.__version__,
              "at": time.strftime("%Y-%m-%d")}
    print(markdown(result))
    if given.json is not None:
        given.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
