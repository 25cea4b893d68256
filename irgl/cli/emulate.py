"""irglc emulate."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import rich_click as click

from irgl.rt.compile.architectures import capability
from irgl.rt.emulate.emulate import ARCH, MODES, STANDARDS, Message, build, pretending, run
from irgl.rt.emulate.orders import ORDERS, SECONDS, Explored, explore
from irgl.source import IrglError
from irgl.tune.measure.gpu import load


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.option("--mode", type=click.Choice(MODES), default="lockstep", show_default=True,
              help="lockstep: the lanes of a warp step together; check: each runs on its own, faster; fast: no checks.")
@click.option("--orders", type=click.IntRange(1, 2**31 - 1), metavar="N", envvar="IRGL_EMU_ORDERS",
              help=f"Run in at most this many orders of lanes, warps and blocks. Default: {ORDERS}; with --mode fast "
                   "1, the natural order.")
@click.option("--budget", type=click.FloatRange(0), metavar="SECONDS", default=SECONDS, show_default=True,
              help="Time limit of all orders after the first together.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", envvar="IRGL_EMU_SEED",
              help="Run in the order with this number only: 0 is the natural order, 1 the reverse.")
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option("--stats", is_flag=True, help="Print counters to stderr at the end.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with output, messages, counters.")
@click.option("--gpu", metavar="NAME",
              help="The GPU whose caches are emulated, by name or as a file. [default: the emulator's own]")
@click.option("--with", "more", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Another source file of the program: CUDA if it ends in .cu, C if in .c, else C++.")
@click.option("-I", "include", multiple=True, type=click.Path(path_type=Path), metavar="DIR",
              help="Add a folder to the header search path.")
@click.option("-D", "define", multiple=True, metavar="NAME[=VALUE]", help="Define a macro.")
@click.option("--arch", metavar="sm_90", default=ARCH, show_default=True,
              help="The architecture that device code sees in __CUDA_ARCH__, and that the device reports.")
@click.option("--std", type=click.Choice(STANDARDS), default="c++17", show_default=True, help="The C++ standard.")
def emulate(file: Path, args: tuple[str, ...], mode: str, orders: int | None, budget: float, seed: int | None,
            strict: bool, stats: bool, as_json: bool, more: tuple[Path, ...], include: tuple[Path, ...],
            define: tuple[str, ...], std: str, arch: str, gpu: str | None) -> int:
    """Builds the CUDA program FILE, runs it without a GPU, and reports errors that a GPU would hide.

    \b
    Exits with the program's own code, or 86 if errors were found, or 2 if something is not supported. It runs the
    program several times, each time with another order of its threads, until an error is found; output and counters
    are those of the first run, in natural order.

    \b
    Examples:
      irglc emulate program.cu
      irglc emulate program.cu --mode lockstep --stats -- graph.txt 5
      irglc emulate main.cu --with kernels.cu --with reader.cpp -I include
    """
    if seed is not None and orders is not None:
        raise IrglError("--seed names one order, and --orders asks for several",
                        hint="the first orders are those of the seeds 0, 1, 2 and so on")
    pretended = pretending(*load(gpu).emulated) if gpu is not None else {}
    pretended["IRGL_EMU_ARCH"] = str(capability(arch))
    executable = build(file, more=more, include=include, defines=define, std=std, arch=arch)
    if seed is not None:
        one = run(executable, args, source=file, mode=mode, seed=seed, capture=as_json,
                  environment=pretended | ({"IRGL_EMU_STRICT": "1"} if strict else {}))
        explored = Explored(one, 1, 0, False)
    else:
        explored = explore(executable, args, source=file, mode=mode, orders=orders or (1 if mode == "fast" else ORDERS),
                           seconds=budget, strict=strict, capture=as_json, environment=pretended)
    report = explored.report
    if as_json:
        print(json.dumps({"code": report.code, "stdout": report.stdout, "stderr": report.stderr,
                          "messages": [dataclasses.asdict(m) for m in report.messages], "counters": report.counters,
                          "orders": {"run": explored.orders, "seconds": round(explored.seconds, 3),
                                     "cut": explored.is_cut}}))
        return report.code
    if seed is None:
        _tell([m for m in report.messages if m.seed != 0])
    if stats:
        _print_counters(explored)
    return report.code


def _tell(messages: Sequence[Message]) -> None:
    """What orders after the first have found, and how each is run again."""
    for m in messages:
        print(f"{m}\n  hint: it needs an order of blocks and threads: `--seed {m.seed}` runs that one alone",
              file=sys.stderr)


def _print_counters(explored: Explored) -> None:
    for name, value in explored.report.counters.items():
        if name == "devices":
            for number, own in enumerate(value):
                for key, n in own.items():
                    print(f"devices: {number}: {key}: {n}", file=sys.stderr)
            continue
        if not isinstance(value, dict):
            print(f"{name}: {value}", file=sys.stderr)
            continue
        for key, n in value.items():
            print(f"{name}: {key}: {n}", file=sys.stderr)
    cut = ", then time was up" if explored.is_cut else ""
    print(f"orders: {explored.orders} in {explored.seconds:.1f} s after the first{cut}", file=sys.stderr)
