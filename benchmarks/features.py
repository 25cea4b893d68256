"""Sums of neighbours' rows of features, beside SciPy's product of a sparse matrix and a dense one.

    python benchmarks/features.py --json benchmarks/results/features.json

Each row is a graph and a number of features: `spmm` on 1 and on --threads threads, SciPy's `A @ H` on the one that it
has, and torch's on as many as irgl where that is installed; all on the same arrays, taken in turn, medians of --repeat
after one that isn't counted. `ms` is the program's own time, `call_ms` that of the whole call from Python. off: the
largest difference from SciPy's sum in double precision, over the largest value of its column.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import child
import machine
import numpy as np
import scipy.sparse as sp
from graphs import prepare_graph

import irgl

_ROOT = Path(__file__).resolve().parent.parent
SEED = 11
GRAPHS = ("kron18", "cnr-2000", "NY")
LENGTHS = (16, 64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default=",".join(GRAPHS), help="[%(default)s]")
    parser.add_argument("--lengths", default=",".join(map(str, LENGTHS)), help="features of a node [%(default)s]")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--repeat", type=int, default=5, help="[%(default)s]")
    parser.add_argument("--prepared", type=Path, default=Path(tempfile.gettempdir()) / "irgl-bench-graphs",
                        help="where graphs are kept [%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    rows = []
    for name in given.graphs.split(","):
        prepare_graph(name, given.prepared)
        folder = given.prepared / name
        row, dst = np.load(folder / "row.npy"), np.load(folder / "dst.npy")
        matrix = sp.csr_array((np.ones(len(dst), np.float32), dst, row), shape=(len(row) - 1, len(row) - 1))
        for length in map(int, given.lengths.split(",")):
            rows.append({"graph": name, "features": length, **measured(matrix, length, given.threads, given.repeat)})
            print(shown(rows[-1]), flush=True)
    if given.json is not None:
        child.merge(given.json, "features", {"threads": given.threads, "seed": SEED, "rows": rows,
                                             "commit": machine.commit(_ROOT), "load": os.getloadavg(),
                                             "machine": machine.describe()})


def measured(matrix: sp.csr_array, length: int, threads: int, repeat: int) -> dict[str, Any]:
    """Milliseconds of each, and how far irgl's sums are off."""
    rows = np.random.default_rng(SEED).random((matrix.shape[0], length), np.float32)
    program = irgl.compile(f"spmm:K={length}")
    ours: dict[str, list[float]] = {}

    def run(on: int) -> Callable[[], Any]:
        def call() -> Any:
            found = program(matrix, node_features=rows, threads=on)
            ours.setdefault(f"irgl_{on}_ms", []).append(found.time_ms)
            return found
        return call

    calls = {f"irgl_{on}_call_ms": run(on) for on in sorted({1, threads})}
    calls["scipy_ms"] = lambda: matrix @ rows
    if importlib.util.find_spec("torch") is not None:
        calls["torch_ms"] = _torch(matrix, rows, threads)
    times: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(repeat + 1):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            if turn:
                times[name].append((time.perf_counter() - begin) * 1e3)
    medians = {name: round(statistics.median(v), 2) for name, v in times.items()}
    medians |= {name: round(statistics.median(v[1:]), 2) for name, v in ours.items()}
    exact = matrix.astype(np.float64) @ rows
    off = np.abs(program(matrix, node_features=rows).product_rows - exact).max(axis=0) / np.abs(exact).max(axis=0)
    return {"nodes": matrix.shape[0], "arcs": int(matrix.nnz), **medians, "off": float(off.max())}


def _torch(matrix: sp.csr_array, rows: np.ndarray[Any, Any], threads: int) -> Callable[[], Any]:
    torch: Any = importlib.import_module("torch")
    torch.set_num_threads(threads)
    sparse = torch.sparse_csr_tensor(torch.from_numpy(matrix.indptr.astype(np.int64)),
                                     torch.from_numpy(matrix.indices.astype(np.int64)), torch.from_numpy(matrix.data),
                                     size=matrix.shape)
    dense = torch.from_numpy(rows)
    return lambda: sparse @ dense


def shown(row: dict[str, Any]) -> str:
    """A line: times, and SciPy's over irgl's."""
    ours = sorted((name for name in row if name.startswith("irgl_") and not name.endswith("call_ms")), reverse=True)
    told = ", ".join(f"{name.split('_')[1]} threads {row[name]:.1f} ms ({row['scipy_ms'] / row[name]:.2f})"
                     for name in ours)
    return f"{row['graph']}, {row['features']} features: {told}; SciPy {row['scipy_ms']:.1f} ms; off {row['off']:.1e}"


if __name__ == "__main__":
    main()
