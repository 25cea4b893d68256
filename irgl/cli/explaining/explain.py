"""irglc explain."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import rich_click as click

from irgl.analysis.explain.draw import dot
from irgl.analysis.explain.facts import Explained, describe
from irgl.analysis.explain.facts import explain as facts
from irgl.analysis.explain.opening import opening, planned
from irgl.analysis.explain.text import lines
from irgl.analysis.names.paths import nested_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.cli.explaining.places import compiled, update_lines, what_it_does
from irgl.cli.explaining.profile import advice, profile_json, profile_lines, profile_of
from irgl.cli.explaining.queues import queue_lines, queues
from irgl.cli.explaining.rounds import round_lines, rounds
from irgl.cli.explaining.schedules import schedule_lines
from irgl.cli.explaining.updates import updates_under
from irgl.cli.shell.values import FILE, GRAPH_SPEC, PLAN, PROGRAM
from irgl.frontends.load import open_source
from irgl.placing import labels_in, placed
from irgl.plan import Plan
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.program import open_program
from irgl.rt.system.whole_file import check_other, write_whole
from irgl.scheduling import fitted
from irgl.source import IrglError
from irgl.space import driven, legal_space
from irgl.tune.choose.texts import meant

#: The plan that is told of where none is asked for.
OWN = "default (what options say by themselves)"


@click.command()
@click.argument("program", type=PROGRAM)
@click.option("--target", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True,
              help="The target whose plan is explained.")
@click.option("--plan", "plan_text", type=PLAN, metavar="PLAN",
              help="Also report where this plan applies, and why it does not elsewhere.")
@click.option("--all", "every", is_flag=True,
              help="Also report which loops are uniform, and where a collective may be placed (focal points).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--dot", "dot_file", type=FILE, metavar="FILE",
              help="Write the diagrams in Graphviz's language; - is stdout.")
@click.option("--svg", "svg_file", type=FILE, metavar="FILE",
              help="Write the diagrams as SVG; - is stdout. Needs Graphviz's `dot`.")
@click.option("--graph", "-g", "graph_spec", type=GRAPH_SPEC, metavar="FILE",
              help="Report the size in bytes of each legal edge format on this graph.")
@click.option("--schedule", type=FILE, metavar="FILE", help="The schedule of a GraphIt program, in place of its own.")
@click.option("--profile", "profile_file", type=FILE, metavar="FILE.json",
              help="Report a profile written by `irglc run --profile=FILE.json` beside the lines, and what could gain.")
def explain(program: str, target: str, plan_text: str | None, every: bool, as_json: bool, dot_file: str | None,
            svg_file: str | None, graph_spec: str | None, schedule: str | None, profile_file: str | None) -> None:
    """Reports what the compiler knows about every kernel, loop and orchestration statement of PROGRAM.

    Three lines come first: what is parallel, what is atomic, and what the plan does. Then, for each place: what it
    reads and writes, how many items it may push, and whether it can be outlined, or why not; why each update is plain
    or atomic under the plan; how priority queues may file their nodes; which loops may be data-driven or
    topology-driven, and which need no barrier between rounds; and the legal edge formats of each nested loop. The
    diagrams show outline trees, control flow and control dependence: uniform branches have round corners, focal points
    are filled, edges for collectives are thick.

    \b
    Examples:
      irglc explain program.irgl
      irglc explain program.irgl --all
      irglc explain program.irgl --svg program.svg
      irglc explain program.irgl --graph roads.gr.gz
      irglc explain program.irgl --target cuda --plan "np=fg cc=block outline=all"
      irglc explain program.irgl --profile run.json
    """
    if profile_file is not None:
        _profile(program, profile_file, schedule, as_json=as_json)
        return
    asked = {"--json": as_json, "--dot -": dot_file == "-", "--svg -": svg_file == "-"}
    shown = [word for word, out in asked.items() if out]
    if len(shown) > 1:
        raise IrglError(f"{shown[0]} and {shown[1]} both go to stdout", hint=f"give {shown[1].split()[0]} a file")
    for out in (dot_file, svg_file):
        if out is not None:
            check_other(Path(out), program)
    if graph_spec is not None and target != "cpu":
        raise IrglError(f"--graph has no meaning for --target {target}: it tells bytes of forms as the CPU has them",
                        hint="leave it out, or take --target cpu")
    source = open_source(program, schedule=schedule)
    checked = compiled(source)
    said = fitted(source, checked, target)
    if said is not None:
        plan_text = str(meant(plan_text, said.plan, target, said.labels))
    default = Plan(target=target)
    labels = labels_in(checked.program, source)
    plan = None if plan_text is None else placed(checked.program, Plan.parse(plan_text, target), target, source)
    forms = _forms(checked, program, graph_spec, plan) if target == "cpu" else []
    ordered = [*queues(checked)] if target == "cpu" else []
    turns = [*rounds(checked, target)]
    applied, refused = ([], []) if plan is None else what_it_does(checked, plan)
    by_plan = driven(checked, default if plan is None else plan)
    changed = updates_under(by_plan.checked, by_plan.plan)
    for out, draw in ((svg_file, _svg), (dot_file, str)):
        if out is not None and out != "-":
            write_whole(Path(out), draw(dot(checked)))
    if "-" in (dot_file, svg_file):
        print(dot(checked) if dot_file == "-" else _svg(dot(checked)), end="")
    elif as_json:
        found: dict[str, object] = {"program": program, "places": [_json(p) for p in facts(checked)],
                                    "updates": [u._asdict() for u in changed],
                                    "queues": ordered, "rounds": turns, "forms": forms}
        if labels:
            found["labels"] = labels
        if said is not None:
            found["schedule"] = {k: v for k, v in asdict(said).items() if k != "labels"}
        if plan_text is not None:
            found["plan"] = {"text": plan_text, "applied": applied, "not_applicable": refused}
        print(json.dumps(found, indent=1))
    else:
        places = facts(checked)
        did = (applied, refused) if plan is not None else what_it_does(checked, default)
        print(*opening(checked, places), planned(plan_text if plan_text is not None else OWN, *did), "", sep="\n")
        print("\n\n".join("\n".join(lines(p, every=every)) for p in places))
        if changed:
            print("\nUpdates", *update_lines(changed), sep="\n")
        if ordered:
            print("\nPriority queues", *queue_lines(ordered), sep="\n")
        if turns:
            print("\nRounds", *round_lines(turns), sep="\n")
        if forms:
            print("\nForms of edges", *(line for f in forms for line in _form_lines(f)), sep="\n")
        if labels:
            print("\nLabels", *_label_lines(labels), sep="\n")
        if said is not None:
            print("", *schedule_lines(said), sep="\n")
        if plan_text is not None:
            print("\nThe plan applies", *(f"  {a}" for a in applied), "and not", *(f"  {r}" for r in refused), sep="\n")


def _profile(program: str, file: str, schedule: str | None, *, as_json: bool) -> None:
    """What a profile says of the program."""
    source = open_source(program, schedule=schedule)
    checked = compiled(source)
    about, profile = profile_of(file, source, checked)
    found = advice(about, profile, checked)
    if as_json:
        print(json.dumps({"program": program, "profile": profile_json(about, profile, found)}, indent=1))
    else:
        print(*profile_lines(about, profile, found, source), sep="\n")


def _label_lines(labels: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    width = max(map(len, labels))
    yield from (f"  {path:<{width}}  {', '.join(at) or 'no loop'}" for path, at in labels.items())


def _forms(checked: Checked, program: str, graph_spec: str | None, plan: Plan | None) -> list[dict[str, Any]]:
    """The forms that each nested loop over edges may run over, or not and why; with a graph the bytes of each, as the
    plan has it laid out."""
    sizes: dict[str, dict[str, dict[str, Any]]] = {}
    if graph_spec is not None:
        from irgl.rt.forms.figures import sizes as sizes_of  # only with a graph: they load NumPy

        manifest = open_program(program, Plan())
        if not manifest.graphs:
            raise IrglError("the program takes no graph", hint="leave out --graph")
        loaded = load(graph_spec, manifest.graphs[0], Loading(compact=not manifest.by_file_ids))
        sizes = {edges: sizes_of(loaded, edges, plan if plan is not None else Plan()) for edges in ("out", "in")}
    loops = {path: loop for k in checked.kernels.values() for loop, path in nested_loops(k).items()}
    found: list[dict[str, Any]] = []
    for c in legal_space(checked.program):
        if c.option == "format":
            into = any(isinstance(n, A.Member) and n.name == "in_edges" for n in walk(loops[c.place].iterator))
            known = sizes.get("in" if into else "out", {})
            found.append({"place": c.place, "legal": list(c.values), "refused": dict(c.refused),
                          **_sizes({name: known[name] for name in c.values} if sizes else {})})
    return found


def _sizes(known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Of forms: their bytes, None where one does not take the graph, and which may take less."""
    most = [name for name, told in known.items() if "is_bound" in told]
    return {"bytes": {name: told.get("bytes") for name, told in known.items()}, "is_bound": most} if known else {}


