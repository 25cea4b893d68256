"""What a round over all edges counts in the emulator, under every form of edges and scheduler: docs/form-counters.md.

    python benchmarks/form_counters.py                              rmat13, rmat16, kron16, a grid and four real graphs
    python benchmarks/form_counters.py --graphs rmat13              one; rows of other graphs stay as they are
    python benchmarks/form_counters.py --rounds PageRank --forms csr,cr2    some rounds, some forms; other rounds stay
    python benchmarks/form_counters.py --forms delta --np fg,wp+fg  some schedulers of a form
    python benchmarks/form_counters.py --show                       the page of what has been counted

A round is PageRank's sums or the labels of connected components (benchmarks/form_counters.irgl), pulled or pushed. What
a run without it counts is taken off. Graphs are undirected, without self-loops and parallel edges.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from counting import ROOT, Counted, count
from machine import commit

from irgl import __version__
from irgl.forms.find import form, has_header, names
from irgl.plan import Plan
from irgl.rt.manifests.program import open_program
from irgl.tune.measure.gpu import load
from irgl.tune.measure.gpu_model import modelled_ms

HERE = Path(__file__).resolve().parent
RESULTS, PAGE = HERE / "results" / "form_counters.json", ROOT / "docs" / "form-counters.md"
SOCIAL = ROOT.parent / "shared" / "graphs" / "social"
_FILES = {"facebook": "facebook_combined.txt.gz", "p2p-Gnutella31": "p2p-Gnutella31.txt.gz",
          "email-Enron": "email-Enron.txt.xz", "soc-Epinions1": "soc-Epinions1.txt.xz"}
GRAPHS = {"rmat13": "rmat:13", "rmat16": "rmat:16", "kron16": "kron:16", "grid128": "grid:128x128",
          **{name: str(SOCIAL / file) for name, file in _FILES.items()}}
#: What the program's parameter says, and the kernel of the round.
ROUNDS = {"PageRank, pull": (1, "pull_shares"), "PageRank, push": (2, "push_shares"),
          "components, pull": (3, "pull_labels"), "components, push": (4, "push_labels")}
SCHEDULERS = ("serial", "tb", "wp", "fg", "wp+fg")
#: What the two papers call them.
CALLED = {"serial": "VM", "tb": "CM", "wp": "WM", "fg": "EM", "wp+fg": "TWC"}
COUNTED = ("transactions", "warp_steps", "global_atomics", "shared_atomics")
#: GPUs whose times are modelled.
GPUS = ("h200", "rtx3090")
Row = dict[str, Any]


def plans() -> Iterator[tuple[str, str]]:
    """A form and a scheduler, as a table and as a plan says them; sweeps have none."""
    for np in SCHEDULERS:
        yield f"csr {np}", f"np={np}"
    for name in (n for n in names() if has_header(n, "cuh")):
        swept = form(name).swept
        if form(name).kind == "rows":
            for np in SCHEDULERS:
                yield f"{name} {np}", f"format={name} np={np}"
        if form(name).kind == "sweep":
            yield name, f"format={name}"
        elif swept is not None:
            yield f"{name} swept", f"format={name} {swept[0]}={swept[1]}"


def chosen(forms: list[str], schedulers: list[str]) -> Iterator[tuple[str, str]]:
    """Plans of some forms and schedulers; none named are all, and sweeps stand in for any scheduler."""
    for label, plan in plans():
        name, _, np = label.partition(" ")
        if (not forms or name in forms) and (not schedulers or np not in SCHEDULERS or np in schedulers):
            yield label, plan


def with_row(rows: list[Row], made: Row) -> list[Row]:
    """The rows with that one, which takes over the rounds that it lacks from the one of its graph and plan."""
    old = next((r for r in rows if (r["graph"], r["plan"]) == (made["graph"], made["plan"])), made)
    rounds = {**old["rounds"], **made["rounds"]}
    kept = old["commit"].split(", ") if old["rounds"].keys() - made["rounds"].keys() else []
    both = {**made, "commit": ", ".join(dict.fromkeys((*kept, made["commit"]))),
            "rounds": {name: rounds[name] for name in ROUNDS if name in rounds}}
    return [r for r in rows if r is not old] + [both]


def row(graph: str, label: str, plan: str, of: str = "") -> Row:
    """What each round counts under a plan that applies to it; those whose names begin with `of`."""
    unit = open_program(HERE / "form_counters.irgl", Plan.parse(plan, "simt"))
    asked = {name: which for name, (which, kernel) in ROUNDS.items()
              if name.startswith(of) and not any(line.startswith(f"{kernel}.loop1.loop1: format=")
                                                 for line in unit.not_applicable)}
    idle, *found = [count("form_counters", plan, graph, GRAPHS[graph], mode="lockstep", folder=HERE,
                          values={"which": which}) for which in (0, *asked.values())]
    rounds = {name: _less(one, idle) for name, one in zip(asked, found, strict=True)}
    return {"graph": graph, "plan": label, "commit": commit(ROOT), "text": str(Plan.parse(plan, "simt")),
            "rounds": rounds}


def _less(of: Counted, idle: Counted) -> dict[str, float]:
    """What a round counts, and how long the model says that it takes."""
    return {key: _number(of[key]) - _number(idle[key]) for key in COUNTED} | {
        gpu: round(1000 * (modelled_ms(of.stats, load(gpu)) - modelled_ms(idle.stats, load(gpu))), 1) for gpu in GPUS}


def _number(counted: Any) -> int:
    return sum(counted.values()) if isinstance(counted, dict) else int(counted)


def page(found: dict[str, Any]) -> str:
    """docs/form-counters.md."""
    lines = [INTRO]
    for name, facts in found["graphs"].items():
        order = [label for label, _ in plans()]
        rows = sorted((r for r in found["rows"] if r["graph"] == name), key=lambda r: order.index(r["plan"]))
        for what in [what for what in ROUNDS if any(what in r["rounds"] for r in rows)]:
            lines += [f"## {what}, {name}: {facts['nodes']:,} nodes, {facts['arcs']:,} arcs", "",
                      *_table([(_called(r["plan"]), r["rounds"][what]) for r in rows if what in r["rounds"]])]
            lines.append("")
    lines += [f"Made by irgl {found['irgl']}.", ""]
    for name in found["graphs"]:
        forms: dict[str, list[str]] = {}
        for r in (r for r in found["rows"] if r["graph"] == name):
            forms.setdefault(r["commit"].replace(", ", " and "), []).append(r["plan"].split()[0])
        told = {by: f" ({', '.join(sorted({*of}))})" if len(forms) > 1 else "" for by, of in forms.items()}
        lines.append(f"- {name}: {'; '.join(f'commit {by}{of}' for by, of in told.items())}")
    lines.append("")
    return "\n".join(lines)


def _table(rows: list[tuple[str, dict[str, float]]]) -> Iterator[str]:
    """A row for each of some plans; what none of them has is left out."""
    columns = [c for c in (*COUNTED, *GPUS) if any(c in counts for _, counts in rows)]
    heads = [f"{c}, us" if c in GPUS else c.replace("_", " ") for c in columns]
    yield f"| edges | {' | '.join(heads)} |"
    yield "|---|" + "---:|" * len(columns)
    for plan, counts in rows:
        yield f"| {plan} | " + " | ".join(f"{counts[c]:,}" if c in counts else "" for c in columns) + " |"


def _called(plan: str) -> str:
    name, _, np = plan.partition(" ")
    return f"`{name}` {CALLED[np]}" if np in CALLED else f"`{name}` {np}".strip()


INTRO = """# What forms of edges count

