"""Runs programs in the SIMT emulator: built once for a plan, run on many graphs, several plans at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from os import cpu_count
from typing import Any

from irgl import driver
from irgl.plan import Plan
from irgl.rt import device
from irgl.rt.bind import bind
from irgl.rt.graph import Graph
from irgl.rt.graphs import requirements
from irgl.rt.prepare import prepare
from irgl.rt.program import open_program
from irgl.rt.run import Options, Outcome
from irgl.rt.verify import verify
from irgl.source import IrglError
from support.covering import Row, cover
from support.programs import PLACE

SCHEDULERS = ("serial", "tb", "wp", "fg", "tb+wp", "tb+fg", "wp+fg", "tb+wp+fg")
#: What a plan may say, and what a run in the emulator may be given besides.
OPTIONS = {"np": SCHEDULERS, "cc": ("off", "thread", "warp", "block"), "outline": ("off", "all"),
           "block": ("32", "64", "256"), "capacity": ("0", "1"), "mode": ("check", "lockstep"), "seed": ("1", "2")}
PLANNED = ("np", "cc", "outline", "block")


def plan_of(row: Row, target: str = "simt") -> Plan:
    return Plan.parse(" ".join(f"{o}={row[o]}" for o in PLANNED), target)


@dataclass(frozen=True, slots=True)
class Built:
    """A program under one row of options, and how it is run."""

    name: str
    row: Row

    def run(self, graphs: Mapping[str, Graph], judge: Callable[[str, str | None, Outcome], str | None]) -> list[str]:
        """What is wrong on any of the graphs, a text for each."""
        plan, where = plan_of(self.row), f"{self.name} {' '.join(f'{k}={v}' for k, v in self.row.items())}"
        try:
            manifest = open_program(PLACE / f"{self.name}.irgl", plan)
            executable = device.build(manifest, (32, 32), True)
        except IrglError as e:
            return [f"{where}: {e}"]
        found = []
        options = Options(worklist_capacity=int(self.row["capacity"]), seed=int(self.row["seed"]))
        for at, graph in graphs.items():
            inputs = {manifest.graphs[0].name: prepare(graph, requirements(manifest.graphs[0]))}
            values: dict[str, Any] = bind(manifest, inputs, {})
            try:
                ran = device.run_built(executable, 0.0, manifest, inputs, values, plan, options, mode=self.row["mode"])
                wrong = judge(at, verify(manifest, inputs, values, ran.result), ran)
            except IrglError as e:
                wrong = str(e)
            if wrong is not None:
                found.append(f"{where} on {at}: {wrong}")
        return found


@cache
def options_of(name: str) -> dict[str, tuple[str, ...]]:
    """The options that apply anywhere in the program; of the others one value."""
    unit = driver.compile(PLACE / f"{name}.irgl", target="simt", plan=Plan.parse("np=fg", "simt"))
    applied = {line.split(": ")[1].split("=")[0] for line in unit.applied}
    return {o: values if o not in PLANNED[:3] or o in applied else values[:1] for o, values in OPTIONS.items()}


def pushes(name: str, row: Row) -> bool:
    """Does the program ask for room in a list before it pushes?"""
    text = driver.compile(PLACE / f"{name}.irgl", target="simt", plan=plan_of(row)).text
    return "reserve_for(" in text or ".fits(" in text


@cache
def rows_of(name: str, most: int | None = None) -> list[Row]:
    """A pairwise cover of the program's options; the `most` rows of it that hold the most pairs."""
    return rows_of(name)[:most] if most is not None else cover(options_of(name), seed=sum(name.encode()))


def side_by_side(jobs: Sequence[Callable[[], list[str]]]) -> list[str]:
    """What all jobs find, in their order; as many run at a time as there are cores."""
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        return [line for found in pool.map(lambda job: job(), jobs) for line in found]