def _form_lines(f: dict[str, Any]) -> Iterator[str]:
    """A loop's forms: one line of those that it may have, one for each reason why it can't have others."""
    size = {name: "not of this graph" if n is None else f"{'at most ' * (name in f['is_bound'])}{n:,} bytes"
            for name, n in f.get("bytes", {}).items()}
    yield f"  {f['place']}: " + ", ".join(f"{name} {size[name]}" if name in size else name for name in f["legal"])
    for reason in dict.fromkeys(f["refused"].values()):
        yield f"    not {', '.join(name for name, why in f['refused'].items() if why == reason)}: {reason}"


def _json(p: Explained) -> dict[str, object]:
    return {
        "path": p.path,
        "what": p.what,
        "line": p.line,
        "reads": [str(place) for place in p.effects.reads],
        "writes": [str(place) for place in p.effects.writes],
        "closure": p.variables,
        "combines": p.combines,
        "uniform": p.uniform,
        "focal": {how: [[describe(e.source), describe(e.target)] for e in edges] for how, edges in p.focal.items()},
        "bounds": {name: {"kind": b.kind, "size": str(b)} for name, b in p.bounds.items()},
        "replay": None if p.replay is None else str(p.replay),
        "sections": p.sections,
        "outline": p.outline,
        "refusals": [
            {"place": path, "reason": r.reason, "remedy": r.remedy,
             "line": r.node.span.line if r.node.span is not None else None}
            for path, r in p.refusals
        ],
    }  # fmt: skip


def _svg(text: str) -> str:
    """The picture, laid out by Graphviz."""
    program = shutil.which("dot")
    if program is None:
        raise IrglError("no program `dot` is here to lay the picture out",
                        hint="install Graphviz, or write --dot FILE and lay it out elsewhere: dot -Tsvg FILE")
    done = subprocess.run([program, "-Tsvg"], input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise IrglError(f"`dot` failed: {done.stderr.strip() or f'exit code {done.returncode}'}",
                        hint="write --dot FILE to see what it was given")
    return done.stdout
