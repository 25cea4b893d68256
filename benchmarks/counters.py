"""What the optimizations of the CUDA target do, counted in the emulator: docs/counters.md and results/counters.json.

    python benchmarks/counters.py                   all of it
    python benchmarks/counters.py --quick           small graphs, to see that it works
    python benchmarks/counters.py --only atomics    one table; the others stay as they are
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict
from math import ceil
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import styles as falcon_styles
from counting import PROGRAMS, ROOT, Counted, count, registers
from machine import commit

from irgl import __version__
from irgl.rt.compile import nvcc
from irgl.rt.compile.toolchain import compiler, version
from irgl.source import IrglError

HERE = Path(__file__).resolve().parent
NY = ROOT.parent / "shared" / "graphs" / "road" / "USA-road-d.NY.gr.gz"
SCHEDULERS = ("serial", "tb", "wp", "fg", "tb+wp", "tb+fg", "wp+fg", "tb+wp+fg")
BLOCK = 256
#: Titles of columns of words.
WORDS = ("program", "graph", "np", "cc", "outline", "basis", "drive", "sync", "its kernel of most registers")
Table = tuple[list[str], dict[str, Any]]  # the lines for people, and what they are made of


def graphs(quick: bool) -> dict[str, str]:
    """The graphs by name: a skewed one, and one of a large diameter."""
    if quick:
        return {"rmat12": "rmat:12", "grid64": "grid:64x64"}
    return {"rmat16": "rmat:16", **({"NY": str(NY)} if NY.is_file() else {"grid512": "grid:512x512"})}


def atomics(of: dict[str, str]) -> Table:
    """Atomics of appends, by the level at which they are taken together."""
    name, spec = next(iter(of.items()))
    runs = [count("traverse", f"np={np} cc={cc} outline=off", name, spec)
            for np in ("serial", "fg") for cc in ("off", "thread", "warp", "block")]
    runs += [count("bfs", f"np=fg cc={cc} outline=off", name, spec) for cc in ("off", "warp", "block")]
    most = ceil(runs[0].nodes / BLOCK)
    plain = {r.program: r.appends for r in reversed(runs) if " cc=off " in f" {r.plan} "}
    lines = head("program", "np", "cc", "atomics of appends", "of those without cc")
    for r in runs:
        share = r.appends / max(1, plain[r.program])
        lines.append(row(r.program, part(r, "np"), part(r, "cc"), r.appends, f"{share:.4f}"))
    block = next(r for r in runs if part(r, "cc") == "block")
    lines += ["", "`traverse` appends in every iteration: at block level one atomic for each block of",
              f"{BLOCK} nodes that has edges, at most {most:,} ({block.appends:,} counted). `bfs` appends under a",
              "condition: one for each block and step of its scheduler in which any thread appends."]
    return lines, {"most_at_block_level": most, "runs": [known(r) for r in runs]}


def reductions(of: dict[str, str]) -> Table:
    """Atomics of reductions over all nodes, by the level at which they are combined."""
    name, spec = next(iter(of.items()))
    words = ("+=", "max=", "Any", "All")
    levels = ("off", "thread", "warp", "block")
    runs = [[count("reductions", f"cc={cc}", name, spec, mode="lockstep", folder=HERE, values={"which": which})
             for which in range(len(words))] for cc in levels]
    idle = count("reductions", "cc=off", name, spec, mode="lockstep", folder=HERE, values={"which": len(words)}).atomics
    found = {cc: {word: r.atomics - idle for word, r in zip(words, row_of, strict=True)}
             for cc, row_of in zip(levels, runs, strict=True)}
    lines = head("cc", *words)
    lines += [row(cc, *found[cc].values()) for cc in levels]
    lines += ["", f"Each reduces {runs[0][0].nodes:,} values. `max=`, Any and All look before they write: where they",
              "would change nothing there is no atomic; those that are counted ran at the same time as others."]
    return lines, {"atomics": found}


def lanes(of: dict[str, str]) -> Table:
    """How many lanes of a warp take part in its steps that touch memory."""
    programs = (("traverse", "thread"), ("bfs", "off"))  # levels at which serial loops wait for nobody
    runs = [count(program, f"np={np} cc={cc} outline=off", name, spec, mode="lockstep")
            for name, spec in of.items() for program, cc in programs for np in SCHEDULERS]
    lines = head("program", "graph", *SCHEDULERS, "fg / serial", numbers=len(SCHEDULERS) + 1)
    found = {(r.program, r.graph, part(r, "np")): float(r["utilisation"]) for r in runs}
    for program, graph in dict.fromkeys((p, g) for p, g, _ in found):
        used = [found[program, graph, np] for np in SCHEDULERS]
        fine, serial = found[program, graph, "fg"], found[program, graph, "serial"]
        lines.append(row(program, graph, *(f"{u:.3f}" for u in used), f"{fine / serial:.1f}"))
    lines += ["", "Warp steps that touch memory, for the same:", ""]
    lines += head("program", "graph", *SCHEDULERS, numbers=len(SCHEDULERS))
    for program, graph in dict.fromkeys((p, g) for p, g, _ in found):
        steps = {part(r, "np"): r["warp_memory"] for r in runs if (r.program, r.graph) == (program, graph)}
        lines.append(row(program, graph, *(steps[np] for np in SCHEDULERS)))
    return lines, {"runs": [known(r, "utilisation", "warp_steps", "warp_memory", "transactions") for r in runs]}


def styles(of: dict[str, str]) -> Table:
    """One Falcon program, programs/falcon/sssp_free.fal, in the styles that a plan makes of it, each with np=serial."""
    if "rmat16" in of:
        of = {"kron18": "rmat:18", "uniform20": "uniform:20"} | {k: v for k, v in of.items() if k != "rmat16"}
    found = falcon_styles.runs(of)
    lines = head("graph", "basis", "drive", "sync", "launches", "pushes", "other atomics", "warp steps", "lanes in use")
    lines += [row(r.graph, *style, r["launches"], r.appends, r.atomics - r.appends, r["warp_steps"],
                  f"{r['utilisation']:.3f}") for style, r in found]
    steps = {(r.graph, style): r["warp_steps"] for style, r in found}
    for drive in ("topology", "data"):
        told = (f"{g} {steps[g, ('edge', drive, 'on')] / steps[g, ('vertex', drive, 'on')]:.2f}" for g in of)
        lines += ["", f"Warp steps by edges over those by nodes, driven by {'the ' * (drive != 'data')}{drive}: "
                  f"{', '.join(told)}."]
    lines += ["", "Rounds that don't wait for each other (docs/cpu.md) go by nodes, whatever `basis` says; what runs",
              "over all nodes gets a list with them."]
    counted = ("launches", "warp_steps", "warp_memory", "utilisation")
    return lines, {"runs": [known(r, *counted) | {"atomics": r.atomics} for _, r in found]}


def launches(of: dict[str, str]) -> Table:
    """Launches and copies, with the loops on the host and on the device."""
    name, spec = list(of.items())[-1]
    runs = [count(program, f"outline={outline}", name, spec)
            for program in ("bfs", "sssp_nf") for outline in ("off", "all")]
    lines = head("program", "graph", "outline", "rounds", "launches", "grid barriers", "copies", "bytes")
    counted = ("rounds", "launches", "grid_barriers", "transfers", "transfer_bytes")
    lines += [row(r.program, r.graph, part(r, "outline"), *(r[name] for name in counted)) for r in runs]
    inside = {off.program: (off["transfer_bytes"] - on["transfer_bytes"], off)
              for off, on in zip(runs[::2], runs[1::2], strict=True)}
    per_round = {p: moved / off["rounds"] for p, (moved, off) in inside.items()}
    per_launch = {p: moved / off["launches"] for p, (moved, off) in inside.items()}
    told = ", ".join(f"{p} {per_round[p]:.1f} bytes a round, {per_launch[p]:.1f} a launch" for p in inside)
    met = ", ".join(f"{r.program} {r['grid_barriers']:,} barriers in {r['rounds']:,} rounds" for r in runs[1::2])
    lines += ["", "What the loops themselves move, the bytes of `off` less those of `all`, whose copies all stand",
              f"outside of the loop: {told}.",
              "A round of `sssp_nf` is several launches (its `Respawn`): scalars, and the sizes of three lists.",
              "On the device rounds of little work are run by the first block alone, and pass no barrier of the grid",
              f"(docs/cuda.md, blocks): {met}.",
              "In lockstep, in which docs/cuda.md counts, `bfs` passes more of them."]
    return lines, {"bytes_per_round": per_round, "bytes_per_launch": per_launch,
                   "runs": [known(r, *counted) for r in runs]}


def spills(_: dict[str, str]) -> Table:
    """Registers, shared memory and spills of the kernels of every program's default plan."""
    try:
        nvcc.compiler()
    except IrglError as e:
        return [f"Not measured: {e.message}."], {"kernels": []}
    told, left_out = [], []
    for path in sorted(PROGRAMS.glob("*.irgl")):
        try:
            told += registers(path.stem)
        except IrglError as e:
            left_out.append(f"{path.stem} ({e.message})")
    lines = head("program", "its kernel of most registers", "registers", "shared, bytes", "spilled, bytes, all kernels")
    for program in dict.fromkeys(r.program for r in told):
        own = [r for r in told if r.program == program]
        most = max(own, key=lambda r: r.registers)
        lines.append(row(program, most.kernel, most.registers, max(r.shared for r in own), sum(r.spilled for r in own)))
    if left_out:
        lines += ["", f"Left out: {'; '.join(left_out)}."]
    return lines, {"architecture": "sm_90", "kernels": [asdict(r) for r in told]}


