"""What segments of coo save: misses of a small cache when a round of PageRank reads its values, and times of rounds.

    python benchmarks/segments.py --json benchmarks/results/segments.json
    python benchmarks/segments.py --graphs rmat18 --no-times              misses alone
    python benchmarks/segments.py --show benchmarks/results/segments.json the tables of a result file

The cache holds 256 kB in lines of 64 bytes, the least recently used of which makes room. What goes through it is what a
round of pr_pull wants of edges' ends, in the order in which a form has the edges: 4 bytes of each far end, and, on a
CPU, the 8 of the near end's sum. The edges themselves come in order once a round, and miss in any form as often as they
have lines. `auto` is what segments=auto says for such a cache. A GPU is one whose blocks of 256 threads have all nodes
at once, each a part: they take a segment together, and keep sums in shared memory.
Times are those of the machine, two threads: a round of pr_pull, and what building the form takes beside that.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import machine
import numpy as np
from serial import _load, _save
from serial_loops import ROOT

import irgl
from irgl.forms import coo
from irgl.forms.form import Rows
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, run
from irgl.rt.forms.native import native
from irgl.rt.forms.placed import rows_of
from irgl.rt.graphs.cache import load_prepared
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.manifests.program import open_program

Row = dict[str, Any]
Array = np.ndarray[Any, Any]
PROGRAM = ROOT / "programs" / "pr_pull.irgl"
SOCIAL = ROOT.parent / "shared" / "graphs" / "social"
GRAPHS = {"rmat18": "rmat:18", "NotreDame": str(SOCIAL / "web-NotreDame.txt.xz"),
          "cnr-2000": str(SOCIAL / "cnr-2000.txt.xz")}
#: The cache, what is read of a far end, what is kept for a near one, threads of a block.
CACHE, LINE, VALUE, SUM, BLOCK = 1 << 18, 64, 4, 8, 256
AUTO = f"{CACHE // 2 // VALUE}n"
#: The rounds of a run.
ROUNDS = 20
#: The forms whose rounds are timed beside coo's.
BESIDE = ("format=csr", "format=blocks")


def misses(addresses: Array, lines: int) -> int:
    """How often lines are read that a cache of so many doesn't hold, which forgets the least recently used."""
    held: dict[int, None] = {}
    count = 0
    for line in addresses[np.append(True, addresses[1:] != addresses[:-1])].tolist() if len(addresses) else ():
        if line in held:
            del held[line]
        else:
            count += 1
            if len(held) == lines:
                del held[next(iter(held))]
        held[line] = None
    return count


