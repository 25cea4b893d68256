"""Measures plans of one program on two graphs of each class, in turn with the built-in defaults."""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import machine
import numpy as np
from tune_inputs import GRAPHS, ROOT

from irgl.driver import ready
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, cores
from irgl.rt.call.targets import run_on, wrong_answer
from irgl.rt.compile.build import build
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.rt.meshes.meshes import Mesh, load_mesh
from irgl.source import IrglError
from irgl.tune.inputs.features import at_once
from irgl.tune.search.space import Space, space_of

#: The graphs, two of each class, each by falling size: a program gets the first that it runs through in time.
INPUTS = {
    "road": (str(GRAPHS / "road" / "luxembourg_osm.mtx.xz"), "path:1000,weights=int"),
    "town": (str(GRAPHS / "road" / "USA-road-d.NY.gr.gz"), str(ROOT / "programs" / "data" / "rome99.gr.gz")),
    "mesh": ("delaunay:15,weights=int", "delaunay:12,weights=int", "delaunay:10,weights=int"),
    "grid": ("grid:500x200,weights=int", "grid:100x100,weights=int", "grid:30x30,weights=int"),
    "random": ("uniform:14,weights=int", "uniform:12,weights=int", "uniform:9,weights=int"),
    "sparse": ("uniform:scale=16,degree=4,weights=int", "uniform:scale=12,degree=4,weights=int"),
    "web": (str(GRAPHS / "social" / "web-NotreDame.txt.xz"), str(GRAPHS / "social" / "as-caida20071105.und.txt.gz")),
    "skewed": ("rmat:14,weights=int", "rmat:12,weights=int", "rmat:9,weights=int"),
}
#: A large graph of each class, on which a plan that is to be a default must be none the slower.
LARGE = {
    "road": str(GRAPHS / "road" / "USA-road-NE.tw.gr.xz"), "mesh": "grid:1200x1200,weights=int",
    "random": "uniform:scale=19,weights=int", "skewed": "rmat:20,weights=int",
}
MESHES = ("superior.1.ele", "la.1.ele")
#: What a run may take, in milliseconds; plans that are tried; those that are measured again, so many rounds at least;
#: the same on a large graph.
LIMIT_MS, TRIED, FINALISTS, LEAST_ROUNDS, ON_LARGE = 25.0, 60, 6, 8, 4


@dataclass(frozen=True)
class Case:
    """A program on one input. graph_class: '' for a mesh."""

    program: Path
    name: str
    graph_class: str
    graphs: dict[str, Graph]
    values: dict[str, Any]
    mesh: Mesh | None
    threads: int

    def run(self, plan: Plan) -> float:
        """Milliseconds, with what laying edges out once took."""
        ran = run_on(self.manifest(plan), self.graphs, self.values, plan, Options(self.threads), self.mesh)
        return ran.kernel_ms[0] + sum(f.built_ms for f in ran.forms)

    def wrong(self, plan: Plan) -> str | None:
        options = Options(self.threads)
        manifest = self.manifest(plan)
        outcome = run_on(manifest, self.graphs, self.values, plan, options, self.mesh)
        return wrong_answer(manifest, self.graphs, self.values, outcome, options, self.mesh)

    def manifest(self, plan: Plan) -> Manifest:
        return open_program(self.program, plan)


def measured(program: Path, threads: int, seconds: float,
             same_graphs: Callable[[Path, Plan], bool]) -> list[dict[str, Any]]:
    """By graph, the ratios of the finalists to the built-in defaults."""
    # On a thread of its own: all runs are then on that thread, and OpenMP keeps its threads from one to the next.
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(_measured, program, threads, seconds, same_graphs).result()


def checked(program: Path, threads: int, kind: str, plans: Sequence[Plan]) -> dict[str, Any]:
    """The ratios of plans to the built-in defaults on the large graph of a class."""
    def check() -> dict[str, Any]:
        case = _case(program, open_program(program), LARGE[kind], threads)
        watch = machine.Watch([])
        ratios, noise = _second_look(case, plans, 0.0, ON_LARGE)
        return {"class": kind, "graph": case.name, "noise": round(noise, 4), "others": round(watch.others(), 2),
                "large": True, "ratios": {str(p): round(r, 4) for p, r in ratios.items()}}

    with ThreadPoolExecutor(1) as alone:
        return alone.submit(check).result()


