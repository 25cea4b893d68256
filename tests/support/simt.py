"""Runs the programs of programs/ in the SIMT emulator: under rows of options, on graphs, each answer verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from os import cpu_count

from irgl import driver
from irgl.options import OPTIONS
from irgl.rt.call.bind import bind
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.results.verify import verify
from irgl.source import IrglError
from irgl.space import Choice, legal_space
from support.covering import Row, shared
from support.plans import PLANNED, RUNS, mixed, plan_of, rows
from support.programs import ON_GRAPHS, path_of
from support.simt_runs import Done, Task, run_all

LEAST = 12
#: Options whose values are names of a program's own.
NAMED = [o.name for o in OPTIONS["simt"] if o.names]


@cache
def _ready(name: str) -> driver.Ready:
    return driver.ready(path_of(name))


def manifest_under(name: str, row: Row) -> Manifest:
    """The program's unit under the plan of a row."""
    return manifest_of(driver.emit(_ready(name), plan_of(row), "simt"), str(plan_of(row)))


@cache
def choices_of(name: str) -> list[Choice]:
    """The legal space of the program."""
    return legal_space(_ready(name).checked.program, "simt")


@cache
def options_of(name: str) -> dict[str, tuple[str, ...]]:
    """What a run may be given: of a plan's options those values that are legal somewhere in the program."""
    legal: dict[str, set[str]] = {}
    planned = dict(PLANNED)
    for choice in choices_of(name):
        if choice.reason is None:
            legal.setdefault(choice.option, set()).update(choice.values or PLANNED[choice.option])
            if choice.option in NAMED:
                planned[choice.option] = choice.values
    return {o: tuple(v for v in values if v in legal[o]) if o in legal else values[:1]
            for o, values in planned.items()} | RUNS


@cache
def rows_of(name: str) -> list[Row]:
    """A pairwise cover of the program's options, of at least LEAST plans."""
    return rows(options_of(name), sum(name.encode()), LEAST)


@cache
def shared_rows() -> dict[str, list[Row]]:
    """Of the covers of all programs rows that hold together every pair, and for each program every value."""
    return shared({name: rows_of(name) for name in ON_GRAPHS})


def mixed_rows(name: str, seeds: Iterable[int]) -> list[Row]:
    """Random rows in which each loop of the program has values of its own."""
    return [mixed(choices_of(name), options_of(name), seed) for seed in seeds]


def pushes(name: str, row: Row) -> bool:
    """Does the program ask for room in a list before it pushes, or for a spill?"""
    text = driver.emit(_ready(name), plan_of(row), "simt").text
    return any(word in text for word in ("reserve_for(", ".fits(", ".spill()"))


def complaints(runs: Sequence[tuple[str, Row]], graphs: Mapping[str, Graph],
               judge: Callable[[Done], str] = lambda _: "") -> list[str]:
    """What is wrong with any of the programs' runs on any of the graphs, a text for each.

    judge: what is wrong besides with a run whose answer is right. The graphs take turns over the emulator's orders,
    from a row's own seed on.
    """
    tasks, places = [], []
    for name, plan in runs:
        manifest = manifest_under(name, plan)
        for i, (at, graph) in enumerate(graphs.items()):
            row = plan | {"seed": str(int(plan["seed"]) + i)}
            inputs = {manifest.graphs[0].name: prepare(graph, requirements(manifest.graphs[0]))}
            tasks.append(Task(manifest, row, inputs, bind(manifest, inputs, {}), int(row["seed"])))
            places.append(f"{name} {' '.join(f'{k}={v}' for k, v in row.items())} on {at}")
    return [f"{place}: {wrong}" for place, task, done in zip(places, tasks, run_all(tasks), strict=True)
            if (wrong := _wrong(task, done) or judge(done))]


def _wrong(task: Task, done: Done) -> str | None:
    if done.result is None:
        return done.error
    try:
        return verify(task.manifest, task.graphs, task.values, done.result)
    except IrglError as e:
        return str(e)


def side_by_side(jobs: Sequence[Callable[[], list[str]]]) -> list[str]:
    """What all jobs find, in their order; as many run at a time as there are cores."""
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        return [line for found in pool.map(lambda job: job(), jobs) for line in found]
