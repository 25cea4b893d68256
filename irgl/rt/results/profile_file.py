"""Profiles as JSON, which `irglc run --profile=FILE.json` writes and `irglc explain --profile` reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from irgl.rt.results.profile import Place, Profile, Spread
from irgl.source import IrglError, Source

VERSION = 1
_WHAT = "what `irglc run PROGRAM --profile=FILE.json` wrote"


@dataclass(frozen=True, slots=True)
class About:
    """Whose profile it is: the program's name, a digest of its texts, where and how it ran, and on what graph, of which
    there may be none."""

    program: str
    text: str
    target: str
    plan: str
    graph: Mapping[str, Any] | None


def digest(sources: Iterable[Source]) -> str:
    """Of a program's texts, its own first."""
    found = hashlib.sha256()
    for source in sources:
        found.update(source.text.encode(errors="surrogateescape") + b"\0")
    return found.hexdigest()


def as_json(about: About, profile: Profile) -> dict[str, Any]:
    """The object of the file; events are in the timeline alone."""
    return {
        "irgl_profile": VERSION, **asdict(about), "threads": profile.threads, "edges": profile.edges,
        "ms": _rounded(profile.ms), "elsewhere_ms": _rounded(profile.elsewhere_ms()), "further": profile.further,
        "outside": profile.outside, "places": [_place(profile, p) for p in profile.places],
    }


def _place(profile: Profile, p: Place) -> dict[str, Any]:
    waiting, share = profile.waiting(p), profile.share(p)
    found = {name: _rounded(value) if isinstance(value, float) else value for name, value in asdict(p).items()}
    return found | {"share": None if share is None else round(share, 4),
                    "waiting": None if waiting is None else round(waiting, 4)}


def _rounded(ms: float | None) -> float | None:
    """To the nanosecond."""
    return None if ms is None else round(ms, 6)


def read(path: str) -> tuple[About, Profile]:
    """The profile in a file. Raises IrglError for anything else."""
    try:
        data = json.loads(Path(path).read_bytes())
    except OSError as e:
        raise IrglError(f"can't read it: {e.strerror}", file=path) from None
    except (ValueError, RecursionError):
        raise IrglError("it is no profile: it is no JSON", file=path, hint=f"give {_WHAT}") from None
    version = data.get("irgl_profile") if isinstance(data, dict) else None
    if version is None:
        kind = "a timeline" if isinstance(data, dict) and "traceEvents" in data else "JSON of something else"
        raise IrglError(f"it is no profile: it is {kind}", file=path, hint=f"give {_WHAT}")
    if version != VERSION:
        raise IrglError(f"it is a profile in form {version!r}, and this irgl reads form {VERSION}", file=path,
                        hint="run the program again with --profile=FILE.json")
    try:
        return _about(data), _profile(data)
    except (KeyError, TypeError, ValueError) as e:
        raise IrglError(f"it is a damaged profile: {_said(e)}", file=path,
                        hint="run the program again with --profile=FILE.json") from None


def _said(e: Exception) -> str:
    return f"{e.args[0]!r} is missing" if isinstance(e, KeyError) else str(e)


def _about(data: Mapping[str, Any]) -> About:
    words = {name: _is(data[name], str, name) for name in ("program", "text", "target", "plan")}
    graph = data["graph"]
    return About(**words, graph=None if graph is None else _is(graph, dict, "graph"))


def _profile(data: Mapping[str, Any]) -> Profile:
    places = tuple(_read_place(_is(p, dict, "places")) for p in _is(data["places"], list, "places"))
    return Profile(places, _time(data, "ms"), _is(data["threads"], int, "threads"), _is(data["edges"], int, "edges"),
                   further=_is(data["further"], int, "further"), outside=_counters(data, "outside"))


def _read_place(data: Mapping[str, Any]) -> Place:
    items = data["items"]
    kind, place, file, over = (_is(data[name], str, name) for name in ("kind", "place", "file", "over"))
    line, runs = (_is(data[name], int, name) for name in ("line", "runs"))
    shared, did, dense = (None if data[name] is None else _is(data[name], int, name)
                          for name in ("shared", "did", "dense"))
    sizes = [] if items is None else [_is(_is(items, dict, "items")[name], int, name)
                                      for name in ("least", "median", "largest", "sum")]
    return Place(kind, place, file, line, over, runs, _time(data, "ms"), _time(data, "busy_ms"), shared,
                 _time(data, "shared_ms"), Spread(*sizes) if sizes else None, did, dense, _time(data, "dense_ms"),
                 _counters(data, "counted"))


def _counters(data: Mapping[str, Any], name: str) -> dict[str, int] | None:
    counted = data[name]
    return None if counted is None else {word: _is(n, int, name) for word, n in _is(counted, dict, name).items()}


def _time(data: Mapping[str, Any], name: str) -> float | None:
    value = data[name]
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError(f"{name!r} is {value!r}, and no time")
    return float(value)


def _is(value: Any, of: type, name: str) -> Any:
    """The value, if it is of that type; a whole number is no less than 0."""
    if not isinstance(value, of) or isinstance(value, bool) or (isinstance(value, int) and value < 0):
        raise ValueError(f"{name!r} is {json.dumps(value)[:60]}")
    return value
