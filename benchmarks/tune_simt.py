"""Plans for a GPU that isn't there: sampled plans of a program, emulated on small graphs, ranked by the cost model.

    python benchmarks/tune_simt.py programs/bfs.irgl --gpu h200 --sampled 30

For each class of graphs a plan runs on a graph of 2^12 nodes and on one of 2^14, from the node of most edges. What the
emulator counts is carried on to 2^20 nodes by the power that the two tell (irgl.tune.measure.gpu_model.grown), and the
model makes a time of it. None of these times was measured; docs/tuning.md says what they leave out.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from tune_inputs import sources

from irgl.driver import ready
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.manifest import GraphParam
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError
from irgl.tune.measure import gpu as gpus
from irgl.tune.measure.gpu_model import Counters, explain, grown
from irgl.tune.search.space import space_of

#: Powers of two. With 2^10 nodes one block takes every round (cuda_rt/few.cuh), which says nothing of a large graph's.
SMALL, LARGE, MEANT = 12, 14, 20
CLASSES = ("skewed", "road", "mesh", "random")
LIMIT = 300.0


@dataclass(frozen=True)
class Modelled:
    """A plan, its modelled time on each class of graphs, and which part of the model takes most of it there.

    error: why it has no time, '' where it has.
    """

    plan: Plan
    ms: dict[str, float]
    bound: dict[str, str]
    error: str = ""


def modelled(program: Path, plans: Sequence[Plan], gpu: gpus.Gpu, *, classes: Sequence[str] = CLASSES,
             note: Callable[[Modelled], None] = lambda _: None, as_is: bool = False) -> list[Modelled]:
    """The plans with their modelled times, in the order in which they are given. Each graph is made once.

    as_is: the times on the larger graph itself, not carried on.
    """
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        specs = {c: (spec(c, SMALL, Path(scratch)), spec(c, LARGE, Path(scratch))) for c in classes}

        def one(plan: Plan) -> Modelled:
            found = _modelled(program, plan, gpu, specs, as_is)
            note(found)
            return found

        return list(pool.map(one, plans))


def _modelled(program: Path, plan: Plan, gpu: gpus.Gpu, specs: dict[str, tuple[str, str]], as_is: bool) -> Modelled:
    ms, bound = {}, {}
    for name, (small, large) in specs.items():
        try:
            counters = counted(program, plan, large)
            if not as_is:
                few = counted(program, plan, small)
                counters = grown(few, counters, 2.0 ** (LARGE - SMALL), 2.0 ** (MEANT - LARGE))
        except IrglError as e:
            return Modelled(plan, {}, {}, f"{name}: {e.message}")
        told = explain(counters, gpu)
        ms[name], bound[name] = told.ms, told.bound
    return Modelled(plan, ms, bound)


def counted(program: Path, plan: Plan, graph: str) -> Counters:
    """What one run in lockstep counts. Raises IrglError for what can't run."""
    manifest = open_program(program, plan)
    if manifest.mesh or len(manifest.graphs) != 1:
        raise IrglError("it takes something else than one graph")
    given = _graph(graph, manifest.graphs[0])
    graphs = {manifest.graphs[0].name: given}
    values = bind(manifest, graphs, sources(manifest, given))
    ran = device.run(manifest, graphs, values, plan, Options(time_limit=LIMIT), mode="lockstep")
    return Counters.of(ran.stats)


@cache
def _graph(graph: str, wanted: GraphParam) -> Graph:
    return load(graph, wanted, Loading())


def spec(name: str, scale: int, folder: Path) -> str:
    """A graph of 2^scale nodes of a class (irgl.tune.inputs.features.CLASSES)."""
    generator = {"skewed": "rmat", "mesh": "delaunay", "random": "uniform"}.get(name)
    return f"{generator}:{scale},weights=int" if generator is not None else str(_road(scale, folder))