def _measured(program: Path, threads: int, seconds: float,
              same_graphs: Callable[[Path, Plan], bool]) -> list[dict[str, Any]]:
    cases = _cases(program, threads)
    space = space_of(ready(program))
    built_in = Plan()
    plans = candidates(space, lambda p: same_graphs(program, p))
    with ThreadPoolExecutor(cores()) as pool:
        list(pool.map(lambda p: build(open_program(program, p).text), [built_in, *plans]))
    first = {c.name: _first_look(c, plans, seconds / 3 / len(cases)) for c in cases}
    chosen = _finalists(cases, first)
    for plan in chosen:
        wrong = cases[-1].wrong(plan)
        assert wrong is None, f"{program.stem} on {cases[-1].name} under `{plan}`: {wrong}"
    found = []
    for c in cases:
        watch = machine.Watch([])
        ratios, noise = _second_look(c, chosen, seconds * 2 / 3 / len(cases))
        others = watch.others()
        found.append({"class": c.graph_class, "graph": c.name, "noise": round(noise, 4), "others": round(others, 2),
                      "ratios": {str(p): round(r, 4) for p, r in ratios.items()}})
        best = min(ratios.values())
        print(f"  {program.stem} on {c.name}: best {best:.2f}, noise {noise:.3f}, others took {others:.2f} cores",
              file=sys.stderr)
    return found


def candidates(space: Space, fits: Callable[[Plan], bool]) -> list[Plan]:
    """The plans that fit next to the default, then others by chance that need no further build."""
    near = [p for p in dict.fromkeys([space.default, *space.neighbours(space.default)]) if fits(p)]
    builds = {p.in_code for p in near}
    plain = [p for p in space.sample(random.Random(1), min(space.count(), 3000)) if p.in_code in builds]
    found = list(dict.fromkeys([*near, *plain]))
    return [p for p in found if p.text_of("order") == p.plain("order")][:TRIED]


def _cases(program: Path, threads: int) -> list[Case]:
    manifest = open_program(program)
    if manifest.mesh:
        return [Case(program, name, "", {}, bind(manifest, {}, {}), load_mesh(str(GRAPHS / "dmr" / name)), threads)
                for name in MESHES]
    found = []
    for specs in INPUTS.values():
        for spec in specs:
            if ":" not in spec and not Path(spec).exists():
                continue
            case = _case(program, manifest, spec, threads)
            try:
                if case.run(Plan()) <= LIMIT_MS:
                    found.append(case)
                    break
            except IrglError as e:
                print(f"  {program.stem} on {case.name}: {e.message}", file=sys.stderr)
    return found


def _case(program: Path, manifest: Manifest, spec: str, threads: int) -> Case:
    param = manifest.graphs[0]
    graph = load(spec, param, Loading(undirected=True))
    graphs = {param.name: graph}
    source = str(graph.file_id(int(np.argmax(graph.out_degrees()))))
    values = bind(manifest, graphs, {p.name: source for p in manifest.params if p.type == "node" or p.name == "argv2"})
    name = spec.partition(",")[0] if ":" in spec else Path(spec).name.split(".")[0]
    return Case(program, name, at_once(graph).graph_class, graphs, values, None, threads)


def _rounds(case: Case, plans: Sequence[Plan], seconds: float, least: int) -> dict[Plan, list[float]]:
    """Times of plans, each once in a round, in another order each time; so many rounds as there is time for."""
    end, order = time.monotonic() + seconds, list(plans)
    times: dict[Plan, list[float]] = {p: [] for p in plans}
    for k in range(10**6):
        random.Random(k).shuffle(order)
        for plan in order:
            times[plan].append(case.run(plan))
        if k + 1 >= least and time.monotonic() > end:
            break
    return times


def _first_look(case: Case, plans: Sequence[Plan], seconds: float) -> dict[Plan, float]:
    """The ratios of plans to the built-in defaults, roughly."""
    times = _rounds(case, [Plan(), *plans], seconds, 2)
    return {p: min(t) / min(times[Plan()]) for p, t in times.items()}


def _finalists(cases: Sequence[Case], first: dict[str, dict[Plan, float]]) -> list[Plan]:
    """The best over all graphs, and of each class."""
    def mean(plan: Plan, of: Sequence[Case]) -> float:
        return math.fsum(math.log(first[c.name].get(plan, 2.0)) for c in of) / len(of)

    plans = [p for p in dict.fromkeys(p for f in first.values() for p in f) if str(p) != str(Plan())]
    groups = [list(cases), *([c for c in cases if c.graph_class == k] for k in {c.graph_class for c in cases})]
    best = [sorted(plans, key=lambda p: mean(p, of))[: FINALISTS // 2 if k else FINALISTS]
            for k, of in enumerate(groups)]
    return list(dict.fromkeys(p for some in best for p in some))


def _second_look(case: Case, plans: Sequence[Plan], seconds: float,
                 least: int = LEAST_ROUNDS) -> tuple[dict[Plan, float], float]:
    """The ratios of plans to the built-in defaults, and what these differ from themselves by.

    Of each the fastest run counts: other work on the machine makes runs longer, never shorter.
    """
    times = _rounds(case, [Plan(), *plans], seconds, least)
    base = times.pop(Plan())
    one, other = min(base[::2]), min(base[1::2])
    return {p: min(t) / min(base) for p, t in times.items()}, max(one, other) / min(one, other) - 1 + 0.01