A round over all edges, once along them and once against them, counted in the emulator in lockstep, which runs the
generated CUDA text (docs/cuda.md, docs/forms.md): memory transactions of 32 bytes, steps of warps, and atomics in
global and in shared memory. These are counts; the times behind some of them are those of the cost model
(docs/tuning.md) for a round by itself on an H200 and on an RTX 3090, neither of which has run it. `csr`, `split`,
`delta`, `ef`, `ell` and `cr2` are rows, which each scheduler takes: VM leaves a node's edges with its thread
(`np=serial`), CM gives those of a long row to a block (`tb`), WM to a warp (`wp`), EM deals out edges (`fg`), TWC is
`wp+fg`. The others are swept part by part, among them `cr2 swept` (`expand=off`); `shards` has something to copy where
a round pulls. `python benchmarks/form_counters.py` makes this page.

Rows of a graph may be of several commits, which the end of this page tells. Of the three graphs that the older of the
two here counted as well, it had other steps of warps and transactions by 3.3 % at most.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default=",".join(GRAPHS), help=f"of {', '.join(GRAPHS)}")
    parser.add_argument("--rounds", default="", help="those whose names begin so [all]")
    parser.add_argument("--forms", default="", help="some, with commas between them [all]")
    parser.add_argument("--np", default="", help="some schedulers, with commas between them [all]")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results [%(default)s]")
    parser.add_argument("--show", action="store_true", help="write the page anew, and count nothing")
    given = parser.parse_args()
    found = json.loads(given.out.read_text(encoding="utf-8")) if given.out.is_file() else {"graphs": {}, "rows": []}
    for graph in [] if given.show else given.graphs.split(","):
        found["irgl"] = __version__
        size = count("form_counters", "none", graph, GRAPHS[graph], folder=HERE)
        found["graphs"][graph] = {"nodes": size.nodes, "arcs": size.edges}
        for label, plan in chosen(*([w for w in words.split(",") if w] for words in (given.forms, given.np))):
            found["rows"] = with_row(found["rows"], row(graph, label, plan, given.rounds))
            given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            print(f"{graph:14} {label}", file=sys.stderr, flush=True)
    if given.out == RESULTS:
        PAGE.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
