"""The tables of benchmarks/weaver.py: its figures beside those of the thesis, and rows of some graphs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from counters import head, row
from weaver_checks import Ran, beside_edges, mean, Measured, places, ratio, verdicts
from weaver_graphs import POWER_LAWS
from weaver_rows import COMMON, COUNTED, GPU, PROGRAMS_OF_IT, ROUNDS_OF_IT, SCHEDULES, Row, bound

#: The rows that the page has; `--show FILE --graphs GRAPH` prints those of others.
SHOWN = ("rmat16", "rome99")
_PROGRAMS = tuple(t.name for t in PROGRAMS_OF_IT)
_ROUNDS = tuple(t.name for t in ROUNDS_OF_IT)
Lines = Iterator[str]


def page(found: dict[str, Any], graphs: tuple[str, ...] = ()) -> str:
    """All figures, or the rows of some graphs."""
    rows: list[Row] = found["rows"]
    if graphs:
        return "\n".join(line for g in graphs for line in _rows(rows, g))
    parts = (_made(found), _expectations(rows), _imbalance(rows), _times(rows), _skew(rows), _directions(rows),
             _convolution(rows), _costs(rows), *(_rows(rows, g) for g in SHOWN))
    return "\n".join(line for part in parts for line in part)


def _pick(rows: list[Row], programs: tuple[str, ...], skewed: bool = False) -> Iterator[tuple[str, str, Ran]]:
    wanted = [r for r in rows if r["program"] in programs and (r["graph"] in POWER_LAWS) == skewed]
    for _, ran in places(wanted):
        one = next(iter(ran.values()))
        yield one["program"], one["graph"], ran


def _made(found: dict[str, Any]) -> Lines:
    rows: list[Row] = found["rows"]
    commits = ", ".join(dict.fromkeys(r["commit"] for r in rows))
    versions = ", ".join(f"{k} {v}" for k, v in found["versions"].items())
    sizes = {r["graph"]: f"{r['graph']} ({r['nodes']:,} nodes, {r['arcs']:,} arcs)" for r in rows if "nodes" in r
             and r["program"] in _PROGRAMS and r["graph"] not in POWER_LAWS}
    yield f"Every plan says `{COMMON}`, of PageRank two iterations are run, and the model's GPU is `{GPU}`, whose caches the"
    yield f"emulator pretends to have. {', '.join(sizes.values())}. Commit {commits}; {versions};"
    yield f"{found['machine']['cpu']}, {found['machine']['system']}."
    yield ""


def _expectations(rows: list[Row]) -> Lines:
    yield from ("### What was expected", "", *verdicts(rows), "")


def _imbalance(rows: list[Row]) -> Lines:
    yield from ("### Steps at memory that leaving edges with their nodes takes", "",
                "Those of VM over those of EM, WM and the unit; of `bfs` and `cc` over EM with all nodes in each round for both.", "",
                *head("program", "graph", "VM / EM", "VM / WM", "VM / unit", numbers=3))
    for program, graph, ran in _pick(rows, _PROGRAMS):
        yield row(program, graph, *map(_short, (beside_edges(ran, "warp_memory", "VM"), ratio(ran, "VM", "WM", "warp_memory"),
                                                ratio(ran, "VM", "unit", "warp_memory"))))
    yield ""


def _times(rows: list[Row]) -> Lines:
    names = [s for s in SCHEDULES if s != "VM" and not s.endswith("all nodes")]
    yield from ("### Modelled times", "", "Times of VM over those of the others: above 1 they are faster. The last column is the part that takes",
                "most of the unit's time.", "", *head("program", "graph", "VM, ms", *names, "decides", numbers=len(names) + 2))
    faster: dict[str, dict[str, list[Measured]]] = {}
    for program, graph, ran in _pick(rows, _PROGRAMS):
        if "VM" not in ran:
            continue
        found = {s: ratio(ran, "VM", s, "ms") for s in names}
        for s, r in found.items():
            if r is not None:
                faster.setdefault(program, {}).setdefault(s, []).append(Measured(graph, r))
        yield row(program, graph, f"{ran['VM']['ms']:.2f}", *map(_short, found.values()),
                  bound(ran["unit"]) if "unit" in ran else "")
    for program, of in faster.items():
        yield row(program, "geometric mean", "", *(_short(mean(of[s]) if s in of else None) for s in names), "")
    yield ""


def _skew(rows: list[Row]) -> Lines:
    names = ("EM", "WM", "CM", "weaver", "unit")
    told = [f"{s}, {what}" for what in ("at memory", "ms") for s in names]
    yield from ("### As many edges among more nodes", "",
                "`pr_pull` on NetworkX's power laws with clusters, seed 1, 480,000 arcs: what VM counts at memory, and its modelled time, over",
                "those of the others.", "", *head("graph", "nodes", "arcs a node", "VM, ms", *told, numbers=len(told) + 3))
    for _, graph, ran in _pick(rows, _PROGRAMS, skewed=True):
        vm = ran["VM"]
        yield row(graph, vm["nodes"], f"{vm['arcs'] / vm['nodes']:.1f}", f"{vm['ms']:.2f}",
                  *(_short(ratio(ran, "VM", s, c)) for c in ("warp_memory", "ms") for s in names))
    yield ""


def _directions(rows: list[Row]) -> Lines:
    columns = ("registrations", "requests", "cycles", "warp steps", "at memory", "shared", "transactions", "dram",
               "global atomics", "shared atomics")
    keys = ("weaver_registrations", "weaver_requests", "weaver_cycles", "warp_steps", "warp_memory", "warp_shared",
            "transactions", "dram_sectors", "global_atomics", "shared_atomics")
    yield from ("### A round, pulled and pushed", "", "One round of PageRank's sums alone, on undirected graphs.", "",
                *head("graph", "round", "", *columns, numbers=len(columns)))
    for program, graph, ran in sorted(_pick(rows, _ROUNDS[:2]), key=lambda p: p[1]):
        for schedule in (s for s in ("EM", "CM", "unit") if s in ran):
            yield row(graph, program, schedule, *(ran[schedule].get(k, "") for k in keys))
    yield ""


def _convolution(rows: list[Row]) -> Lines:
    names = ("EM", "WM", "CM", "weaver", "unit")
    yield from ("### A graph convolution of 16 weights", "",
                "Times of VM by weight over those of others: a thread has one weight of one node, and runs all its edges. VM is a thread for a",
                "node with all its weights; all others add edge by edge, each weight by an atomic.", "",
                *head("graph", "operator", "VM by weight, ms", "VM", *names, "decides", numbers=len(names) + 3))
    of = {(program, graph): ran for program, graph, ran in _pick(rows, _ROUNDS[2:])}
    for (program, graph), ran in of.items():
        base = of.get((f"{program}, by weight", graph), {})
        if "VM" in base:
            both = {**ran, "base": base["VM"]}
            yield row(graph, program, f"{base['VM']['ms']:.2f}",
                      *(_short(ratio(both, "base", s, "ms")) for s in ("VM", *names)), bound(ran["unit"]) if "unit" in ran else "")
    yield ""


def _costs(rows: list[Row]) -> Lines:
    yield from ("### What a schedule costs", "",
                "`pr_pull` on rmat16, two iterations: for each 32 arcs that are looked at, steps of warps, those at memory, those of them in shared",
                "memory, transactions, and atomics in global and shared memory; in all, barriers of blocks, launches and barriers of the grid.", "",
                *head("", "warp steps", "at memory", "shared", "transactions", "global atomics", "shared atomics", "block barriers",
                      "launches", "grid barriers", numbers=9))
    per = ("warp_steps", "warp_memory", "warp_shared", "transactions", "global_atomics", "shared_atomics")
    for program, graph, ran in _pick(rows, _PROGRAMS):
        if (program, graph) == ("pr_pull", "rmat16"):
            for name, r in ran.items():
                yield row(name, *(f"{r[k] / (2 * r['arcs'] / 32):.1f}" for k in per), r["block_barriers"], r["launches"],
                          r["grid_barriers"])
    yield ""


def _rows(rows: list[Row], graph: str) -> Lines:
    titles = ("at memory", "warp steps", "shared", "block barriers", "grid barriers", "launches", "global atomics",
              "shared atomics", "transactions", "L2", "dram")
    yield from (f"### {graph}, all rows", "", *head("program", "schedule", *titles, "cycles", "ms", numbers=len(titles) + 2))
    own = [r for r in rows if r["graph"] == graph]
    for r in own:
        if "refused" not in r:
            yield row(r["program"], r["schedule"], *(r[k] for k in COUNTED), r.get("weaver_cycles", ""), f"{r['ms']:.2f}")
    yield ""
    refused: dict[str, list[str]] = {}
    for r in (r for r in own if "refused" in r):
        refused.setdefault(r["refused"], []).append(f"{r['program']} {r['schedule']} (`{r['plan']}`)")
    yield from (f"- Refused: {', '.join(where)}: {why}." for why, where in refused.items())
    yield ""


def _short(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}"
