"""A profile as a timeline that Perfetto and chrome://tracing open (the trace event format)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from irgl.rt.results.profile import Profile
from irgl.rt.results.profile_file import About

_PROCESS = 1


def timeline(about: About, profile: Profile) -> dict[str, Any]:
    """The object of the file: rounds, kernels and loops lie in each other on the thread that runs the Program, the
    others have their parts of loops; the sizes of frontiers are counters. Times are in us."""
    return {"displayTimeUnit": "ms", "otherData": asdict(about),
            "traceEvents": [*_names(about, profile), *_loops(profile), *_parts(profile)]}


def _names(about: About, profile: Profile) -> Iterator[dict[str, Any]]:
    graph = f" on {about.graph['file']}" if about.graph is not None else ""
    yield {"ph": "M", "name": "process_name", "pid": _PROCESS, "args": {"name": f"{about.program}{graph}"}}
    for thread in range(profile.threads):
        yield {"ph": "M", "name": "thread_name", "pid": _PROCESS, "tid": thread,
               "args": {"name": f"thread {thread}{', the Program' * (thread == 0)}"}}


def _loops(profile: Profile) -> Iterator[dict[str, Any]]:
    lines = {p.place: p.line for p in profile.places}
    for e in profile.events:
        counts = {name: n for name, n in (("iterations", e.items), ("edges", e.edges)) if n is not None}
        yield {"ph": "X", "name": e.place, "cat": e.kind, "pid": _PROCESS, "tid": 0, **_times(e.begin, e.end),
               "args": {"line": lines[e.place], **counts}}
        if counts:
            yield {"ph": "C", "name": f"frontier of {e.place}", "pid": _PROCESS, "ts": e.begin / 1e3, "args": counts}


def _parts(profile: Profile) -> Iterator[dict[str, Any]]:
    for p in profile.parts:
        name = p.place if p.thread else "its own part"
        yield {"ph": "X", "name": name, "cat": "part", "pid": _PROCESS, "tid": p.thread, **_times(p.begin, p.end)}


def _times(begin: int, end: int) -> dict[str, float]:
    return {"ts": begin / 1e3, "dur": (end - begin) / 1e3}
