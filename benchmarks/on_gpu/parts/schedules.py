"""Schedules beside each other: six algorithms on nine kinds of graphs, each under the plans that schedules come to.

In kind tables 6.2 to 6.7 of the thesis on GraphIt's compiler for GPUs (UGF), with the schedules of its table A.1 in the
words of plans: ETWC is np=tb+wp+fg, irgl's default, VERTEX_BASED np=serial, EDGE_ONLY the form coo, blocked by
segments; fused kernels are outline=all, and a frontier that is not fused is marked in a map first. What is best on a
graph is what a tuner that tries all of these would take. Triangles are no algorithm of these tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from irgl.plan import Plan
from irgl.rt.manifests.manifest import Manifest
from on_gpu.parts.compared import submit
from on_gpu.suite import Suite
from on_gpu.units import by_block, manifest_of

PART = "schedules"
#: What takes the least time first: what there is no time for is said.
GRAPHS = ("NY", "rmat20", "cnr", "grid", "uniform", "FLA", "notredame", "wave", "rmat22")
#: Programs that ask for weights run on the graphs that have some.
WEIGHTED = ("NY", "rmat20", "grid", "uniform", "rmat22")
BASE = "default"
_NESTED = {BASE: BASE, **{np: f"np={np}" for np in ("serial", "fg", "wp+fg", "tb+wp", "wf", "weaver")},
           "cut 1": "np=cut stage=1", "cut 8": "np=cut stage=8", "cc block": "cc=block"}
_BINS, _EVEN = {"bins": "np=bins"}, {"even": "np=even"}
_LOOPS = {"host": "outline=off", "132 blocks": "blocks=132", "264 blocks": "blocks=264", "bounds 4": "bounds=4",
          "serial, 264 blocks": "np=serial blocks=264"}
_GRAPH = {"CUDA graph": "outline=graph"}
#: By program, plans by short name; only what has a meaning there.
PLANS: dict[str, dict[str, str]] = {
    "bfs": {**_NESTED, **_BINS, **_EVEN, **_LOOPS, **_GRAPH, "pull": "direction=pull", "hybrid": "direction=hybrid",
            "A.1 webs": "direction=hybrid switch=nodes:1/10 member=bitmap"},
    "cc": {**_NESTED, **_BINS, **_LOOPS, **_GRAPH, "either": "frontier=either",
           "A.1": "frontier=bitmap"},
    "sssp": {**_NESTED, **_LOOPS, "eager": "priority=eager", "lazy": "priority=lazy",
             "8 lists": "buckets=8", "2 lists": "buckets=2"},
    "pr_pull": {**_NESTED, **_BINS, **_LOOPS, **_GRAPH, "coo": "format=coo segments=off",
                "A.1": "format=coo segments=auto", "blocks": "format=blocks"},
    "bc": {**_NESTED, **_LOOPS, "hybrid": "direction=hybrid", "either": "frontier=either",
           "A.1 webs": "direction=hybrid switch=nodes:1/10 member=bitmap collect=bitmap"},
    "tri": {BASE: BASE, "serial": "np=serial", "cut 8": "np=cut stage=8",
            **{word: f"intersect={word}" for word in ("warp", "merge", "gallop", "binary")}},
}
#: So many plans are built into one executable, at most: fewer are through sooner.
_TOGETHER = 8


def _chosen(suite: Suite) -> dict[str, dict[str, str]]:
    """The programs asked for, with the first three of their plans in a quick session."""
    chosen = suite.given.programs.split(",") if suite.given.programs else PLANS
    return {p: dict([*plans.items()][:3 if suite.quick else None]) for p, plans in PLANS.items() if p in chosen}


def _groups(plans: Mapping[str, str]) -> list[list[str]]:
    found = []
    for group in by_block(list(plans.values())):
        parts = -(-len(group) // _TOGETHER)
        found += [group[at::parts] for at in range(parts)]
    return found


def _graphs(suite: Suite, program: str) -> Sequence[str]:
    weighted = any(g.weighted is not None for g in _manifest(suite, program).graphs)
    return (WEIGHTED if weighted else GRAPHS)[:1 if suite.quick else None]


def _manifest(suite: Suite, program: str) -> Manifest:
    return manifest_of(Path(suite.file(program)), BASE, suite.target)


def prepare(suite: Suite) -> None:
    """Begins to build its plans, and to make what is asked of its graphs, behind the parts before it."""
    chosen = _chosen(suite)
    for program, plans in chosen.items():
        for group in _groups(plans):
            suite.build(program, group)
    for name in GRAPHS:
        for program in chosen:
            if name in _graphs(suite, program) and suite.spec(name) is not None:
                suite.prepare(program, name)


def run(suite: Suite) -> None:
    chosen = _chosen(suite)
    jobs = []
    for name in GRAPHS:
        for program, plans in chosen.items():
            if name in _graphs(suite, program):
                jobs += submit(suite, PART, program, name, plans, PART, _groups(plans))
    suite.wait(jobs, PART, "programs on graphs")
    rows, graphs = suite.record.rows(PART), suite.record.data.get("graphs", {})
    suite.record.note("tuned", {p: {"fingerprint": _manifest(suite, p).fingerprint,
                                    "graphs": ratios(rows, p, graphs)} for p in chosen})
    suite.record.note("best", best(rows, graphs))


def ratios(rows: list[dict[str, Any]], program: str, graphs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Of each graph with a time of the default plan its class, the noise of that time, and each plan's time over it:
    as benchmarks/tune_defaults.py keeps what it measures."""
    found = []
    for name in dict.fromkeys(r["graph"] for r in rows if r["program"] == program):
        timed = [r for r in rows if (r["program"], r["graph"]) == (program, name) and r.get("ms")]
        base = next((r for r in timed if r["name"] == BASE), None)
        if base is not None:
            found.append({"class": graphs.get(name, {}).get("class", ""), "graph": name,
                          "noise": round((max(base["samples"]) - min(base["samples"])) / base["ms"], 4),
                          "ratios": {str(Plan.parse(r["plan"], "cuda")): round(r["ms"] / base["ms"], 4)
                                     for r in timed}})
    return found


def best(rows: list[dict[str, Any]], graphs: Mapping[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """By program, of each graph and of each class the plan that a tuner would take: that of the least time over the
    default's, of a class in the geometric mean over its graphs, of those that ran on all of them."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for program in dict.fromkeys(r["program"] for r in rows):
        plans = {str(Plan.parse(r["plan"], "cuda")): (r["name"], r["plan"]) for r in rows if r["program"] == program}
        measured = ratios(rows, program, graphs)
        places = {f"{m['graph']}": [m] for m in measured}
        for m in measured:
            places.setdefault(f"all of {m['class']}", []).append(m)
        for place, of in places.items():
            common = set.intersection(*({*m["ratios"]} for m in of))
            means = {p: math.exp(sum(math.log(m["ratios"][p]) for m in of) / len(of)) for p in common}
            least = min(means, key=lambda p: (means[p], p))
            name, plan = plans[least]
            found.setdefault(program, {})[place] = {"name": name, "plan": plan, "ratio": round(means[least], 3),
                                                    "graphs": len(of)}
    return found
