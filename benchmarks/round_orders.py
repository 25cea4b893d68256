"""How many edges rounds of sssp_bf look at, in sequence, by the order of their nodes: the second table of `drive` in
docs/cpu.md.

    python benchmarks/round_orders.py GRAPH      from the first node; weights are whole numbers
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from irgl.rt.compile.toolchain import compiler
from irgl.rt.graphs.load import load

HERE = Path(__file__).resolve().parent
ORDERS = ("all nodes, with their newest values", "all nodes, with the values of the round before",
          "a list, with the values of the round before", "by node, who comes nearer ahead in the same round",
          "a list, as pushed", "a list, by node", "a list, by distance")


def main(spec: str) -> None:
    graph = load(spec)
    assert graph.weight is not None, "the graph has no weights"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, values in (("row", graph.row), ("dst", graph.dst), ("weight", graph.weight)):
            np.asarray(values).astype(np.int32).tofile(folder / file)
        subprocess.run([*compiler(), "-std=c++20", "-O2", "-o", folder / "search", HERE / "round_orders.cpp"],
                       check=True)
        done = subprocess.run([folder / "search", *(folder / f for f in ("row", "dst", "weight"))], check=True,
                              capture_output=True, text=True)
    print("| nodes of a round | rounds | nodes | edges |\n|---|---:|---:|---:|")
    for order, line in zip(ORDERS, done.stdout.splitlines(), strict=True):
        print(f"| {order} | " + " | ".join(f"{int(x):,}" for x in line.split()) + " |")


if __name__ == "__main__":
    main(sys.argv[1])
