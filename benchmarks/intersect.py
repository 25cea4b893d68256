"""How fast triangles are counted by common neighbours under each word of the option intersect, and by programs/tri.

    python benchmarks/intersect.py [--threads 2] [--repeat 5] [GRAPH ...]

A graph is a file; without one those of docs/cpu.md are taken from ../shared/graphs. All take turns on a graph, and the
median is shown, in milliseconds; what took longer than --longest seconds at first is left out of the other turns.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median

from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, run
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.program import open_program

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "graphs"
GRAPHS = ("road/USA-road-d.NY.gr.gz", "social/cnr-2000.txt.xz", "social/soc-Epinions1.txt.xz",
          "social/facebook_combined.txt.gz", "social/web-NotreDame.txt.xz")
WORDS = ("auto", "merge", "gallop", "binary", "hash")
BY_COMMON, TRI = ROOT / "programs" / "more" / "triangles_by_common.irgl", ROOT / "programs" / "tri.irgl"


def measured(path: Path, threads: int, repeat: int, longest: float) -> dict[str, tuple[int, float]]:
    """By what ran, how many triangles it found and its milliseconds, the median of the turns in which it had one."""
    ready = {word: (open_program(BY_COMMON, plan), plan) for word in WORDS
             for plan in (Plan.parse(f"intersect={word}"),)} | {"tri": (open_program(TRI, Plan()), Plan())}
    graph = prepare(load(str(path)), requirements(ready["tri"][0].graphs[0]))
    times: dict[str, list[float]] = {name: [] for name in ready}
    found: dict[str, int] = {}
    for turn in range(repeat):
        for name, (manifest, plan) in ready.items():
            if turn > 0 and times[name][0] > longest * 1e3:
                continue
            graphs = {manifest.graphs[0].name: graph}
            done = run(manifest, graphs, bind(manifest, graphs, {}), plan, Options(threads=threads, repeat=2))
            times[name].append(min(done.kernel_ms))
            found[name] = int(done.result.scalars["triangles"])
    return {name: (found[name], median(some)) for name, some in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="*", type=Path, default=[SHARED / name for name in GRAPHS])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--longest", type=float, default=1.0)
    given = parser.parse_args()
    print("| graph | " + " | ".join(f"`{word}`" for word in WORDS) + " | `tri` |\n|---|" + "---|" * 6)
    for path in given.graphs:
        rows = measured(path, given.threads, given.repeat, given.longest)
        assert len({count for count, _ in rows.values()}) == 1, f"they disagree on {path}: {rows}"
        cells = [path.name.partition(".txt")[0].partition(".gr")[0], *(f"{ms:.3g}" for _, ms in rows.values())]
        print(f"| {' | '.join(cells)} |", flush=True)



if __name__ == "__main__":
    main()
