"""How long graphs take to load and to generate, without and with the cache, and how much memory at most.

    python benchmarks/loading.py --json benchmarks/results/other.json --peer-bin GAPBS

One random graph (rmat, --edges edges) is written as an edge list, as MatrixMarket and as DIMACS .gr; each is loaded in
a process of its own, for a program that wants nothing special of it, and made symmetric where the row says so. C++ that
reads and builds is compiled before. --peer-bin: the folder of the GAP Benchmark Suite's programs, whose `bfs` reads,
generates and builds the same. numpy.loadtxt reads the edge list with --numpy.

Then the time to a first answer: of a whole `irglc run` of a search, from the file to what it prints, where nothing has
been kept (the program and what reads files are compiled, too), where programs are compiled, and where the graph is kept
as well; beside the whole of GAP's.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import child
import machine
import numpy as np
import pyarrow as pa
import pyarrow.csv

from irgl.rt.graphs.generators import generate

_ROOT = Path(__file__).resolve().parent.parent
_LOAD = """
import sys, time
from irgl.rt.graphs.cache import load_prepared
from irgl.rt.graphs.prepare import Requirements
begin = time.perf_counter()
g = load_prepared(sys.argv[1], Requirements(), undirected=sys.argv[2] == "undirected")
seconds = time.perf_counter() - begin
print(seconds, g.num_edges, g.row.nbytes + g.dst.nbytes)
"""
_NUMPY = ("import sys, time; import numpy as np; t = time.perf_counter(); "
          "e = np.loadtxt(sys.argv[1], dtype=np.int64, comments='#'); print(time.perf_counter() - t)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=16_000_000, help="of the files [%(default)s]")
    parser.add_argument("--scale", type=int, default=20, help="of the generated graph, kron [%(default)s]")
    parser.add_argument("--repeat", type=int, default=3, help="[%(default)s]")
    parser.add_argument("--peer-bin", type=Path, metavar="DIR")
    parser.add_argument("--numpy", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        files = _write(Path(folder), given.edges)
        plan = [(name, str(path), ways) for name, path in files.items() for ways in ("directed", "undirected")]
        plan += [(f"{name}, generated", f"{name}:{given.scale}", "directed") for name in ("kron", "uniform")]
        for name, spec, ways in plan:
            row = _measured(spec, ways, Path(folder) / "cache", given.repeat)
            row = {"graph": name if ":" in spec else f"{name}, {ways}", **row}
            if given.peer_bin is not None:
                row["gapbs"] = _peer(given.peer_bin / "bfs", spec, ways, given.repeat)
            if given.numpy and spec.endswith(".el") and ways == "directed":
                row["numpy_s"] = round(float(child.run((sys.executable, "-c", _NUMPY, spec)).stdout), 3)
            rows.append(row)
            print(row, flush=True)
        answers = [_answers(name, path, Path(folder) / "fresh", given) for name, path in files.items()]
    child.merge(given.json, "loading", {"edges": given.edges, "rows": rows, "answers": answers,
                                        "commit": machine.commit(_ROOT), "load": os.getloadavg(),
                                        "machine": machine.describe()})


def _measured(spec: str, ways: str, cache: Path, repeat: int) -> dict[str, Any]:
    """Seconds without and with the cache, the least of several; megabytes at most, of those that the graph takes."""
    command = (sys.executable, "-c", _LOAD, spec, ways)
    child.run(command, IRGL_CACHE_DIR=str(cache))
    cold, warm, peak, words = [], [], [], [""]
    for _ in range(repeat):
        shutil.rmtree(cache / "graphs")
        for times in (cold, warm):
            ended = child.run(command, IRGL_CACHE_DIR=str(cache))
            words = ended.stdout.split()
            times.append(float(words[0]))
            peak.append(ended.peak if times is cold else 0)
    return {"edges": int(words[1]), "cold_s": round(min(cold), 3), "cached_s": round(min(warm), 4),
            "peak_mb": max(peak) // 10**6, "kept_mb": int(words[2]) // 10**6}


def _answers(name: str, path: Path, cache: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Seconds from a file to an answer, the least of several, and GAP's."""
    program = str(_ROOT / "programs" / "bfs.irgl")
    command = (*child.IRGLC, "run", program, "--graph", str(path), "--undirected", "--json")
    seconds: dict[str, list[float]] = {}

    def run(what: str) -> None:
        seconds.setdefault(what, []).append(child.run(command, IRGL_CACHE_DIR=str(cache)).wall)

    for _ in range(given.repeat):
        shutil.rmtree(cache, ignore_errors=True)
        run("nothing_kept_s")
        shutil.rmtree(cache / "graphs")
        run("compiled_s")
        run("graph_kept_s")
        if given.peer_bin is not None:
            theirs = (str(given.peer_bin / "bfs"), "-f", str(path), "-s", "-n", "1")
            seconds.setdefault("gapbs_s", []).append(child.run(theirs).wall)
    row = {"graph": f"{name}, undirected", **{what: round(min(values), 3) for what, values in seconds.items()}}
    print(row, flush=True)
    return row


def _peer(bfs: Path, spec: str, ways: str, repeat: int) -> dict[str, float]:
    """Seconds that GAP's program says it took to read or generate, and to build, and its megabytes at most."""
    kind, _, scale = spec.partition(":")
    graph = (("-g" if kind == "kron" else "-u"), scale) if scale else ("-f", spec)
    symmetric = ("-s",) if ways == "undirected" else ()
    found: dict[str, list[float]] = {}
    for _ in range(repeat):
        ended = child.run((str(bfs), *graph, *symmetric, "-n", "1"))
        for name, seconds in re.findall(r"(Read|Generate|Build) Time:\s*([\d.]+)", ended.stdout):
            found.setdefault(f"{name.lower()}_s", []).append(float(seconds))
        found.setdefault("peak_mb", []).append(ended.peak // 10**6)
    return {name: min(values) for name, values in found.items()}


def _write(folder: Path, edges: int) -> dict[str, Path]:
    """The graph in each format."""
    scale = max(1, (edges // 16).bit_length())
    arcs = generate(f"rmat:{scale},degree={-(-edges >> scale)}")[0]
    src, dst, nodes = arcs.src[:edges] + 1, arcs.dst[:edges] + 1, arcs.num_nodes
    weight = np.random.default_rng(3).integers(1, 256, len(src), dtype=np.int32)
    arc = np.full(len(src), "a")
    return {
        "edge list": _text(folder / "edges.el", "", " ", [src, dst]),
        "MatrixMarket": _text(folder / "edges.mtx", "%%MatrixMarket matrix coordinate integer general\n"
                              f"{nodes} {nodes} {len(src)}\n", " ", [src, dst, weight]),
        "DIMACS .gr": _text(folder / "edges.gr", f"p sp {nodes} {len(src)}\n", " ", [arc, src, dst, weight]),
    }


def _text(path: Path, head: str, delimiter: str, columns: list[Any]) -> Path:
    table = pa.table({str(k): column for k, column in enumerate(columns)})
    options = pyarrow.csv.WriteOptions(include_header=False, delimiter=delimiter, quoting_style="none")
    with path.open("wb") as file:
        file.write(head.encode())
        pyarrow.csv.write_csv(table, file, options)
    return path


if __name__ == "__main__":
    main()
