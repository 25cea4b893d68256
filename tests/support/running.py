"""Runs programs that stand in tests and in the documentation, compiled for the CPU or in the SIMT emulator."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome, run
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.program import open_program
from support.verifying import arcs, edges


class Example(NamedTuple):
    """A program of the documentation, the graph that it runs on, and what comes out.

    graph: `0>1,1>2` directed, `0-1` undirected, `4:` nodes without edges, `0>1=7` an edge of weight 7.
    """

    name: str
    graph: str
    result: dict[str, float]
    text: str


def graph_of(text: str) -> Graph:
    """The graph that an example names."""
    if text.endswith(":"):
        return arcs(int(text[:-1]), [])
    pairs = [re.split(r"[->=]", word) for word in text.split(",")]
    numbers = [tuple(int(x) for x in pair) for pair in pairs]
    ends = [pair[:2] for pair in numbers]
    count = 1 + max(x for pair in ends for x in pair)
    weights = [pair[2] for pair in numbers] if "=" in text else None
    return (edges if "-" in text else arcs)(count, ends, weights)


def on_cpu(example: Example, file: str) -> dict[str, float]:
    """The scalars of an example that runs compiled, as the text of a file of that name."""
    manifest = open_program(file, text=example.text)
    graphs = {g.name: prepare(graph_of(example.graph), requirements(g)) for g in manifest.graphs}
    outcome = run(manifest, graphs, bind(manifest, graphs, {}), Plan(), Options(threads=2))
    return {k: float(v) for k, v in outcome.result.scalars.items()}


def outcome(text: str, plan: str, target: str, graph: Graph | Mapping[str, Graph], mode: str = "check",
            seed: int = 1, capacity: int = 0, *, rounds: bool = False, threads: int | None = None) -> Outcome:
    """The run of a text on a graph, or on several by name, under a plan of the target, in a mode of the emulator.

    seed: of the order of its blocks and threads. capacity: of lists at first, 0: the program decides. rounds: note what
    is counted by round. threads: of a CPU.
    """
    chosen = Plan.parse(plan, target)
    manifest = open_program("text.irgl", chosen, text=text, rounds=rounds)
    graphs = {g.name: prepare(graph[g.name] if isinstance(graph, Mapping) else graph, requirements(g))
              for g in manifest.graphs}
    values = bind(manifest, graphs, {})
    if target == "cpu":
        return run(manifest, graphs, values, chosen, Options(threads=threads))
    return device.run(manifest, graphs, values, chosen, Options(seed=seed, worklist_capacity=capacity), mode=mode)
