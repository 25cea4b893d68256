"""The result file of a GPU session as Markdown; `python benchmarks/on_gpu/table.py FILE.json` prints it."""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def markdown(found: dict[str, Any]) -> str:
    gpu = found.get("gpu", {})
    lines = [f"GPU: {gpu.get('name', 'unknown')}, driver {gpu.get('driver_version', '-')}; {found.get('nvcc', '')}; "
             f"commit {found.get('commit') or 'unknown'}, sources {found.get('sources', '')}.", ""]
    makers = {"first": _correctness, "correctness": _correctness, "others": _correctness,
              "sanitizer": _sanitizer, "ptxas": _ptxas, "evaluation": _evaluation, "formats": _evaluation,
              "queues": _evaluation, "schedules": _schedules, "counters": _counters, "curve": _values, "costs": _values,
              "bandwidth": _values, "handwritten": _handwritten, "peers": _handwritten, "calling": _calling}
    for part, made in found["parts"].items():
        lines += [f"## {part} ({made['seconds']:.0f} s)", "", *_shown(makers[part], made["rows"]), ""]
        lines += [f"Left out: {what}" for what in made["left_out"]] + ([""] if made["left_out"] else [])
    return "\n".join(lines)


class _Cells(dict[str, Any]):
    """A row; what it does not say is ''."""

    def __missing__(self, _: str) -> str:
        return ""


