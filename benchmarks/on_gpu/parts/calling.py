"""Programs called from Python beside CuPy: are arrays shared both ways, and are the answers those of the CPU?

    python -m on_gpu.parts.calling --graph rmat:scale=16,degree=8    a line of JSON for each program

Each program is called twice on a matrix of CuPy's that is kept (irgl.as_graph). What goes over to the GPU in the first
call is what CuPy's matrix can't say (whole weights, reverse arcs, in-edges), in the second nothing. Without CuPy
arrays.py stands in for it.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from on_gpu.run import with_rooms
from on_gpu.units import said

_ROOT = Path(__file__).resolve().parents[3]
PART = "calling"
PROGRAMS = ("bfs", "sssp_nf", "pr", "tri", "mst")
GRAPH = "rmat16"


class Traffic:
    """CuPy, whose `asarray` counts the bytes that it brings to the device; without CuPy nothing is."""

    def __init__(self, cupy: Any) -> None:
        self.brought = 0
        if cupy is None:
            return
        inner = cupy.asarray

        def asarray(array: Any, *rest: Any, **more: Any) -> Any:
            self.brought += array.nbytes if isinstance(array, np.ndarray) else 0
            return inner(array, *rest, **more)

        cupy.asarray = asarray


def rows(target: str, spec: str, programs: Sequence[str], cupy: Any) -> Iterator[dict[str, Any]]:
    """What the calls of each program come to; `cupy` None: on NumPy's arrays, to try the rest."""
    import irgl

    matrix = _matrix(spec)
    on_gpu = None if cupy is None else importlib.import_module("cupyx.scipy.sparse").csr_matrix(matrix)
    compiled = {n: irgl.compile(_ROOT / "programs" / f"{n}.irgl", target=target) for n in programs}
    source = int(np.argmax(np.diff(matrix.indptr)))
    given = {n: {p.name: source for p in c.manifest.params if p.type == "node"} for n, c in compiled.items()}
    with ThreadPoolExecutor() as pool:  # nvcc takes its time, for all of them at once
        built = {n: pool.submit(lambda n=n: compiled[n](irgl.as_graph(matrix), **given[n])) for n in programs}
    traffic = Traffic(cupy)
    for name in programs:
        row: dict[str, Any] = {"program": name, "graph": spec, "arrays": _kind(cupy)}
        try:
            built[name].result()
            held = irgl.as_graph(matrix if on_gpu is None else on_gpu)
            before, begin = traffic.brought, time.perf_counter()
            first = compiled[name](held, **given[name])
            row |= {"first_ms": (time.perf_counter() - begin) * 1e3, "first_bytes": traffic.brought - before}
            before, begin = traffic.brought, time.perf_counter()
            second = compiled[name](held, **given[name])
            row |= {"second_ms": (time.perf_counter() - begin) * 1e3, "second_bytes": traffic.brought - before,
                    "unit_bytes": second.counters["transfer_bytes"], "ms": second.time_ms}
            right = irgl.compile(_ROOT / "programs" / f"{name}.irgl", target="cpu")(matrix, **given[name])
            why = wrong(second, right, cupy) or first.wrong() or second.wrong()
            if not why and cupy is not None and row["second_bytes"] != 0:
                why = "the second call brings arrays to the device"
            row |= {"verdict": "wrong", "why": why} if why else {"verdict": "right"}
        except Exception as e:  # of CuPy's, too: the other programs have their turn
            row |= {"verdict": "fails", "why": said(e)}
        yield row


def wrong(found: Any, right: Any, cupy: Any) -> str | None:
    """How an answer differs from the CPU's, or its arrays from what they are to be; None where they do not.

    Whole numbers are compared. Floats are sums in another order, which a program's verifier judges.
    """
    any_valid = found._manifest.any_valid
    for name in right:
        value, wanted = found[name], right[name]
        if name in right.scalars:
            if not any_valid and isinstance(wanted, int) and value != wanted:
                return f"{name} is {value}, on the CPU {wanted}"
            continue
        if cupy is not None and wanted.dtype.names is None:
            if not isinstance(value, cupy.ndarray):
                return f"{name} is no array of CuPy's"
            shared = [value.__cuda_array_interface__["data"][0]]
            if hasattr(cupy, "from_dlpack"):  # the stand-in has none
                shared.append(cupy.from_dlpack(value).data.ptr)
            if any(place != value.data.ptr for place in shared):
                return f"{name} is not shared, but copied"
            value = value.get()
        if value.dtype != wanted.dtype or value.shape != wanted.shape:
            return f"{name} is {value.dtype}{value.shape}, on the CPU {wanted.dtype}{wanted.shape}"
        if not any_valid and wanted.dtype.kind in "biu" and (value != wanted).any():
            return f"{name} differs from the CPU's"
    return None


def _kind(cupy: Any) -> str:
    return "NumPy" if cupy is None else "CuPy" if hasattr(cupy, "__version__") else "stand-in"


def _matrix(spec: str) -> Any:
    """A graph's arcs as a sparse matrix of float32, which is what CuPy's can hold."""
    from scipy.sparse import csr_matrix

    from irgl.rt.graphs.load import load

    graph = load(spec)
    weight = np.ones(graph.num_edges) if graph.weight is None else graph.weight
    index = graph.dst.astype(np.int32), graph.row.astype(np.int32)
    return csr_matrix((weight.astype(np.float32), *index), shape=(graph.num_nodes, graph.num_nodes))


def run(suite: Any) -> None:
    """The part of a session: in a process of its own, which may fail and take its GPU memory with it."""
    programs = suite.programs(PROGRAMS)
    graph = suite.graph(GRAPH, PART)
    if graph is None or not programs:
        return
    command = [sys.executable, "-m", "on_gpu.parts.calling", "--target", suite.target, "--graph", graph["spec"],
               "--programs", ",".join(programs)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                              timeout=max(1.0, suite.left()), env=with_rooms())
        said, code, why = done.stdout, done.returncode, " ".join(done.stderr.split())[-300:]
    except subprocess.TimeoutExpired as e:
        said, code, why = e.stdout.decode() if isinstance(e.stdout, bytes) else "", 0, ""
        suite.record.leave_out(PART, "the rest: the time was over")
    told = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    for row in told:
        suite.record.row(PART, row)
    if code != 0:
        suite.record.row(PART, {"program": programs[min(len(told), len(programs) - 1)], "graph": GRAPH,
                                "verdict": "fails", "why": f"the process ended with code {code}: {why}"})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=("cuda", "simt"), default="cuda", help="[%(default)s]")
    parser.add_argument("--graph", default="rmat:scale=16,degree=8,weights=int,min=1,max=255", help="[%(default)s]")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="[%(default)s]")
    given = parser.parse_args()
    cupy = None
    if given.target == "cuda":
        from irgl.rt.call import on_device
        from on_gpu import arrays

        cupy = on_device.cupy() or arrays.install()
    for row in rows(given.target, given.graph, given.programs.split(","), cupy):
        print(json.dumps(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
