"""How long ten million edges take to load from text, without and with the cache.

    python benchmarks/loading.py --json benchmarks/results/other.json

One random directed graph is written as an edge list, as MatrixMarket and as DIMACS .gr; each is loaded in a process of
its own, for a program that wants nothing special of it. numpy.loadtxt reads the edge list for comparison.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import child
import machine
import numpy as np
import pyarrow as pa
import pyarrow.csv

_ROOT = Path(__file__).resolve().parent.parent
_LOAD = ("import sys, time; from irgl.rt.graphs.cache import load_prepared; "
         "from irgl.rt.graphs.prepare import Requirements; "
         "t = time.perf_counter(); g = load_prepared(sys.argv[1], Requirements()); "
         "print(time.perf_counter() - t, g.num_edges)")
_NUMPY = ("import sys, time; import numpy as np; t = time.perf_counter(); "
          "e = np.loadtxt(sys.argv[1], dtype=np.int64, comments='#'); print(time.perf_counter() - t, len(e))")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=10_000_000, help="[%(default)s]")
    parser.add_argument("--repeat", type=int, default=3, help="[%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path in _write(Path(folder), given.edges).items():
            cold, warm = [], []
            for _ in range(given.repeat):
                with tempfile.TemporaryDirectory() as cache:
                    cold.append(_seconds(_LOAD, path, given.edges, cache))
                    warm.append(_seconds(_LOAD, path, given.edges, cache))
            rows.append({"format": name, "mb": path.stat().st_size // 10**6, "text_s": round(min(cold), 3),
                         "cached_s": round(min(warm), 3)})
            if name == "edge list":
                rows[-1]["numpy_s"] = round(_seconds(_NUMPY, path, given.edges, folder), 3)
            print(rows[-1])
    child.merge(given.json, "loading", {"edges": given.edges, "rows": rows, "commit": machine.commit(_ROOT),
                                        "load": os.getloadavg()})


def _seconds(script: str, path: Path, edges: int, cache: str) -> float:
    words = child.run((sys.executable, "-c", script, str(path)), IRGL_CACHE_DIR=cache).stdout.split()
    if int(words[1]) != edges:
        raise AssertionError(f"{path.name}: {words[1]} edges were read, {edges} written")
    return float(words[0])


def _write(folder: Path, edges: int) -> dict[str, Path]:
    random = np.random.default_rng(3)
    nodes = edges // 10
    ends = [random.integers(1, nodes + 1, edges, dtype=np.int32) for _ in range(2)]
    weight = random.integers(1, 256, edges, dtype=np.int32)
    arc = np.full(edges, "a")
    return {
        "edge list": _text(folder / "edges.txt", f"# {nodes} nodes\n", "\t", ends),
        "MatrixMarket": _text(folder / "edges.mtx", "%%MatrixMarket matrix coordinate integer general\n"
                              f"{nodes} {nodes} {edges}\n", " ", [*ends, weight]),
        "DIMACS .gr": _text(folder / "edges.gr", f"p sp {nodes} {edges}\n", " ", [arc, *ends, weight]),
    }


def _text(path: Path, head: str, delimiter: str, columns: list[np.ndarray]) -> Path:
    table = pa.table({str(k): column for k, column in enumerate(columns)})
    options = pyarrow.csv.WriteOptions(include_header=False, delimiter=delimiter, quoting_style="none")
    with path.open("wb") as file:
        file.write(head.encode())
        pyarrow.csv.write_csv(table, file, options)
    return path


if __name__ == "__main__":
    main()