def _road(scale: int, folder: Path) -> Path:
    """A grid without three edges in ten, as a file: few arcs at a node, long ways around what is missing."""
    rng, width, height = np.random.default_rng(scale), 1 << (scale - scale // 2), 1 << (scale // 2)
    ids = np.arange(width * height).reshape(height, width)
    ends = np.concatenate([np.stack([ids[:, :-1].ravel(), ids[:, 1:].ravel()], 1),
                           np.stack([ids[:-1].ravel(), ids[1:].ravel()], 1)])
    ends = ends[rng.random(len(ends)) < 0.7]
    weights = rng.integers(1, 256, len(ends))
    path = folder / f"road{scale}.wel"
    path.write_text("".join(f"{a} {b} {w}\n{b} {a} {w}\n" for (a, b), w in zip(ends, weights, strict=True)),
                    encoding="utf-8")
    return path


def mean_ratio(one: Modelled, base: Modelled) -> float:
    """The geometric mean over classes of a plan's time to another's: what "one plan for all" is judged by."""
    logs = [math.log(one.ms[c] / base.ms[c]) for c in base.ms]
    return math.exp(math.fsum(logs) / len(logs))


def table(found: Sequence[Modelled], classes: Sequence[str]) -> str:
    """The plans by their mean over classes, the best first; then each class's own best."""
    base = found[0]
    whole = sorted((m for m in found if not m.error), key=lambda m: mean_ratio(m, base))
    lines = [f"{'/ none':>8}  " + "".join(f"{c + ', ms':>12}" for c in classes) + "  plan"]
    lines += [f"{mean_ratio(m, base):8.3f}  " + "".join(f"{m.ms[c]:12.4f}" for c in classes) + f"  {m.plan}"
              for m in whole]
    for c in classes:
        best = min(whole, key=lambda m: m.ms[c])
        lines.append(f"best on {c}: {best.ms[c]:.4f} ms, mostly {best.bound[c]}: {best.plan}")
    lines += [f"no time: {m.error}: {m.plan}" for m in found if m.error]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("program", type=Path)
    parser.add_argument("--gpu", default="h200", help="a name, or a file (docs/tuning.md) [%(default)s]")
    parser.add_argument("--sampled", type=int, default=20, help="plans, beside `none` and `default` [%(default)s]")
    parser.add_argument("--classes", default=",".join(CLASSES), help="[%(default)s]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plan", action="append", default=[], help="a plan instead of sampled ones; again for more")
    parser.add_argument("--as-is", action="store_true", help=f"the times on 2^{LARGE} nodes, not carried on")
    parser.add_argument("--json", type=Path, help="a file for the same")
    given = parser.parse_args()
    classes = given.classes.split(",")
    gpu = gpus.load(given.gpu)
    space = space_of(ready(given.program), "simt")
    sampled = [Plan.parse(text, "simt") for text in given.plan]
    sampled = sampled or space.sample(random.Random(given.seed), given.sampled)
    plans = list(dict.fromkeys([space.none, space.default, *sampled]))
    found = modelled(given.program, plans, gpu, classes=classes, as_is=given.as_is,
                     note=lambda _: print(".", end="", file=sys.stderr))
    print(file=sys.stderr)
    if found[0].error:
        sys.exit(f"{given.program}: {found[0].error}")
    print(f"{given.program.stem}: {len(found)} of {space.count()} plans by the cost model of {gpu.name}, not measured;")
    print(f"emulated with 2^{LARGE} nodes" if given.as_is else
          f"emulated with 2^{SMALL} and 2^{LARGE} nodes, carried on to 2^{MEANT}")
    print(table(found, classes))
    if given.json:
        rows = [{"plan": str(m.plan), "ms": m.ms, "bound": m.bound, "error": m.error} for m in found]
        given.json.write_text(json.dumps({"program": given.program.stem, "gpu": gpu.name, "by": "model", "plans": rows},
                                         indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
