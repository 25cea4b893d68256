"""irglc run."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import rich_click as click

from irgl.cli.inputs import check_inputs, named, note
from irgl.cli.loading import loading, loading_options
from irgl.cli.params import GRAPH, MANIFEST, PLAN_TEXT, VALUE, ProgramCommand
from irgl.cli.profiling import asked as profiling
from irgl.cli.progress import progress
from irgl.cli.report import Report, print_report
from irgl.cli.running.printed import caught, stdout_to_stderr
from irgl.cli.shell.line import with_values
from irgl.cli.shell.values import FILE, GRAPH_SPEC, PLAN_OF_RUN, PROGRAM
from irgl.frontends.load import closure, open_source
from irgl.rt.call.bind import bind
from irgl.rt.call.run import MAX_THREADS, Options, Outcome
from irgl.rt.call.targets import reference, run_on, wrong_answer
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import load
from irgl.rt.manifests.manifest import Manifest, inputs
from irgl.rt.manifests.program import open_program
from irgl.rt.meshes.meshes import Mesh, check_name, load_mesh, save_mesh
from irgl.rt.results.profile_file import About, digest
from irgl.rt.system.whole_file import check_other, check_place
from irgl.source import IrglError, is_graphit
from irgl.tune.choose.auto import Chosen, Given, database, resolve
from irgl.tune.choose.texts import SCHEDULE
from irgl.tune.measure.gpu import load as load_gpu

#: Why a target has no use for --threads, and what to say instead.
_OWN_THREADS = {
    **dict.fromkeys(("cuda", "simt"), (
        "GPU code starts as many threads as its work has items and the device has room for",
        'leave it out; --plan "block=128" sets how many threads a block has')),
    "ref": ("the interpreter runs one item after the other", "leave it out; --target cpu runs on several threads"),
}

#: Why a target knows nothing of rounds.
_NO_ROUNDS = {
    "ref": "the interpreter has no launches and no threads whose work could be counted",
}


def one(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> str | None:  # noqa: ARG001
    """What is given once, or not at all. Raises IrglError."""
    if len(given) > 1:
        name = param.opts[0]
        raise IrglError(f"{name} is given {len(given)} times",
                        hint=f"run the program once for each {'graph' if name == '--graph' else 'mesh'}")
    return given[0] if given else None


class RunCommand(ProgramCommand):
    """As ProgramCommand, with options whose value may be left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_values(args))


def _numbers(_ctx: click.Context, _option: click.Parameter, text: str) -> tuple[int, ...]:
    """The numbers of a list with commas."""
    words = text.split(",") if text else []
    if not all(word.strip().isdecimal() for word in words):
        raise IrglError(f"--devices {text}: it takes the numbers of GPUs, with commas between them",
                        hint="--devices 0,1 are the first two")
    return tuple(int(word) for word in words)


@click.command(cls=RunCommand)
@click.argument("program", type=PROGRAM)
@click.option("--graph", "-g", "graph_spec", type=GRAPH_SPEC, metavar="FILE", multiple=True, callback=one,
              help="The graph: a file, or a generator such as rmat:16.")
@click.option("--mesh", "mesh_file", type=FILE, metavar="FILE.ele", multiple=True, callback=one,
              help="The mesh, for a program that takes one; its points are in FILE.node.")
@click.option("--poly", "poly_file", type=FILE, metavar="FILE.poly", multiple=True, callback=one,
              help="The mesh's segments, besides its boundary.")
@click.option("--verify", "check", is_flag=True, help="Verify the answer; exit code 1 if it is wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--out", type=FILE, metavar="FILE",
              help="Write all property arrays and node_ids (.npz), or the mesh (.ele).")
@click.option("--threads", "-t", type=click.IntRange(1, MAX_THREADS), metavar="N",
              help="Number of CPU threads. [default: the cores available]")
@click.option("--repeat", type=click.IntRange(1), metavar="N", default=1, show_default=True,
              help="Number of timed runs.")
@click.option("--target", type=click.Choice(["cpu", "cuda", "simt", "ref"]), default="cpu", show_default=True,
              help="cpu: OpenMP; cuda: a GPU; simt: the CUDA code in the emulator; ref: the reference interpreter, for "
                   "small graphs.")
@click.option("--stats", type=click.Choice(["totals", "rounds"]), metavar="[=rounds]",
              help="Print counters: rounds, launches, atomics...; =rounds: for each round of the Program's loops.")
@click.option("--profile", type=FILE, multiple=True, metavar="[=FILE.json]",
              help="Print what each loop did and how long it took; =FILE.json: write it, for irglc explain --profile; "
                   "=FILE.trace.json: as a timeline, for Perfetto.")