TABLES: dict[str, tuple[str, Callable[[dict[str, str]], Table]]] = {
    "atomics": ("Atomics of appends", atomics),
    "reductions": ("Atomics of reductions", reductions),
    "lanes": ("Lanes in use", lanes),
    "styles": ("Styles of one program", styles),
    "launches": ("Launches and copies", launches),
    "spills": ("Registers and spills", spills),
}


def part(r: Counted, option: str) -> str:
    """What the plan of a run says for an option."""
    return next(word.partition("=")[2] for word in r.plan.split() if word.startswith(f"{option}="))


def known(r: Counted, *names: str) -> dict[str, Any]:
    """A run for the file of results."""
    of_run = ("program", "graph", "nodes", "edges", "plan", "mode", "seconds", "appends")
    return {name: getattr(r, name) for name in of_run} | {name: r[name] for name in names}


def head(*titles: str, numbers: int = 0) -> list[str]:
    """The first two lines of a table whose last columns are numbers."""
    right = numbers or sum(t not in WORDS for t in titles)
    return [row(*titles), row(*["---"] * (len(titles) - right), *["---:"] * right)]


def row(*cells: object) -> str:
    return "| " + " | ".join(f"{c:,}" if isinstance(c, int) else str(c) for c in cells) + " |"


INTRO = """# What the optimizations of the CUDA target count

Counted in the emulator, which runs the generated CUDA text (docs/cuda.md). These are counts, not times: they show that
an optimization does what it is for, not what it is worth on a GPU. `python benchmarks/counters.py` makes this page.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small graphs, and nothing is written but to --out")
    parser.add_argument("--only", choices=TABLES, nargs="+", metavar="TABLE",
                        help=f"some of the tables, the others stay as they are: {', '.join(TABLES)}")
    parser.add_argument("--out", type=Path,
                        help="folder of counters.md and counters.json [default: docs, benchmarks/results]")
    given = parser.parse_args()
    of = graphs(given.quick)
    docs, store = (given.out, given.out) if given.out is not None else (ROOT / "docs", ROOT / "benchmarks" / "results")
    results, found = store / "counters.json", {}
    if given.only is not None and results.is_file():
        found = json.loads(results.read_text(encoding="utf-8"))
    for key in given.only if given.only is not None else TABLES:
        _, table = TABLES[key]
        lines, data = table(of)
        print("\n".join(lines), flush=True)
        found[key] = {"commit": commit(ROOT), "graphs": {k: Path(v).name for k, v in of.items()},
                      "versions": versions(), "lines": lines, **data}
    if given.quick and given.out is None:
        return 0
    results.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (docs / "counters.md").write_text(page(found), encoding="utf-8")
    return 0


def page(found: dict[str, Any]) -> str:
    """docs/counters.md."""
    there = {key: found[key] for key in TABLES if key in found}
    lines = [INTRO]
    for key, made in there.items():
        title, table = TABLES[key]
        lines += [f"## {title}", "", table.__doc__ or "", "", *made["lines"], ""]
    ways: dict[str, list[str]] = {}
    for key, made in there.items():
        shown = [", ".join(f"{k} {v}" for k, v in made[part].items()) for part in ("graphs", "versions")]
        ways.setdefault(f"commit {made['commit']}; {'; '.join(shown)}.", []).append(TABLES[key][0])
    lines += ["## Made by", ""]
    for how, titles in ways.items():
        lines += [f"{'All' if len(titles) == len(there) else ', '.join(titles)}: {how}", ""]
    return "\n".join(lines)


def versions() -> dict[str, str]:
    """What made the numbers."""
    try:
        assembler = version((nvcc.compiler(),)).strip().splitlines()[-1]
    except IrglError:
        assembler = "absent"
    return {"irgl": __version__, "g++": version(tuple(compiler())).splitlines()[0], "nvcc": assembler,
            "Python": platform.python_version()}


if __name__ == "__main__":
    sys.exit(main())
