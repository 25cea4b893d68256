"""The tables of benchmarks/weaver.py: its figures beside those of the thesis, and rows of some graphs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from counters import head, row
from weaver_checks import Measured, Ran, beside_edges, mean, places, ratio, verdicts
from weaver_graphs import POWER_LAWS
from weaver_rows import COUNTED, GPU, PROGRAMS_OF_IT, ROUNDS_OF_IT, SCHEDULES, Row, bound

#: The graphs of which the page has all rows; `--show FILE --graphs GRAPH` prints those of others.
SHOWN = ("rmat16", "rome99")
_PROGRAMS = tuple(t.name for t in PROGRAMS_OF_IT)
_ROUNDS = tuple(t.name for t in ROUNDS_OF_IT)
_OTHERS = ("EM", "WM", "CM", "weaver", "unit")
#: The row that table 4.1 is counted in, and the rounds of it.
_COSTLY, _ITERATIONS = ("pr_pull", "rmat16"), 2
Lines = Iterator[str]

_IMBALANCE = """### Steps at memory where edges stay with their nodes (figure 4.2)

Those of VM over those of EM, WM and the unit; where EM is refused both run over all nodes.
"""
_TIMES = """### Modelled times (figure 4.10)

The time of VM over those of others: above 1 they are faster. `decides`: the part of the model that takes most of the
unit's time.
"""
_SKEW = """### As many edges among more nodes (figure 4.11)

`pr_pull` on power laws with clusters of NetworkX, seed 1: VM over the others, steps at memory and modelled times.
"""
_DIRECTIONS = """### A round, pulled and pushed (figure 4.17)

One round of PageRank's sums by itself, on undirected graphs.
"""
_CONVOLUTION = """### A graph convolution of 16 weights (figure 4.19)

The modelled time of VM by weight, a thread for each weight of a node, over those of others. VM is a thread for all
weights of a node; the others add edge by edge, each weight by an atomic.
"""
_COSTS = """### What a schedule costs (table 4.1)

