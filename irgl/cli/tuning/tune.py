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
              help="A graph: a file, or a generator such as rmat:16. Several: give it several times.")
@click.option("--mesh", "mesh_file", type=FILE, metavar="FILE.ele", multiple=True, callback=one,
              help="The mesh, for a program that wants one.")
@click.option("--poly", "poly_file", type=FILE, metavar="FILE.poly", multiple=True, callback=one,
              help="The mesh's segments, besides its boundary.")
@click.option("--budget", type=Duration(), default="1m", show_default=True, metavar="TIME",
              help="How long it may take: 90s, 10m, 1.5h.")
@click.option("--target", type=click.Choice(["cpu", "cuda", "simt"]), default="cpu", show_default=True,
              help="cpu: OpenMP; cuda: a GPU; simt: the CUDA code, emulated, and a model of a GPU that is not there.")
@click.option("--mode", type=click.Choice(MODES), default="all", show_default=True,
              help="Of several graphs: one plan for all, or one for each class.")
@click.option("--strategy", type=click.Choice(["auto", *SEARCHES]), default="auto", show_default=True,
              help="How to search; auto: the whole space where it is small, else a portfolio.")
@click.option("--runs", type=click.IntRange(1), metavar="N", default=RUNS, show_default=True,
              help="How often the program will run: building a form of the edges counts for an Nth of each run.")
@click.option("--threads", "-t", type=click.IntRange(1, MAX_THREADS), metavar="N",
              help="Of the CPU. [default: the cores available]")
@click.option("--gpu", metavar="NAME", help="The GPU whose times are modelled, or a file of one. [default: h200]")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", default=0, show_default=True,
              help="For the search, and for the program's random numbers.")
@click.option("--db", "database", type=click.Path(path_type=Path), metavar="FILE",
              help="Where results are kept. [default: $IRGL_TUNE_DB, or the user's data folder]")
@click.option("--mistakes", type=click.Path(path_type=Path), metavar="DIR", default=Path(), show_default="here",
              help="Where reproducers of irgl's mistakes are written, should any be found.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--pareto", is_flag=True, help="Of several graphs: show the plans that no other beats on all of them.")
@click.option("--worklist-capacity", type=click.IntRange(1), metavar="N", help="First size of every worklist.")
@click.option("--schedule", type=FILE, metavar="FILE",
              help="A GraphIt program's schedule, in place of its own; its plan is one of those that are tried first.")
@loading_options
@click.pass_context
def tune(ctx: click.Context, /, **given: Any) -> int:
    """Finds the fastest plan of PROGRAM on a graph, or on several.

    Every variant's answer is verified. All results are kept: Ctrl-C, or worse, ends it, and the same command goes on
    from there; `irglc run --plan auto` uses what was found.

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
