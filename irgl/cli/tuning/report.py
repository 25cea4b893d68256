"""irglc report."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from irgl.cli.shell.values import FILE, GRAPH_SPEC, PROGRAM
from irgl.rt.system.whole_file import check_other, write_whole
from irgl.source import IrglError
from irgl.tune.report.load import load
from irgl.tune.report.page import page
from irgl.tune.results.store import Store, default_path


@click.command()
@click.argument("program", type=PROGRAM)
@click.option("--graph", "-g", "graphs", type=GRAPH_SPEC, multiple=True, metavar="FILE",
              help="Only results on this graph; may be given several times. [default: all graphs]")
@click.option("--target", type=click.Choice(["cpu", "cuda", "simt"]), help="[default: that of the last tuning]")
@click.option("--schedule", type=FILE, metavar="FILE",
              help="The schedule of a GraphIt program with which it was tuned, in place of its own.")
@click.option("--db", type=FILE, metavar="FILE", help="The tuner's database. [default: that of irglc tune]")
@click.option("--out", "-o", type=FILE, metavar="FILE",
              help="The page to write. [default: PROGRAM-report.html in the current folder]")
def report(program: str, graphs: tuple[str, ...], target: str | None, db: str | None, out: str | None,
           schedule: str | None) -> None:
    """Writes the results of irglc tune for PROGRAM as one self-contained HTML page.

    It shows speedups with confidence intervals, the course of the search, the effect of each option, plans by graphs,
    the whole space, failures, and the best plan's code beside that of the plan none.

    \b
    Examples:
      irglc report program.irgl
      irglc report program.irgl --graph roads.gr --out roads.html
    """
    path = Path(db) if db is not None else default_path()
    if not path.is_file():
        raise IrglError("there is no tuner's database yet" if db is None else "there is no such database",
                        file=str(path), hint=f"irglc tune {program} --graph FILE makes results")
    with Store(path if db is not None else None) as store:
        made = page(load(program, store, target, graphs, schedule))
    to = Path(out) if out is not None else Path(f"{Path(program).stem}-report.html")
    check_other(to, program)
    write_whole(to, made)
    print(f"{to}: {len(made.encode()) / 1e3:,.0f} kB")
