"""irglc emulate."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import rich_click as click

from irgl.rt.emulate.emulate import MODES, STANDARDS, Report, build, run


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.option("--mode", type=click.Choice(MODES), default="lockstep", show_default=True,
              help="lockstep: the lanes of a warp step together; check: each runs on its own, faster; fast: unchecked.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", default=0, envvar="IRGL_EMU_SEED",
              help="Which order lanes, warps and blocks run in; 0, the default, is the natural one.")
@click.option("--stats", is_flag=True, help="Print counters at the end, on stderr.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with output, messages, counters.")
@click.option("--with", "more", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Another file of the program: CUDA where it ends in .cu, else C++.")
@click.option("-I", "include", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
              help="A folder of headers.")
@click.option("-D", "define", multiple=True, metavar="NAME[=VALUE]", help="Define a macro.")
@click.option("--std", type=click.Choice(STANDARDS), default="c++17", show_default=True, help="The C++ it is in.")
def emulate(file: Path, args: tuple[str, ...], mode: str, seed: int, stats: bool, as_json: bool,
            more: tuple[Path, ...], include: tuple[Path, ...], define: tuple[str, ...], std: str) -> int:
    """Builds the CUDA program FILE and runs it without a GPU, telling of errors that a GPU would hide.

    \b
    Exits with the program's own code, or 86 where errors were found, or 2 where something is not covered.

    \b
    Examples:
      irglc emulate program.cu
      irglc emulate program.cu --mode lockstep --stats -- graph.txt 5
      irglc emulate main.cu --with kernels.cu --with reader.cpp -I include
    """
    executable = build(file, more=more, include=include, defines=define, std=std)
    report = run(executable, args, source=file, mode=mode, seed=seed, capture=as_json)
    if as_json:
        print(json.dumps({"code": report.code, "stdout": report.stdout, "stderr": report.stderr,
                          "messages": [{"level": m.level, "kind": m.kind, "place": m.place, "text": m.text}
                                       for m in report.messages], "counters": report.counters}))
    elif stats:
        _print_counters(report)
    return report.code


def _print_counters(report: Report) -> None:
    for name, value in report.counters.items():
        if not isinstance(value, dict):
            print(f"{name}: {value}", file=sys.stderr)
            continue
        for key, n in value.items():
            print(f"{name}: {key}: {n}", file=sys.stderr)
