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
              help="A GraphIt program's schedule, under which it was tuned, in place of its own.")
@click.option("--db", type=FILE, metavar="FILE", help="The tuner's database. [default: where irglc tune keeps it]")
@click.option("--out", "-o", type=FILE, metavar="FILE", help="The page to write. [default: PROGRAM-report.html here]")
def report(program: str, graphs: tuple[str, ...], target: str | None, db: str | None, out: str | None,
           schedule: str | None) -> None:
    """Writes what irglc tune found for PROGRAM as one HTML page, which needs no network.

    It has the speedups and how sure they are, how the search went, what each option does, plans by graphs, the whole
    space, what failed, and the best plan's code beside the plain one's.

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