@click.option("--plan", type=PLAN_OF_RUN, default="default", show_default=True,
              help='How to run: default (chosen by the class of the graph), auto (what irglc tune found), none (no '
                   'optional optimizations), or options; options may also follow one of these words: '
                   '"default grain=256 serial=512".')
@click.option("--db", type=FILE, metavar="FILE",
              help="The tuner's database for --plan auto. [default: that of irglc tune]")
@click.option("--worklist-capacity", type=click.IntRange(1), metavar="N", help="Initial capacity of every worklist.")
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), metavar="SECONDS",
              help="Abort the run with an error if it takes longer.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", default=0, show_default=True,
              help="Seed of the program's random numbers.")
@click.option("--devices", metavar="N,N", callback=_numbers, default="",
              help="GPU numbers: each of a program's Sections runs on one of them, all else on the first. "
                   "[default: the current one]")
@click.option("--gpu", metavar="NAME",
              help="With --target simt: the GPU whose caches are emulated and for which edge formats are chosen, by "
                   "name or as a file.")
@click.option("--schedule", type=FILE, metavar="FILE",
              help="The schedule of a GraphIt program, in place of its own; it is the plan unless --plan is given.")
@loading_options
@click.pass_context
def run(ctx: click.Context, /, **given: Any) -> int:
    """Compiles PROGRAM, runs it on a graph, and prints the results.

    Each parameter of the program is an option; --help after PROGRAM lists them, and the options of its plan on the
    given --target. docs/cpu.md and docs/cuda.md describe all plans.

    \b
    Examples:
      irglc run program.irgl --graph roads.gr.gz --src 1 --verify
      irglc run program.irgl --graph rmat:18 --threads 2 --repeat 5 --json
      irglc run program.irgl --help

    Parameters named argv1, argv2, ... may also follow `--`, like the arguments of a GraphIt program: the graph first.
    """
    given["plan"] = ctx.meta[PLAN_TEXT]
    if not given["as_json"]:
        report, wrong = _work(ctx.meta[MANIFEST], given)
        print_report(report, sys.stderr if _has_stdout(ctx.meta[MANIFEST]) else sys.stdout)
    else:
        with stdout_to_stderr():
            report, wrong = _work(ctx.meta[MANIFEST], given)
        print(json.dumps(report.as_json(), allow_nan=False))
    if wrong is not None:
        print(f"wrong answer: {wrong}", file=sys.stderr)
        return 1
    return 0


def _has_stdout(manifest: Manifest) -> bool:
    """Does stdout belong to what the program prints, as it does where its language has programs of its own?"""
    return is_graphit(manifest.path)


def _work(manifest: Manifest, given: Mapping[str, Any]) -> tuple[Report, str | None]:
    """Loads, runs, verifies, saves: what there is to tell, and what is wrong with the answer."""
    given = {**given, "graph_spec": named(manifest, given["graph_spec"])}
    check_inputs(manifest, given, graph=given["graph_spec"] is not None)
    if given["threads"] is not None and given["target"] in _OWN_THREADS:
        why, remedy = _OWN_THREADS[given["target"]]
        raise IrglError(f"--threads has no meaning for --target {given['target']}: {why}", hint=remedy)
    by_round = given["stats"] == "rounds"
    if by_round:
        _check_rounds(given)
    profiling.check(given)
    if given["out"] is not None:
        check_place(Path(given["out"]))
        check_other(Path(given["out"]), given["program"])
    db = database(given["plan"], given["db"])
    l1, l2, weaver = _pretended(given)
    options = Options(given["threads"], given["repeat"], given["worklist_capacity"] or 0, given["seed"],
                      given["time_limit"], gpu_cache=l2, gpu_l1=l1, gpu_weaver=weaver, devices=given["devices"])
    begin = time.perf_counter()
    graphs = _graphs(manifest, given)
    mesh = _mesh(manifest, given)
    load_ms = (time.perf_counter() - begin) * 1e3
    for graph in graphs.values():
        for change in graph.changed:
            note(change)
    words = (*(p.name for p in manifest.params), *inputs(manifest))
    said = {name: given[VALUE + name] for name in words if given.get(VALUE + name) is not None}
    chosen = resolve(given["plan"], manifest,
                     Given(graphs, lambda: bind(manifest, graphs, said, shell=True), mesh, options.threads),
                     given["target"], lambda plan: open_program(given["program"], plan, schedule=given["schedule"]), db)
    if chosen.untuned:
        note(f"auto found nothing, since {chosen.untuned}; the plan is the default ({chosen.source}); "
             f"`irglc tune {given['program']}` looks for a faster one")
    if chosen.manifest.graphs != manifest.graphs:  # a plan may want in-edges, which are kept with the prepared graph
        graphs = _graphs(chosen.manifest, given)
    manifest = chosen.manifest
    if by_round:
        manifest = open_program(given["program"], chosen.plan, rounds=True, schedule=given["schedule"])
    if given["profile"]:
        manifest = open_program(given["program"], chosen.plan, profile=True, schedule=given["schedule"])
    values = bind(manifest, graphs, said, shell=True)  # and may have a say in a default
    printed: list[str] = []
    caught_by = 2 if given["as_json"] else 1 if _has_stdout(manifest) else 0
    shown = nullcontext() if caught_by else progress(f"running {manifest.program}")
    with shown, caught(printed, to=caught_by):
        # Lanes are counted where they step together.
        mode = "lockstep" if given["stats"] is not None or given["profile"] else "check"
        outcome = run_on(manifest, graphs, values, chosen.plan, options, mesh, mode=mode)
    printed += outcome.printed
    for line in outcome.printed:
        print(line, file=sys.stderr if given["as_json"] else sys.stdout)
    wrong, verified = None, None
    if given["check"]:
        with progress("verifying"):
            wrong = wrong_answer(manifest, graphs, values, outcome, options, mesh)
        verified = wrong is None
    about = None
    if outcome.profile is not None:
        about = _about(chosen, graphs, given)
        profiling.write(given["profile"], about, outcome.profile)
    if given["out"] is not None:
        if outcome.result.mesh is not None:
            save_mesh(outcome.result.mesh, given["out"])
        else:
            outcome.result.save(given["out"])
    report = _report(chosen, graphs, given, load_ms, outcome, verified)
    return replace(report, printed=tuple(printed), about=about), wrong


