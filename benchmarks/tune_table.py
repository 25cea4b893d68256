"""Records the table that the tuner's searches are judged on: the medians of all legal plans, by program and graph.

Above --limit plans it is a sample of so many, the same every time. Each round runs every plan once, in another order,
with the plan `default` in between, so that what slows the machine down shows; then the best are measured again. A plan
that takes several times what the default takes is stopped, or measured in the first round alone. What is there already
is kept: call it again to go on where it was stopped. tune_replay.py replays searches on the table.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import machine
from tune_inputs import CLASSES, GRAPHS, MORE, PROGRAMS, ROOT, Given, given
from tune_rows import Row, dimensions_as_json, medians_of, read_table, write_table
from tune_runner import Runner, Units

from irgl.plan import Plan
from irgl.source import IrglError
from irgl.tune.search.space import Space, space_of

DEFAULT = ROOT / "benchmarks" / "results" / "tune_table.json.gz"
_SEED = 27
#: So many of the best are measured again, in so many rounds.
_AGAIN, _AGAIN_ROUNDS = 20, 5
#: A run may take so many times what the default takes, and so many seconds at least.
_LIMIT, _LEAST_LIMIT = 5.0, 0.05
#: What takes so many times what the default takes is measured once.
_SLOW = 3.0


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=",".join(PROGRAMS), help=f"[%(default)s] or {', '.join(MORE)}")
    parser.add_argument("--classes", default=",".join(CLASSES), help="of graphs [%(default)s]")
    parser.add_argument("--graphs", type=Path, default=GRAPHS, metavar="DIR", help="where files are [%(default)s]")
    parser.add_argument("--limit", type=int, default=1000, help="plans of a space [%(default)s]")
    parser.add_argument("--rounds", type=int, default=3, help="[%(default)s]")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--every", type=int, default=25, help="plans between two runs of the default [%(default)s]")
    parser.add_argument("--out", type=Path, default=DEFAULT, metavar="FILE.json.gz", help="[%(default)s]")
    found = parser.parse_args()
    for what, chosen, known in (("program", found.programs, PROGRAMS | MORE), ("class", found.classes, CLASSES)):
        for word in chosen.split(","):
            if word not in known:
                parser.error(f"no {what} is called {word!r}: there are {', '.join(known)}")
    return found


def plans_of(space: Space, limit: int) -> list[Plan]:
    """All plans, or a sample of `limit` that holds `default` and `none`."""
    if space.count() <= limit:
        return list(space)
    known = list(dict.fromkeys([space.default, space.none]))
    rest = [p for p in space.sample(random.Random(_SEED), limit) if p not in known]
    return [*known, *rest][:limit]


class Recorder:
    """The table in the making."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        self.table: dict[str, Any] = {"rows": []}
        if asked.out.exists():
            self.table = read_table(asked.out)
        self.table |= {"machine": machine.describe(), "commit": machine.commit(ROOT), "threads": asked.threads}

    def row(self, program: str, kind: str, source: Given, space: Space, plans: list[Plan]) -> Row:
        """The row, as it was left where the same plans were measured on the same graph, else a new one."""
        head = {"program": program, "class": kind, "graph": source.name, "target": "cpu",
                "dimensions": dimensions_as_json(space), "space": space.count(), "plans": [str(p) for p in plans]}
        for row in self.table["rows"]:
            # Through JSON a tuple is a list.
            if all(_plain(row.get(k)) == _plain(v) for k, v in head.items()):
                return row
        rows = [r for r in self.table["rows"] if (r["program"], r["class"]) != (program, kind)]
        row = {**head, "spec": source.shown, "rounds": [], "wrong": []}
        self.table["rows"] = [*rows, row]
        return row

    def save(self) -> None:
        write_table(self.asked.out, self.table)


