"""irglc tune."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import rich_click as click

from irgl.cli.inputs import check_inputs, named
from irgl.cli.loading import loading, loading_options
from irgl.cli.params import GRAPH, MANIFEST, VALUE, ProgramCommand, spelt
from irgl.cli.run import one, run
from irgl.cli.shell.values import FILE, GRAPH_SPEC, PROGRAM
from irgl.cli.tuning.display import display, print_outcome
from irgl.rt.call.run import MAX_THREADS
from irgl.rt.manifests.manifest import Manifest, inputs
from irgl.source import IrglError
from irgl.tune.inputs.inputs import Input
from irgl.tune.results.store import Store
from irgl.tune.results.trial import RUNS
from irgl.tune.search.portfolio import SEARCHES
from irgl.tune.session.session import tune as run_session
from irgl.tune.session.task import MODES, Task, WrongReferenceError

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


class Duration(click.ParamType[float]):
    """Seconds, from 90, 90s, 10m or 1.5h."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", str(value))
        seconds = float(found[1]) * _UNITS[found[2]] if found is not None else 0.0
        if seconds <= 0:
            self.fail(f"{value!r} is no duration: write 90s, 10m or 1.5h", param, ctx)
        return seconds


@click.command(cls=ProgramCommand)
@click.argument("program", type=PROGRAM)
@click.option("--graph", "-g", "graph_specs", type=GRAPH_SPEC, multiple=True, metavar="FILE",
              help="A graph: a file, or a generator such as rmat:16. May be given several times.")
@click.option("--mesh", "mesh_file", type=FILE, metavar="FILE.ele", multiple=True, callback=one,
              help="The mesh, for a program that takes one.")
@click.option("--poly", "poly_file", type=FILE, metavar="FILE.poly", multiple=True, callback=one,
              help="The mesh's segments, besides its boundary.")
@click.option("--budget", type=Duration(), default="1m", show_default=True, metavar="TIME",
              help="Time limit of the search: 90s, 10m, 1.5h.")
@click.option("--target", type=click.Choice(["cpu", "cuda", "simt"]), default="cpu", show_default=True,
              help="cpu: OpenMP; cuda: a GPU; simt: the CUDA code in the emulator, with times from a model of a GPU.")
@click.option("--mode", type=click.Choice(MODES), default="all", show_default=True,
              help="With several graphs: one plan for all, or one for each class.")
@click.option("--strategy", type=click.Choice(["auto", *SEARCHES]), default="auto", show_default=True,
              help="Search strategy; auto: exhaustive if the space is small, else a portfolio.")
@click.option("--runs", type=click.IntRange(1), metavar="N", default=RUNS, show_default=True,
              help="Expected number of runs: 1/N of the time to build an edge format counts towards each run.")
@click.option("--threads", "-t", type=click.IntRange(1, MAX_THREADS), metavar="N",
              help="Number of CPU threads. [default: the cores available]")
@click.option("--gpu", metavar="NAME", help="The GPU whose times are modelled, by name or as a file. [default: h200]")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", default=0, show_default=True,
              help="Seed of the search and of the program's random numbers.")
@click.option("--db", "database", type=click.Path(path_type=Path), metavar="FILE",
              help="The database of results. [default: $IRGL_TUNE_DB, or a file in the user's data folder]")
@click.option("--mistakes", type=click.Path(path_type=Path), metavar="DIR", default=Path(), show_default="here",
              help="The folder for reproducers of compiler bugs, should any be found.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--pareto", is_flag=True, help="With several graphs: print the Pareto-optimal plans.")
@click.option("--worklist-capacity", type=click.IntRange(1), metavar="N", help="Initial capacity of every worklist.")
@click.option("--schedule", type=FILE, metavar="FILE",
              help="The schedule of a GraphIt program, in place of its own; its plan is among the first to be tried.")
@loading_options
@click.pass_context
def tune(ctx: click.Context, /, **given: Any) -> int:
    """Searches for the fastest plan of PROGRAM on one or more graphs.

    The answer of every variant is verified. All results are stored: after Ctrl-C or a crash the same command resumes
    the search; `irglc run --plan auto` uses the results.

    \b
    Examples:
      irglc tune program.irgl --graph roads.gr.gz --src 1 --budget 10m
      irglc tune program.irgl --graph rmat:18 --graph grid:500x500 --mode class
      irglc tune program.irgl --graph rmat:10 --target simt --gpu h200 --json
      irglc tune program.gt --schedule roads.gt -- roads.wel 8
    """
    task = _task(ctx.meta[MANIFEST], given)
    try:
        with Store(given["database"]) as store, display(quiet=given["as_json"]) as watch:
            outcome = run_session(task, store, watch)
    except WrongReferenceError as e:
        print(f"wrong answer: {e.message}\n  {e.hint}", file=sys.stderr)
        return 1
    if given["as_json"]:
        print(json.dumps(asdict(outcome), allow_nan=False))
    else:
        print_outcome(outcome, sys.stdout)
    if outcome.state == "interrupted":
        raise KeyboardInterrupt
    return 0


def _task(manifest: Manifest, given: Mapping[str, Any]) -> Task:
    target = given["target"]
    if not given["graph_specs"] and (graph := named(manifest, None)) is not None:
        given = {**given, "graph_specs": (graph,)}
    check_inputs(manifest, given, graph=bool(given["graph_specs"]))
    if given["threads"] is not None and target != "cpu":
        raise IrglError(f"--threads has no meaning for --target {target}",
                        hint="leave it out: GPU code starts as many threads as its work has items")
    if given["gpu"] is not None and target != "simt":
        raise IrglError(f"--gpu has no meaning for --target {target}", hint="--target simt models a GPU")
    if given["pareto"] and len(given["graph_specs"]) < 2:
        raise IrglError("--pareto has no meaning for one graph", hint="give --graph several times")
    names = [*(g.name for g in manifest.graphs[1:]), *(p.name for p in manifest.params), *inputs(manifest)]
    words = tuple((name, spelt(name, run)) for name in names)
    return Task(given["program"], _inputs(manifest, given), target, given["budget"], given["mode"], given["threads"],
                given["seed"], given["strategy"], given["gpu"] if given["gpu"] is not None else "h200",
                given["worklist_capacity"] or 0, given["mistakes"], words,
                given["pareto"], given["runs"], given["schedule"])


def _inputs(manifest: Manifest, given: Mapping[str, Any]) -> tuple[Input, ...]:
    asked = (*(p.name for p in manifest.params), *inputs(manifest))
    values = tuple((name, str(given[VALUE + name])) for name in asked if given.get(VALUE + name) is not None)
    how = loading(given, manifest.by_file_ids)
    if not manifest.graphs:
        return (Input(given["mesh_file"], (), values, how, given["mesh_file"], given["poly_file"]),)
    twice = next((g for k, g in enumerate(given["graph_specs"]) if g in given["graph_specs"][:k]), None)
    if twice is not None:
        raise IrglError(f"--graph {twice} is given twice", hint="give each graph once")
    further = tuple(given[GRAPH + g.name] for g in manifest.graphs[1:])
    return tuple(Input(spec, (spec, *further), values, how, given["mesh_file"], given["poly_file"])
                 for spec in given["graph_specs"])