def _about(chosen: Chosen, graphs: Mapping[str, Graph], given: Mapping[str, Any]) -> About:
    """Whose profile it is."""
    first = next(iter(graphs.values()), None)
    graph = None if first is None else {"file": given["graph_spec"], "nodes": first.num_nodes, "edges": first.num_edges}
    texts = closure(open_source(given["program"], schedule=given["schedule"]))
    return About(chosen.manifest.program, digest(texts), given["target"], str(chosen.plan), graph)


def _pretended(given: Mapping[str, Any]) -> tuple[int, int, bool]:
    """What the emulator pretends of a GPU (Gpu.emulated)."""
    if given["gpu"] is None:
        return 0, 0, False
    if given["target"] != "simt":
        raise IrglError(f"--gpu has no meaning for --target {given['target']}: it says whose caches the emulator has",
                        hint="leave it out, or run with --target simt")
    return load_gpu(given["gpu"]).emulated


def _check_rounds(given: Mapping[str, Any]) -> None:
    """Raises IrglError where nothing can be told by round."""
    if given["target"] in _NO_ROUNDS:
        raise IrglError(f"--stats=rounds has no meaning for --target {given['target']}: {_NO_ROUNDS[given['target']]}",
                        hint="--target simt counts in each round what a GPU's code does, --target cpu and cuda take "
                             "its time")
    if given["repeat"] > 1:
        raise IrglError(f"--stats=rounds tells of one run, and --repeat asks for {given['repeat']}",
                        hint="leave one of them out")


def _graphs(manifest: Manifest, given: Mapping[str, Any]) -> dict[str, Graph]:
    found = {}
    for at, g in enumerate(manifest.graphs):
        spec = given["graph_spec"] if at == 0 else given[GRAPH + g.name]
        with progress(f"loading {spec}") as tell:
            found[g.name] = load(spec, g, loading(given, manifest.by_file_ids), tell)
    return found


def _mesh(manifest: Manifest, given: Mapping[str, Any]) -> Mesh | None:
    if not manifest.mesh:
        return None
    if given["out"] is not None:
        check_name(given["out"])
    with progress(f"loading {given['mesh_file']}"):
        return load_mesh(given["mesh_file"], given["poly_file"])


def _report(chosen: Chosen, graphs: Mapping[str, Graph], given: Mapping[str, Any], load_ms: float, outcome: Outcome,
            verified: bool | None) -> Report:
    manifest, plan = chosen.manifest, chosen.plan
    applied, not_applicable = list(manifest.applied), list(manifest.not_applicable)
    if given["target"] == "ref":
        applied, not_applicable = reference().plan_report(manifest, plan)
    if chosen.source.startswith(SCHEDULE) and manifest.schedule is not None:
        not_applicable += manifest.schedule.not_applicable
    files = {g.name: given["graph_spec"] if at == 0 else given[GRAPH + g.name] for at, g in enumerate(manifest.graphs)}
    return Report(manifest.program, dict(graphs), files, given["target"], str(plan), chosen.told, applied,
                  not_applicable, load_ms, outcome, verified, given["stats"] == "totals", given["mesh_file"])