def _plain(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return {k: _plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def record(row: Row, plans: list[Plan], runner: Runner, recorder: Recorder) -> None:
    """The rounds that a row still lacks, and the best once more."""
    asked = recorder.asked
    default = Plan()
    runner.evaluate(default, 60.0)  # the first one warms up
    expected, answer = runner.evaluate(default, 60.0)
    assert expected is not None
    limit = max(_LEAST_LIMIT, _LIMIT * expected / 1e3)
    row.setdefault("limit_ms", limit * 1e3)
    row |= {"graph_facts": runner.facts(default), "at": time.strftime("%Y-%m-%d %H:%M:%S"),
            "commit": recorder.table["commit"],
            "failed": [k for k, p in enumerate(plans) if runner.units.of(p).manifest is None]}

    def measured(which: list[int], number: int) -> dict[str, Any]:
        order = list(which)
        random.Random(number).shuffle(order)
        watch, times, references = machine.Watch([]), dict[int, float | None](), []
        for at, k in enumerate(order):
            if at % asked.every == 0:
                references.append(_rounded(runner.evaluate(default, limit)[0]))
            found, said = runner.evaluate(plans[k], limit)
            times[k] = _rounded(found)
            if found is not None and not _same(said, answer):
                row["wrong"].append(k)
        return {"ms": [times.get(k) for k in range(len(plans))], "default": references, "others": watch.others()}

    unfit = set(row["failed"])
    while len(row["rounds"]) < asked.rounds:
        first = row["rounds"][0]["ms"] if row["rounds"] else None
        slow = {k for k, ms in enumerate(first or ()) if ms is None or ms > _SLOW * expected}
        which = [k for k in range(len(plans)) if k not in unfit | slow | set(row["wrong"])]
        row["rounds"].append(measured(which, len(row["rounds"])))
        recorder.save()
    if len(row.get("again", {}).get("rounds", [])) < _AGAIN_ROUNDS:
        best = sorted(medians_of(row), key=medians_of(row).__getitem__)[:_AGAIN]
        if not best:
            raise IrglError("no plan has a time", hint=f"{len(row['wrong'])} are wrong, {len(row['failed'])} fail")
        rounds = [measured(best, 100 + k) for k in range(_AGAIN_ROUNDS)]
        row["again"] = {"plans": best, "rounds": [[r["ms"][k] for k in best] for r in rounds]}
        row["noise"] = noise(row)
        recorder.save()


def noise(row: Row) -> dict[str, float]:
    """The table's own: how far apart the rounds of a plan are, typically; how far the default drifts; and, the best
    measured again, what the table's best then takes: in ratio to before, and to what is then the best of them."""
    spread = [(max(ms) - min(ms)) / statistics.median(ms) for ms in zip(*(r["ms"] for r in row["rounds"]), strict=True)
              if None not in ms]
    default = [statistics.median(x for x in r["default"] if x is not None) for r in row["rounds"]]
    again = [statistics.median(row["limit_ms"] if x is None else x for x in ms)
             for ms in zip(*row["again"]["rounds"], strict=True)]
    before = medians_of(row)[row["again"]["plans"][0]]
    return {"spread": round(statistics.median(spread), 4), "drift": round(max(default) / min(default) - 1, 4),
            "best_again": round(again[0] / before, 4), "best_of_again": round(again[0] / min(again), 4)}


def _rounded(ms: float | None) -> float | None:
    return None if ms is None else float(f"{ms:.4g}")


def _same(found: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Integers agree, or it is a mistake of the compiler; how far reals may lie is for the tests to judge."""
    return all(isinstance(v, float) or v == expected[n] for n, v in found.items())


def main() -> int:
    asked = options()
    recorder = Recorder(asked)
    print(f"load {os.getloadavg()[0]:.2f} before", file=sys.stderr)
    jobs: list[tuple[str, Given, Row, list[Plan], Units]] = []
    begin = time.perf_counter()
    for program in asked.programs.split(","):
        units = Units(ROOT / "programs" / f"{(PROGRAMS | MORE)[program]}.irgl")
        space = space_of(units.program)
        plans = plans_of(space, asked.limit)
        units.build([*plans, Plan()])
        failed = [units.of(p).error for p in plans if units.of(p).manifest is None]
        print(f"{program}: {len(plans)} of {space.count()} plans, {len({p.in_code for p in plans})} builds, "
              f"{time.perf_counter() - begin:.0f} s" + (f", {len(failed)} fail: {failed[0]}" if failed else ""),
              file=sys.stderr, flush=True)
        for kind in asked.classes.split(","):
            source = given(program, kind, asked.graphs)
            if source.there:
                jobs.append((program, source, recorder.row(program, kind, source, space, plans), plans, units))
            else:
                print(f"left out: {program} on {kind}: there is no file {source.spec}", file=sys.stderr)
    print(f"about {estimate(jobs, asked) / 60:.0f} minutes of measuring", file=sys.stderr, flush=True)
    for program, source, row, plans, units in jobs:
        began, runner = time.perf_counter(), Runner(units, source.spec, asked.threads)
        try:
            record(row, plans, runner, recorder)
        except IrglError as e:
            print(f"{program} on {source.name} fails: {e}", file=sys.stderr)
            continue
        finally:
            runner.close()
        print(f"{program:5} {source.name:18} {len(plans)} plans {time.perf_counter() - began:.0f} s "
              + " ".join(f"{k} {v:.3f}" for k, v in row["noise"].items())
              + (f" {len(row['wrong'])} WRONG" if row["wrong"] else ""), file=sys.stderr, flush=True)
    return 1 if any(row["wrong"] for _, _, row, _, _ in jobs) else 0


def estimate(jobs: list[tuple[str, Given, Row, list[Plan], Units]], asked: argparse.Namespace) -> float:
    """Seconds, by one run of the default on each graph; most plans take about as long."""
    total = 0.0
    for _, source, row, plans, units in jobs:
        missing = max(0, asked.rounds - len(row["rounds"]))
        if missing:
            runner = Runner(units, source.spec, asked.threads)
            ms, _ = runner.evaluate(Plan(), 60.0)
            runner.close()
            total += missing * len(plans) * (1 + 1 / asked.every) * max(2.0, ms or 0.0) / 1e3
    return total


if __name__ == "__main__":
    raise SystemExit(main())
