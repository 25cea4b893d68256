"""Peak memory of `irglc run` from the binary cache, less that of a run on a graph of two nodes, by the graph's size.

    python benchmarks/memory.py --graph kron20 --json benchmarks/results/other.json
    python benchmarks/memory.py --forms --graph cnr-2000 --json benchmarks/results/other.json

The size is that of the graph forms which the program uses: row offsets and targets, weights where it reads them, and
the transpose where it is another array (an undirected graph is its own).

With --forms pr_pull runs over forms of its in-edges, and over rows. Its own three values a node are told apart; the
rest of the peak is told by the form's bytes, which are those that `irglc run --json` tells (of rows: offsets and far
ends). That is less an empty run's, on a graph of two nodes, which loads what generates graphs; and less that of a run
on the smallest graph that comes from the cache, which loads as little as those that are measured. `least` is the
smallest limit on its addresses (`ulimit -v`, in steps of 4 MiB) under which a plan runs; what rows say under the least
that a form needs is told, too.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import child
import machine
import numpy as np
from formats import ALL
from graphs import SPECS, facts_of, prepare_graph

_ROOT = Path(__file__).resolve().parent.parent
#: program, words for its command line, does it read weights
_RUNS: tuple[tuple[str, list[str], bool], ...] = (
    ("bfs", [], False),
    ("bfs_do", [], False),
    ("pr_pull", ["--epsilon", "0", "--max-iterations", "20"], False),
    ("cc", [], False),
    ("cc_afforest", [], False),
    ("sssp_delta", [], True),
    ("mst", [], True),
)
_PLANS = ("format=delta", "format=blocks", "format=csr")
#: The graphs of empty runs: one that is generated, and one that comes from the cache.
_EMPTY = ("path:nodes=2", "path:nodes=10002")
#: Least limits are told in such steps, and lie below the second number.
_STEP, _MOST = 4 << 20, 4 << 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="kron20", choices=sorted(ALL), help="[%(default)s]")
    parser.add_argument("--forms", action="store_true", help="over forms of edges; cnr-2000 and NotreDame, too")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "irgl-bench-graphs")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    if given.forms:
        over_forms(given)
        return
    if given.graph not in SPECS:
        parser.error(f"{given.graph} is measured with --forms")
    folder = prepare_graph(given.graph, given.store)
    facts = facts_of(folder)
    rows = []
    for program, words, weighted in _RUNS:
        base = _peak(program, _EMPTY[0], [], given.threads)
        file = ["--undirected"]
        if facts.sources and program in ("bfs", "bfs_do", "sssp_delta"):
            file += ["--src", str(facts.sources[0])]
        peak = _peak(program, str(folder / "graph.npz"), [*file, *words], given.threads)
        size = 4 * (facts.nodes + 1) + 4 * facts.arcs * (2 if weighted else 1)
        rows.append({"program": program, "empty_mib": base >> 20, "peak_mib": peak >> 20, "graph_mib": size >> 20,
                     "ratio": round((peak - base) / size, 2)})
        print(f"{program:12} empty {base >> 20} MiB, peak {peak >> 20} MiB, graph {size >> 20} MiB: "
              f"{rows[-1]['ratio']} of the graph")
    child.merge(given.json, f"memory {given.graph}", {"rows": rows, "commit": machine.commit(_ROOT),
                                                      "load": os.getloadavg()})


def over_forms(given: argparse.Namespace) -> None:
    rows = [_over(plan, given) for plan in _PLANS]
    for row in rows:
        print(f"{given.graph} {row['plan']:13} empty {' or '.join(map(_mib, row['empty']))}, peak {_mib(row['peak'])}, "
              f"values {_mib(row['values'])}, form {_mib(row['form'])}: {' or '.join(map(str, row['ratio']))} of the "
              f"form; least {_mib(row['least'])}")
    words = refusal(_command("format=csr", ALL[given.graph], given.threads), rows[0]["least"] + _STEP)
    print(f"{given.graph} format=csr with {_mib(rows[0]['least'] + _STEP)}: {words or 'it runs'}")
    child.merge(given.json, f"memory of forms {given.graph}", {
        "rows": rows, "csr under the least": words, "commit": machine.commit(_ROOT), "load": os.getloadavg()})


def _over(plan: str, given: argparse.Namespace) -> dict[str, Any]:
    """What a run under a plan has in memory, in bytes."""
    command = _command(plan, ALL[given.graph], given.threads)
    child.run(command)  # which fills the caches
    ended = [child.run(command) for _ in range(3)]
    told = json.loads(ended[0].stdout)
    nodes, arcs = told["graph"]["nodes"], told["graph"]["edges"]
    empty, peak = [_peak_of(_command(plan, g, given.threads)) for g in _EMPTY], min(e.peak for e in ended)
    values = sum(nodes * np.dtype(v["dtype"]).itemsize for v in told["result"].values() if isinstance(v, dict))
    form = sum(f["bytes"] for f in told.get("forms", [])) or 4 * (nodes + 1 + arcs)
    return {"plan": plan, "nodes": nodes, "arcs": arcs, "empty": empty, "peak": peak, "values": values, "form": form,
            "ratio": [round((peak - e - values) / form, 2) for e in empty], "least": least(command)}


def least(command: tuple[str, ...]) -> int:
    """The smallest limit under which a command runs, to a step."""
    low, high = 0, _MOST
    while high - low > _STEP:
        middle = (low + high) // 2
        low, high = (low, middle) if refusal(command, middle) is None else (middle, high)
    return high


def refusal(command: tuple[str, ...], most: int) -> str | None:
    """What a command says that doesn't run under a limit; None: it runs."""
    try:
        child.run(command, most)
    except RuntimeError as e:
        return str(e).partition("exit status ")[2]
    return None


def _mib(count: int) -> str:
    return f"{count / 2**20:.1f} MiB"


def _command(plan: str, graph: str, threads: int) -> tuple[str, ...]:
    return (*child.IRGLC, "run", str(_ROOT / "programs" / "pr_pull.irgl"), "--graph", graph, "--threads", str(threads),
            "--plan", plan, "--json")


def _peak(program: str, graph: str, words: list[str], threads: int) -> int:
    return _peak_of((*child.IRGLC, "run", str(_ROOT / "programs" / f"{program}.irgl"), "--graph", graph,
                     "--threads", str(threads), "--json", *words))


def _peak_of(command: tuple[str, ...]) -> int:
    # Once to fill the caches of graph and program, then what counts.
    child.run(command)
    return min(child.run(command).peak for _ in range(2))


if __name__ == "__main__":
    main()
