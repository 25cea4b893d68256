"""What irglc run says when it is done: a few aligned lines, or one JSON object."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from irgl.cli.profiling.table import table
from irgl.cli.rounds import round_lines, rounds_as_json
from irgl.rt.call.run import Outcome
from irgl.rt.graphs.graph import Graph
from irgl.rt.results.profile_file import About
from irgl.rt.results.profile_file import as_json as profile_as_json


@dataclass(frozen=True, slots=True)
class Report:
    """One run. graphs and files: by parameter, the first one first. printed: the lines that the program printed, where
    they were caught. about: what is told of it in its profile, where there is one."""

    program: str
    graphs: dict[str, Graph]
    files: dict[str, str]
    target: str
    plan: str
    plan_source: str
    applied: list[str]
    not_applicable: list[str]
    load_ms: float
    outcome: Outcome
    verified: bool | None
    show_stats: bool = False
    mesh_file: str | None = None
    printed: tuple[str, ...] = ()
    about: About | None = None

    def as_json(self) -> dict[str, Any]:
        """The object of --json; `graphs` is there only for a program of several."""
        graphs = {
            name: {"file": self.files[name], "nodes": g.num_nodes, "edges": g.num_edges, "changed": list(g.changed)}
            for name, g in self.graphs.items()
        }
        found: dict[str, Any] = {
            "program": self.program,
            "graph": next(iter(graphs.values()), None),
            "target": self.target,
            "threads": self.outcome.threads,
            "plan": {"text": self.plan, "source": self.plan_source, "applied": self.applied,
                     "not_applicable": self.not_applicable},
            "load_ms": round(self.load_ms, 3),
            "build_ms": round(self.outcome.build_ms, 3),
            "kernel_ms": [round(t, 4) for t in self.outcome.kernel_ms],
            "verified": self.verified,
            "stats": self.outcome.stats,
            "result": self.outcome.result.summary(),
            "printed": list(self.printed),
        }
        if self.outcome.order_ms:
            found["order_ms"] = round(self.outcome.order_ms, 3)
        if self.outcome.forms:
            found["format_ms"] = round(sum(f.ms for f in self.outcome.forms), 3)
            found["forms"] = [{"graph": f.graph, "edges": f.edges, "format": f.format, "bytes": f.bytes,
                               "ms": round(f.ms, 3)} for f in self.outcome.forms]
        if self.outcome.rounds is not None:
            found |= rounds_as_json(self.outcome.rounds)
        if self.about is not None and self.outcome.profile is not None:
            found["profile"] = profile_as_json(self.about, self.outcome.profile)
        mesh = self.outcome.result.mesh
        if mesh is not None:
            found["mesh"] = {"file": self.mesh_file, "points": len(mesh.xy), "triangles": len(mesh.corners)}
        if len(graphs) > 1:
            found["graphs"] = graphs
        return found


def print_report(report: Report, to: TextIO) -> None:
    """The lines for people."""
    rows = list(_rows(report))
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        print(f"{name:<{width}}  {text}", file=to)
    if report.outcome.profile is not None:
        print("", *table(report.outcome.profile), sep="\n", file=to)
    if report.outcome.rounds is not None:
        print("", *round_lines(report.outcome.rounds), sep="\n", file=to)


def _rows(report: Report) -> Iterator[tuple[str, str]]:
    yield "program", f"{report.program} on {report.target}, {_count(report.outcome.threads, 'thread')}"
    for name, g in report.graphs.items():
        yield "graph", f"{report.files[name]}: {_count(g.num_nodes, 'node')}, {_count(g.num_edges, 'edge')}"
    mesh = report.outcome.result.mesh
    if mesh is not None:
        sizes = f"{_count(len(mesh.xy), 'point')}, {_count(len(mesh.corners), 'triangle')}"
        yield "mesh", f"{report.mesh_file}: now {sizes}"
    if report.target != "ref":
        yield "plan", f"{report.plan} ({report.plan_source})"
    yield "time", ", ".join(_times(report))
    for name, value in report.outcome.result.summary().items():
        yield name, _value(value)
    if report.show_stats:
        for name, value in report.outcome.stats.items():
            if isinstance(value, dict):
                yield name, ", ".join(f"{k} {_shown(v)}" for k, v in value.items()) or "none"
            elif isinstance(value, list):  # a GPU's, each by itself
                yield from ((f"device {k}", ", ".join(f"{n} {_shown(v)}" for n, v in own.items()))
                            for k, own in enumerate(value))
            else:
                yield name, _shown(value)
    if report.verified is not None:
        yield "verified", "yes" if report.verified else "NO"


def _times(report: Report) -> Iterator[str]:
    yield f"load {_ms(report.load_ms)}"
    if report.target != "ref":
        yield f"build {_ms(report.outcome.build_ms)}"
    if report.outcome.order_ms:
        yield f"order {_ms(report.outcome.order_ms)}"
    if report.outcome.forms:
        yield f"format {_ms(sum(f.ms for f in report.outcome.forms))}"
    times = report.outcome.kernel_ms
    if len(times) == 1:
        yield f"kernel {_ms(times[0])}"
    else:
        yield f"kernel {_ms(statistics.median(times))} (median of {len(times)}; {_ms(min(times))} to {_ms(max(times))})"


def _value(value: Any) -> str:
    if not isinstance(value, dict):
        return _shown(value)
    if "fields" in value:
        return "; ".join(f"{name} {_value(field)}" for name, field in value["fields"].items())
    if value["count"] == 0:
        return f"{value['dtype']}, no finite values"
    return (f"{value['dtype']}, {_shown(value['min'])} to {_shown(value['max'])}, sum {_shown(value['sum'])} "
            f"over {_count(value['count'], 'finite value')}")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _ms(value: float) -> str:
    return f"{value / 1e3:.2f} s" if value >= 1e3 else f"{value:.3g} ms"
