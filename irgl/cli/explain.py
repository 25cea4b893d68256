"""irglc explain."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import rich_click as click

from irgl.analysis.check import check
from irgl.analysis.explain.draw import dot
from irgl.analysis.explain.facts import Explained, describe
from irgl.analysis.explain.facts import explain as facts
from irgl.analysis.explain.opening import opening, planned
from irgl.analysis.explain.text import lines
from irgl.analysis.names.symbols import Checked
from irgl.cli.shell.values import FILE, PLAN, PROGRAM
from irgl.driver import front
from irgl.frontends.load import open_source
from irgl.passes.lower_cuda import lower
from irgl.passes.pipeline import PASSES
from irgl.plan import Plan
from irgl.rt.system.whole_file import check_other, write_whole
from irgl.source import IrglError
from irgl.space import laid_out, report, told

#: The plan that is told of where none is asked for.
OWN = "default (what options say by themselves)"


@click.command()
@click.argument("program", type=PROGRAM)
@click.option("--target", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True,
              help="Whose plan is explained.")
@click.option("--plan", "plan_text", type=PLAN, metavar="PLAN",
              help="Tell also what this plan does where, and why not elsewhere.")
@click.option("--all", "every", is_flag=True,
              help="Tell also which loops are uniform, and where a collective may stand (focal points).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--dot", "dot_file", type=FILE, metavar="FILE",
              help="Write the pictures in Graphviz's language; - is stdout.")
@click.option("--svg", "svg_file", type=FILE, metavar="FILE",
              help="Draw the pictures, - is stdout; needs Graphviz's `dot`.")
def explain(program: str, target: str, plan_text: str | None, every: bool, as_json: bool, dot_file: str | None,
            svg_file: str | None) -> None:
    """Tells what is known of every kernel, loop and orchestration statement of PROGRAM.

    Three lines come first: what is parallel, what is atomic, what the plan does. Then what each place reads and writes,
    how much may be pushed, and what can be outlined, with the reason where it can't. The pictures show outline trees,
    control flow and control dependence: uniform branches with round corners, focal points filled, edges for
    collectives thick.

    \b
    Examples:
      irglc explain program.irgl
      irglc explain program.irgl --all
      irglc explain program.irgl --svg program.svg
      irglc explain program.irgl --target cuda --plan "np=fg cc=block outline=all"
    """
    asked = {"--json": as_json, "--dot -": dot_file == "-", "--svg -": svg_file == "-"}
    shown = [word for word, out in asked.items() if out]
    if len(shown) > 1:
        raise IrglError(f"{shown[0]} and {shown[1]} both go to stdout", hint=f"give {shown[1].split()[0]} a file")
    for out in (dot_file, svg_file):
        if out is not None:
            check_other(Path(out), program)
    checked = _checked(program)
    applied, refused = _planned(checked, plan_text, target)
    for out, draw in ((svg_file, _svg), (dot_file, str)):
        if out is not None and out != "-":
            write_whole(Path(out), draw(dot(checked)))
    if "-" in (dot_file, svg_file):
        print(dot(checked) if dot_file == "-" else _svg(dot(checked)), end="")
    elif as_json:
        found: dict[str, object] = {"program": program, "places": [_json(p) for p in facts(checked)]}
        if plan_text is not None:
            found["plan"] = {"text": plan_text, "applied": applied, "not_applicable": refused}
        print(json.dumps(found, indent=1))
    else:
        places = facts(checked)
        did = (applied, refused) if plan_text is not None else _planned(checked, "default", target)
        print(*opening(checked, places), planned(plan_text if plan_text is not None else OWN, *did), "", sep="\n")
        print("\n\n".join("\n".join(lines(p, every=every)) for p in places))
        if plan_text is not None:
            print("\nThe plan applies", *(f"  {a}" for a in applied), "and not", *(f"  {r}" for r in refused), sep="\n")


def _planned(checked: Checked, plan_text: str | None, target: str) -> tuple[list[str], list[str]]:
    """What a plan does where, and where not, with the reason."""
    if plan_text is None:
        return [], []
    plan = Plan.parse(plan_text, target)
    if target == "cpu":
        return report(checked.program, plan, target)
    return told([*lower(checked, plan).decisions, *laid_out(checked, plan)])


def _checked(program: str) -> Checked:
    """The program as code is generated from it."""
    checked = front(open_source(program))
    for _, run in PASSES:
        checked = check(run(checked.program))
    return checked


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
