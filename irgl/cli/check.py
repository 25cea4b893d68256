"""irglc check and irglc dump."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from typing import Any

import rich_click as click

from irgl.cli.explaining.remarks import remarks
from irgl.cli.shell.values import FILE, PLAN, PROGRAM
from irgl.driver import front, ready_of, stages
from irgl.frontends.gt.source import GraphItSource
from irgl.frontends.load import chosen_of, open_source
from irgl.frontends.python.load import programs as programs_of
from irgl.frontends.python.places import PythonSource
from irgl.frontends.scheduled import schedule_of
from irgl.scheduling import fitted
from irgl.source import IrglError, Source, is_graphit, notation_of
from irgl.tune.choose.texts import meant


@click.command()
@click.argument("programs", nargs=-1, type=PROGRAM, required=True, metavar="PROGRAM...")
@click.option("--schedule", type=FILE, metavar="FILE", help="The schedule of a GraphIt program, in place of its own.")
@click.option("--strict", is_flag=True,
              help="For GraphIt and Falcon programs: list conversions that may lose information, and racing stores "
              "of which any may win; for Falcon also what has no effect here.")
def check(programs: tuple[str, ...], strict: bool, schedule: str | None) -> int:
    """Checks programs: syntax, names, types, races.

    Prints errors only; exit code 2 if there are any. A library of kernels needs no Program.

    \b
    Example:
      irglc check program.irgl kernels.irgl
      irglc check --strict program.gt
    """
    if schedule is not None and len(programs) > 1:
        raise IrglError(f"--schedule is of one program, and {len(programs)} are given", hint="check them one by one")
    wrong = 0
    for path in programs:
        try:
            for source in each_program(open_source(path, schedule=schedule)):
                room = notation_of(source.path)
                if strict and not room:
                    raise IrglError("--strict lists what GraphIt's programs leave unsaid; this one says all of it",
                                    file=source.path, hint="leave --strict out: the check is the same")
                checked = front(source)
                schedule_of(source, "cpu")
                reader: Any = importlib.import_module(f"irgl.frontends.{room}.load") if strict else None
                for line in remarks(checked, reader.read(source).notes) if strict else ():
                    print(line)
        except IrglError as e:
            print(e, file=sys.stderr)
            wrong = 2
    return wrong


def each_program(source: Source) -> list[Source]:
    """A program's source; that of each program where a Python file holds several, or a .gt file exports functions, and
    none is chosen."""
    if isinstance(source, PythonSource) and not source.chosen:
        return [replace(source, chosen=name) for name in programs_of(source)] or [source]
    if isinstance(source, GraphItSource) and is_graphit(source.path) and not source.chosen and source.text.strip():
        reader: Any = importlib.import_module("irgl.frontends.gt.load")  # which other notations need not
        has_main, names = reader.entries(source)
        return [replace(source, chosen=name) for name in (*(["main"] if has_main else []), *names)] or [source]
    return [source]


@click.command()
@click.argument("program", type=PROGRAM)
@click.option("--stage", metavar="NAME", help="Print one stage: tokens, ast, program, python, a pass, c++ or cuda.")
@click.option("--target", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True,
              help="The target to compile for.")
@click.option("--plan", "plan_text", type=PLAN, help="The plan to compile under. [default: the schedule's, or default]")
@click.option("--schedule", type=FILE, metavar="FILE", help="The schedule of a GraphIt program, in place of its own.")
def dump(program: str, stage: str | None, target: str, plan_text: str | None, schedule: str | None) -> None:
    """Prints a program at each stage, from tokens to C++ or CUDA; of a .gt file also each exported function.

    \b
    Examples:
      irglc dump program.irgl --stage c++
      irglc dump program.irgl --target cuda --plan "np=fg cc=warp" | less
      irglc dump program.gt --schedule roads.gt --stage c++
    """
    source = open_source(program, schedule=schedule)
    wanted = each_program(source) if is_graphit(source.path) else [source]
    for one in wanted:
        if len(wanted) > 1:
            print(f"==== {one.path}:{chosen_of(one)} ====")
        _dump(one, stage, target, plan_text)


def _dump(source: Source, stage: str | None, target: str, plan_text: str | None) -> None:
    scheduled = schedule_of(source, target) is not None
    said = fitted(source, ready_of(front(source), source).checked, target) if scheduled else None
    plan = meant(plan_text, None, target) if said is None else meant(plan_text, said.plan, target, said.labels)
    shown = stages(source, plan)
    names = [name for name, _ in shown]
    if stage is not None and stage not in names:
        raise IrglError(f"no stage is called `{stage}`", hint="stages: " + ", ".join(names))
    for name, text in shown:
        if stage is None:
            print(f"==== {name} ====")
        if stage in (None, name):
            print(text.rstrip("\n"))