def _shown(maker: Callable[[list[Row]], list[str]], rows: list[Row]) -> list[str]:
    """A part's tables; where its rows are not as they should be, some of them as they are."""
    try:
        return maker([_Cells(row) for row in rows])
    except Exception as e:
        return [f"These rows fit no table ({type(e).__name__}: {e}):", "", *(f"- `{json.dumps(r)}`" for r in rows[:20])]


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table; the first column is text, numbers stand right."""
    made = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---", *["---:"] * (len(head) - 1)]) + " |"]
    return made + ["| " + " | ".join(row) + " |" for row in rows] if rows else ["Nothing."]


def _correctness(rows: list[Row]) -> list[str]:
    graphs = list(dict.fromkeys(r["graph"] for r in rows if r["graph"]))
    counts = Counter((r["program"], r["graph"], r["verdict"]) for r in rows)
    made = []
    for program in dict.fromkeys(str(r["program"]) for r in rows):
        cells = []
        for graph in graphs:
            right = counts[program, graph, "right"]
            runs = sum(n for (p, g, _), n in counts.items() if (p, g) == (program, graph))
            cells.append(f"{right}/{runs}" if runs else "")
        made.append([program, *cells])
    bad = [f"- {r['program']} on {r['graph']}, `{r['plan']}`: {r['verdict']}: {r['why']}"
           for r in rows if r["verdict"] != "right"]
    return ["Runs that a verifier found right, of all.", "", *table(["program", *graphs], made), "", *bad[:40]]


def _sanitizer(rows: list[Row]) -> list[str]:
    counts = Counter((r["tool"], r["verdict"]) for r in rows)
    tools = list(dict.fromkeys(r["tool"] for r in rows))
    verdicts = ("clean", "finds", "no result")
    bad = [f"- {r['tool']}: {r['program']} on {r['graph']}, `{r['plan']}`: {r['verdict']}: {r['why']}"
           for r in rows if r["verdict"] != "clean"]
    return [*table(["tool", *verdicts], [[t, *(str(counts[t, v]) for v in verdicts)] for t in tools]), "", *bad[:20]]


def _calling(rows: list[Row]) -> list[str]:
    made = [[r["program"], r.get("arrays", ""), r["verdict"], _ms(r),
             *(f"{r[k]:.1f}" if k in r else "" for k in ("first_ms", "second_ms")),
             *(f"{r[k]:,}" if k in r else "" for k in ("first_bytes", "second_bytes", "unit_bytes"))] for r in rows]
    bad = [f"- {r['program']}: {r['verdict']}: {r['why']}" for r in rows if r["verdict"] != "right"]
    head = ["program", "arrays", "verdict", "ms", "first call ms", "second", "first call brings", "second",
            "the unit copies"]
    return ["Bytes that two calls on one matrix bring to the GPU, and that the unit itself copies either way.", "",
            *table(head, made), "", *bad]


def _ptxas(rows: list[Row]) -> list[str]:
    made = []
    for program, plan in dict.fromkeys((r["program"], r["plan"]) for r in rows):
        mine = [r for r in rows if (r["program"], r["plan"]) == (program, plan)]
        most = max(r["registers"] for r in mine)
        spilling = [r for r in mine if r["spill_stores"] + r["spill_loads"] > 0]
        made.append([program, plan, str(len(mine)), str(most), str(len(spilling)),
                     str(max((r["spill_stores"] for r in mine), default=0))])
    return table(["program", "plan", "kernels", "most registers", "kernels that spill", "most bytes stored"], made)


def _evaluation(rows: list[Row]) -> list[str]:
    made = []
    for kind, base, title in (("optimizations", "none", "Time without optimizations over time with; ms of `none`."),
                              ("schedulers", "serial", "Time of serial inner loops over time with each scheduler."),
                              ("formats", "csr", "Time with rows over time with each form; ms with rows."),
                              ("queues", "default", "Time of the default plan over time with each; its ms.")):
        mine = [r for r in rows if r.get("table") == kind]
        names = list(dict.fromkeys(r["name"] for r in mine))
        lines: list[list[str]] = []
        for key in dict.fromkeys((r["program"], r["graph"]) for r in mine):
            cells = {r["name"]: r for r in mine if (r["program"], r["graph"]) == key}
            first = cells.get(base, {})
            lines.append([*key, _ms(first), *(_speedup(first, cells.get(n, {})) for n in names if n != base)])
        if kind == "optimizations":
            lines += _means(mine, names)
        if mine:
            made += [title, "", *table(["program", "graph", base, *(n for n in names if n != base)], lines), ""]
    return made + _differing(rows)


def _schedules(rows: list[Row]) -> list[str]:
    """A table for each program, and the plan of the least time on each graph."""
    made = []
    for program in dict.fromkeys(r["program"] for r in rows):
        mine = [r for r in rows if r["program"] == program]
        names = list(dict.fromkeys(r["name"] for r in mine if r["name"] != "default"))
        lines = []
        for graph in dict.fromkeys(r["graph"] for r in mine):
            cells = {r["name"]: r for r in mine if r["graph"] == graph}
            least = min((r for r in cells.values() if r.get("ms")), key=lambda r: r["ms"], default=_Cells())
            first = cells.get("default", {})
            lines.append([graph, _ms(first), *(_speedup(first, cells.get(n, {})) for n in names), least["name"]])
        made += [f"{program}: time of the default plan over time with each; ms of the default; what takes the least.",
                 "", *table(["graph", "default", *names, "best"], lines), ""]
    return made + _differing(rows)


def _counters(rows: list[Row]) -> list[str]:
    """Sums over all kernels of a run; lanes: how much of a warp takes part in an instruction of it."""
    made = []
    for r in rows:
        m = r["metrics"] or {}
        cells = [str(r["error"])[:100]]
        if m:
            asked = {what: [m.get(f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum", 0.0)
                            for op in ("ld", "st", "atom", "red")] for what in ("requests", "sectors")}
            steps, lanes = (m.get(f"smsp__{what}.sum", 0.0) for what in ("inst_executed", "thread_inst_executed"))
            cells = [str(r["launches"]), f"{steps:,.0f}", f"{lanes / steps / 32:.3f}" if steps else "",
                     *(f"{x:,.0f}" for x in (*asked["requests"][:2], sum(asked["requests"][2:]))),
                     *(f"{x:,.0f}" for x in (sum(asked["sectors"][:2]), sum(asked["sectors"][2:]))),
                     f"{m.get('gpu__time_duration.sum', 0.0) / 1e6:.3f}"]
        made.append([str(r["program"]), str(r["graph"]), str(r["plan"]), *cells, *[""] * (9 - len(cells))])
    return table(["program", "graph", "plan", "kernels", "warp instructions", "lanes", "loads", "stores", "atomics",
                  "sectors", "of atomics", "ms"], made)


def _differing(rows: list[Row]) -> list[str]:
    return [f"- {r['program']} on {r['graph']}, {r['name']}: {', '.join(r['differs'])} differs from the plan before"
            for r in rows if r.get("differs")]


def _means(rows: list[Row], names: list[str]) -> list[list[str]]:
    """Geometric means over all programs and graphs for which all plans have a time."""
    times: dict[tuple[str, str], dict[str, float]] = {}
    for r in rows:
        if r.get("ms"):
            times.setdefault((r["program"], r["graph"]), {})[r["name"]] = r["ms"]
    whole = [cells for cells in times.values() if len(cells) == len(names)]
    if not whole or "none" not in names:
        return []
    means = [math.exp(sum(math.log(c["none"] / c[n]) for c in whole) / len(whole)) for n in names if n != "none"]
    return [[f"all ({len(whole)})", "geometric mean", "", *(f"{x:.2f}" for x in means)]]


def _speedup(first: Row, cell: Row) -> str:
    if not cell.get("ms"):
        return str(cell.get("error", ""))[:24]
    return f"{first['ms'] / cell['ms']:.2f}" if first.get("ms") else f"{cell['ms']:.3g} ms"


def _ms(cell: Row) -> str:
    return f"{cell['ms']:.3f}" if cell.get("ms") is not None else str(cell.get("error", ""))[:24]


def _values(rows: list[Row]) -> list[str]:
    made = []
    for r in rows:
        rest = ", ".join(f"{k} {v}" for k, v in r.items() if k not in ("benchmark", "what", "unit", "value"))
        made.append([str(r["what"]), rest, f"{r['value']:.4g}", str(r["unit"])])
    return table(["what", "of", "value", "unit"], made)


def _handwritten(rows: list[Row]) -> list[str]:
    made = []
    for r in rows:
        ratios = ", ".join(f"{p} {x:.2f}" for p, x in r.get("ratios", {}).items())
        remark = "; ".join(r.get("disagrees", []))
        remark = f"disagrees: {remark}" if remark else r["arguments"]
        made.append([f"{r['program']} {r['who']}", r["graph"], _ms(r), ratios, remark])
    return ["Ratios: their time over ours; above 1 ours is faster.", "",
            *table(["program", "graph", "ms", "ratio to ours", "remark"], made)]


if __name__ == "__main__":
    print(markdown(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
