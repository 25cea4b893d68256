"""What SparseWeaver's unit counts beside other schedulers, in the emulator: results/weaver.json, docs/weaver.md.

    python benchmarks/weaver.py                                     all graphs that are there: about 20 minutes
    python benchmarks/weaver.py --graphs CA-GrQc,rome99             two real ones, which come with irgl
    python benchmarks/weaver.py --graphs kron14 --programs bfs,cc --schedules unit,CM    some rows; others stay
    python benchmarks/weaver.py --show benchmarks/results/weaver.json       the tables of a result file
    python benchmarks/weaver.py --show benchmarks/results/weaver.json --graphs 4elt      its rows of a graph

Programs, schedules and graphs are those of chapter 4 of S. Jeong, Decoupling Scheduling and Storage Formats for
Balanced Graph Processing on a GPU, PhD thesis, Yonsei University, 2024, at sizes that one core emulates. One row after
another is counted in lockstep; where the compiler refuses a plan, the row has its reason. At the end expectations are
told, with all places in which they don't hold; the exit code is 0 whether they hold or not.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import machine
import weaver_graphs
from counters import versions
from counting import ROOT
from weaver_checks import verdicts
from weaver_page import page
from weaver_rows import NAMES, SCHEDULES, Row, row, tasks

RESULTS, PAGE = ROOT / "benchmarks" / "results" / "weaver.json", ROOT / "docs" / "weaver.md"
BEGIN, END = "<!-- python benchmarks/weaver.py --show benchmarks/results/weaver.json -->\n", "<!-- end -->\n"
_GRAPHS = (*weaver_graphs.GRAPHS, *weaver_graphs.POWER_LAWS)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", help=f"some of {', '.join(_GRAPHS)}, with commas between them [all that are there]")
    parser.add_argument("--programs", default=",".join(NAMES), help="[%(default)s]")
    parser.add_argument("--schedules", default=",".join(SCHEDULES), type=_schedules, help="[%(default)s]")
    parser.add_argument("--out", type=Path, default=RESULTS,
                        help="the file of results [%(default)s]; docs/weaver.md is written anew with the usual one")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the tables of a result file; count nothing")
    given = parser.parse_args()
    asked = (("graph", given.graphs, _GRAPHS), ("program", given.programs, NAMES))
    for word, text, known in asked:
        if unknown := [name for name in _names(text or "") if name not in known]:
            parser.error(f"no {word} is called {unknown[0]!r}: there are {'; '.join(known)}")
    return given


def _names(text: str) -> list[str]:
    """Names with commas between them, of which some have a comma themselves: `VM, all nodes`."""
    return [name.replace("\0", ", ") for name in text.replace(", ", "\0").split(",") if name]


def _schedules(text: str) -> list[str]:
    if unknown := [name for name in _names(text) if name not in SCHEDULES]:
        raise argparse.ArgumentTypeError(f"no schedule is called {unknown[0]!r}: there are {'; '.join(SCHEDULES)}")
    return _names(text)


def with_row(rows: list[Row], made: Row) -> list[Row]:
    """The rows with that one, in place of its like, in the order in which all are run."""
    keys = [(g, t.name, s) for g in _GRAPHS for t in tasks(g) for s in t.schedules]
    have = {(r["graph"], r["program"], r["schedule"]): r for r in (*rows, made)}
    return [have[key] for key in keys if key in have]


def main() -> int:
    given = options()
    if given.show is not None:
        found = json.loads(given.show.read_text(encoding="utf-8"))
        print(page(found, tuple(_names(given.graphs or ""))), end="")
        return 0
    found = json.loads(given.out.read_text(encoding="utf-8")) if given.out.is_file() else {"rows": []}
    graphs = weaver_graphs.there() if given.graphs is None else _names(given.graphs)
    for name in [name for name in _GRAPHS if name not in graphs]:
        print(f"left out: {name}", file=sys.stderr)
    measure(found, graphs, _names(given.programs), given.schedules, given.out)
    print("\n".join(verdicts(found["rows"])))
    if given.out == RESULTS:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), page(found)), encoding="utf-8")
    return 0


def measure(found: dict[str, Any], graphs: list[str], programs: list[str], schedules: list[str], out: Path) -> None:
    """Counts row after row, each of which is kept at once."""
    found |= {"machine": machine.describe(), "versions": versions()}
    with tempfile.TemporaryDirectory(prefix="irgl-weaver-") as folder:
        for graph in graphs:
            spec = weaver_graphs.spec_of(graph, Path(folder))
            for task in (t for t in tasks(graph) if t.name in programs):
                for schedule in (SCHEDULES[s] for s in task.schedules if s in schedules):
                    made = row(task, schedule, graph, spec)
                    found["rows"] = with_row(found["rows"], made)
                    out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
                    print(f"{graph:12} {task.name:20} {schedule.name:16} {made.get('seconds', 'refused')}",
                          file=sys.stderr, flush=True)


def with_tables(text: str, tables: str) -> str:
    """A page with other tables between its marks."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + tables + END + rest.partition(END)[2]


if __name__ == "__main__":
    sys.exit(main())