`pr_pull` on rmat16: for each 32 arcs that an iteration looks at, steps of warps, those at memory, those of them in
shared memory, transactions and atomics; and in all, launches and barriers.
"""


def page(found: dict[str, Any], graphs: tuple[str, ...] = ()) -> str:
    """All figures, or the rows of some graphs."""
    rows: list[Row] = found["rows"]
    parts = [_rows(rows, g) for g in graphs] if graphs else [
        _made(found), _expectations(rows), _imbalance(rows), _times(rows), _skew(rows), _directions(rows),
        _convolution(rows), _costs(rows), *(_rows(rows, g) for g in SHOWN)]
    return "".join(f"{line}\n" for part in parts for line in part)


def _made(found: dict[str, Any]) -> Lines:
    rows: list[Row] = found["rows"]
    sizes = {r["graph"]: f"{r['graph']} {r['nodes']:,} and {r['arcs']:,}" for r in rows
             if "nodes" in r and r["program"] in _PROGRAMS}
    made = {"commit": ", ".join(dict.fromkeys(r["commit"] for r in rows)), **found["versions"]}
    said = set.intersection(*(set(r["plan"].split()) for r in rows))
    common = " ".join(word for word in rows[0]["plan"].split() if word in said)
    yield f"Every plan says `{common}`, all else is as it is by default; the GPU is `{GPU}`. Nodes and arcs:"
    yield f"{', '.join(sizes.values())}."
    yield f"Made by {', '.join(f'{k} {v}' for k, v in made.items())}."
    yield f"The machine, of which counts don't depend: {found['machine']['cpu']}, {found['machine']['system']}."
    yield ""


def _expectations(rows: list[Row]) -> Lines:
    yield from ("### What was expected", "", *verdicts(rows), "")


def _pick(rows: list[Row], programs: tuple[str, ...], skewed: bool = False) -> Iterator[tuple[str, str, Ran]]:
    wanted = [r for r in rows if r["program"] in programs and (r["graph"] in POWER_LAWS) == skewed]
    for _, ran in places(wanted):
        one = next(iter(ran.values()))
        yield one["program"], one["graph"], ran


def _imbalance(rows: list[Row]) -> Lines:
    yield from (_IMBALANCE, *head("program", "graph", "VM / EM", "VM / WM", "VM / unit"))
    for program, graph, ran in sorted(_pick(rows, _PROGRAMS), key=_by_program):
        yield row(program, graph, _short(beside_edges(ran, "warp_memory", "VM")),
                  *(_short(ratio(ran, "VM", s, "warp_memory")) for s in ("WM", "unit")))
    yield ""


def _times(rows: list[Row]) -> Lines:
    names = [s for s in SCHEDULES if s != "VM" and not s.endswith("all nodes")]
    yield from (_TIMES, *head("program", "graph", "VM, ms", *names, "decides"))
    own = [p for p in sorted(_pick(rows, _PROGRAMS), key=_by_program) if "VM" in p[2]]
    for program in dict.fromkeys(p[0] for p in own):
        found: dict[str, list[Measured]] = {}
        for graph, ran in ((graph, ran) for name, graph, ran in own if name == program):
            ratios = {s: ratio(ran, "VM", s, "ms") for s in names}
            for s, r in ratios.items():
                found.setdefault(s, []).extend([] if r is None else [Measured(graph, r)])
            yield row(program, graph, f"{ran['VM']['ms']:.2f}", *map(_short, ratios.values()), _decides(ran))
        yield row(program, "geometric mean", "", *(_short(mean(of) if of else None) for of in found.values()), "")
    yield ""


def _skew(rows: list[Row]) -> Lines:
    titles = [f"{s}, {what}" for what in ("at memory", "time") for s in _OTHERS]
    yield from (_SKEW, *head("graph", "nodes", "arcs a node", "VM, ms", *titles))
    for _, graph, ran in _pick(rows, _PROGRAMS, skewed=True):
        vm = ran["VM"]
        yield row(graph, vm["nodes"], f"{vm['arcs'] / vm['nodes']:.1f}", f"{vm['ms']:.2f}",
                  *(_short(ratio(ran, "VM", s, c)) for c in ("warp_memory", "ms") for s in _OTHERS))
    yield ""


def _directions(rows: list[Row]) -> Lines:
    keys = {"registrations": "weaver_registrations", "requests": "weaver_requests", "cycles": "weaver_cycles",
            "warp steps": "warp_steps", "at memory": "warp_memory", "shared": "warp_shared",
            "transactions": "transactions", "dram": "dram_sectors", "global atomics": "global_atomics",
            "shared atomics": "shared_atomics"}
    yield from (_DIRECTIONS, *head("graph", "round", "schedule", *keys, numbers=len(keys)))
    for program, graph, ran in sorted(_pick(rows, _ROUNDS[:2]), key=lambda p: p[1]):
        for schedule in (s for s in ("EM", "CM", "unit") if s in ran):
            yield row(graph, program, schedule, *(ran[schedule].get(k, "") for k in keys.values()))
    yield ""


def _convolution(rows: list[Row]) -> Lines:
    yield from (_CONVOLUTION, *head("graph", "operator", "VM by weight, ms", "VM", *_OTHERS, "decides",
                                    numbers=len(_OTHERS) + 3))
    of = {(program, graph): ran for program, graph, ran in _pick(rows, _ROUNDS[2:])}
    for (program, graph), ran in of.items():
        base = of.get((f"{program}, by weight", graph), {}).get("VM")
        if base is not None:
            ratios = (ratio({**ran, "base": base}, "base", s, "ms") for s in ("VM", *_OTHERS))
            yield row(graph, program, f"{base['ms']:.2f}", *map(_short, ratios), _decides(ran))
    yield ""


def _costs(rows: list[Row]) -> Lines:
    per = {"warp steps": "warp_steps", "at memory": "warp_memory", "shared": "warp_shared",
           "transactions": "transactions", "global atomics": "global_atomics", "shared atomics": "shared_atomics"}
    whole = ("launches", "block_barriers", "grid_barriers")
    yield from (_COSTS, *head("schedule", *per, *(w.replace("_", " ") for w in whole), numbers=len(per) + len(whole)))
    for program, graph, ran in _pick(rows, _PROGRAMS):
        for name, r in ran.items() if (program, graph) == _COSTLY else ():
            yield row(name, *(f"{32 * r[k] / (_ITERATIONS * r['arcs']):.1f}" for k in per.values()),
                      *(r[k] for k in whole))
    yield ""


def _rows(rows: list[Row], graph: str) -> Lines:
    titles = ("at memory", "warp steps", "shared", "block barriers", "grid barriers", "launches", "global atomics",
              "shared atomics", "transactions", "L2", "dram", "unit's cycles", "ms")
    yield from (f"### All rows of {graph}", "", *head("program", "schedule", *titles, numbers=len(titles)))
    refused: dict[str, list[str]] = {}
    for r in (r for r in rows if r["graph"] == graph):
        if "refused" in r:
            yield row(r["program"], r["schedule"], "refused", *[""] * (len(titles) - 1))
            refused.setdefault(r["refused"], []).append(f"{r['program']} {r['schedule']}")
        else:
            yield row(r["program"], r["schedule"], *(r[k] for k in COUNTED), r.get("weaver_cycles", ""),
                      f"{r['ms']:.2f}")
    yield from ("", *(f"- {', '.join(where)}: {why}." for why, where in refused.items()), "")


def _by_program(picked: tuple[str, str, Ran]) -> int:
    return _PROGRAMS.index(picked[0])


def _decides(ran: Ran) -> str:
    return bound(ran["unit"]) if "unit" in ran else ""


def _short(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}"