def on_cpu(rows: Rows, segments: str) -> Array:
    """The lines that a thread reads which runs all parts one after the other."""
    near, far = coo.build(rows, {"segments": segments}, _native(rows)).arrays[2:]
    sums = np.int64(rows.n * VALUE // LINE + 1) + near.astype(np.int64) * SUM // LINE
    return np.stack([far.astype(np.int64) * VALUE // LINE, sums], axis=1).ravel()


def on_gpu(rows: Rows, segments: str) -> Array:
    """The lines that blocks read which run all parts at once, segment by segment."""
    built = coo.build(rows._replace(part=BLOCK), {"segments": segments}, _native(rows))
    parts, count = built.numbers
    begin, far = built.arrays[1], built.arrays[3]
    part_by_part = np.arange(parts * count).reshape(parts, count)
    size = np.diff(begin)
    order = np.repeat(part_by_part.T.ravel(), size[part_by_part.T.ravel()])  # of each edge, where it stands
    within = np.arange(rows.m) - np.repeat(np.cumsum(size[part_by_part.T.ravel()]) - size[part_by_part.T.ravel()],
                                           size[part_by_part.T.ravel()])
    return far[begin[order] + within].astype(np.int64) * VALUE // LINE


def _native(rows: Rows) -> Any:
    return native(8 * rows.cols.itemsize, 8 * rows.row.itemsize)


class Rounds:
    """pr_pull on a graph."""

    def __init__(self, spec: str, threads: int) -> None:
        self.graph: Graph = load_prepared(spec, requirements(open_program(PROGRAM, Plan()).graphs[0]))
        self.options = Options(threads=threads)

    def ms(self, text: str) -> float:
        """Of a round under a plan, in one run."""
        plan = Plan.parse(text)
        manifest = open_program(PROGRAM, plan)
        graphs = {manifest.graphs[0].name: self.graph}
        values = bind(manifest, graphs, {"max_iterations": ROUNDS, "epsilon": 0.0})
        return float(run(manifest, graphs, values, plan, self.options).kernel_ms[0]) / ROUNDS

    def build_ms(self, said: str, repeat: int) -> float:
        """The median of building the form anew, as the program wants it: nobody asks which edge stands where."""
        rows, taken = rows_of(self.graph, "in", numbered=False), []
        for _ in range(repeat):
            begin = time.perf_counter()
            coo.build(rows, {"segments": said}, _native(rows))
            taken.append((time.perf_counter() - begin) * 1e3)
        return round(statistics.median(taken), 2)


def row(name: str, given: argparse.Namespace) -> Row:
    rounds, watch = Rounds(GRAPHS[name], given.threads), machine.Watch([])
    rows, lines = rows_of(rounds.graph, "in"), CACHE // LINE
    found: Row = {"graph": name, "nodes": rows.n, "arcs": rows.m, "threads": given.threads, "misses": {
        said: {"cpu": misses(on_cpu(rows, said), lines), "gpu": misses(on_gpu(rows, said), lines)}
        for said in ("off", AUTO)}}
    if not given.no_times:
        plans = [*BESIDE, "format=coo", *(f"format=coo segments={said}" for said in given.segments.split(","))]
        taken: dict[str, list[float]] = {text: [] for text in plans}
        for text in plans:
            rounds.ms(text)  # builds it
        for _ in range(given.repeat):
            for text in plans:
                taken[text].append(rounds.ms(text))
        found["ms"] = {text: round(statistics.median(some), 3) for text, some in taken.items()}
        found["build_ms"] = {said: rounds.build_ms(said, given.repeat) for said in ("off", AUTO)}
    return found | {"others": watch.others()}


def markdown(found: dict[str, Any]) -> str:
    """A table of misses, and one of times."""
    lines = ["| graph | arcs | misses, CPU | with segments | | misses, GPU | with segments | |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for r in found["rows"]:
        both = [(r["misses"]["off"][where], r["misses"][AUTO][where]) for where in ("cpu", "gpu")]
        lines.append(f"| {r['graph']} | {r['arcs']:,} | "
                     + " | ".join(f"{off:,} | {cut:,} | {cut / max(1, off):.2f}" for off, cut in both) + " |")
    for r in (r for r in found["rows"] if "ms" in r):
        lines += ["", f"{r['graph']}, {r['threads']} threads, others {r['others']:.2f} cores:", "",
                  "| plan | ms a round |", "|---|---:|", *(f"| {text} | {ms:,.2f} |" for text, ms in r["ms"].items()),
                  "", f"Built in {r['build_ms']['off']:,.1f} ms without segments, {r['build_ms'][AUTO]:,.1f} with "
                      f"{AUTO}: {r['build_ms'][AUTO] / r['ms'][f'format=coo segments={AUTO}']:.1f} rounds."]
    return "\n".join(lines)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default=",".join(GRAPHS), help="[%(default)s]")
    parser.add_argument("--segments", default=f"{AUTO},131072n,auto", help="those that are timed [%(default)s]")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--repeat", type=int, default=7, help="runs of a plan [%(default)s]")
    parser.add_argument("--no-times", action="store_true", help="misses alone")
    parser.add_argument("--json", type=Path, metavar="FILE", help="result file; rows that it holds are replaced")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the tables of a result file; measure nothing")
    return parser.parse_args()


def main() -> int:
    given = options()
    if given.show is not None:
        print(markdown(json.loads(given.show.read_text(encoding="utf-8"))))
        return 0
    found = _load(given.json)
    found |= {"machine": machine.describe(), "commit": machine.commit(ROOT), "irgl": irgl.__version__}
    for name in given.graphs.split(","):
        if ":" not in GRAPHS[name] and not Path(GRAPHS[name]).exists():
            print(f"left out: {name}", file=sys.stderr)
            continue
        made = row(name, given)
        found["rows"] = [r for r in found["rows"] if r["graph"] != name] + [made]
        print(f"{name:10} done", file=sys.stderr, flush=True)
        _save(given.json, found)
    print(markdown(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
