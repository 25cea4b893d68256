"""The calls on `program`, by their names: how they are written, and who knows what they mean."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass

from irgl.frontends.gt.schedules import meanings as M
from irgl.frontends.gt.schedules import values as V
from irgl.frontends.gt.schedules.fusing import FUSING
from irgl.frontends.gt.schedules.older import OLDER
from irgl.frontends.gt.schedules.reading import ALL, DENSE, PULL, SPARSE, Reading
from irgl.frontends.gt.schedules.tree import Call, Value
from irgl.source import IrglError

Args = tuple[Value, ...]
_HALVES = (SPARSE, DENSE, PULL, ALL)


@dataclass(frozen=True, slots=True)
class Known:
    """A call whose first value is a label: how many values it takes, how it is written, and what it says of a label,
    from its further values."""

    least: int
    most: int
    usage: str
    run: Callable[[Reading, Call, str, Args], None]


def _direction(r: Reading, c: Call, path: str, a: Args) -> None:
    M.direction(r, c, path, V.one_of(a[0], M.DIRECTIONS, "direction"))


def _parallel(r: Reading, c: Call, path: str, a: Args) -> None:
    said, half = V.one_of(a[0], M.PARALLEL, "parallelization"), _half(a, 2)
    M.parallel(r, c, path, said, V.whole(a[1], "a grain") if len(a) > 1 else None, half)


def _dense_set(r: Reading, c: Call, path: str, a: Args) -> None:
    said, half = V.one_of(a[0], M.DENSE_SETS, "dense vertexset"), _half(a, 2)
    which = V.one_of(a[1], ("src-vertexset", "dst-vertexset"), "end of edges") if len(a) > 1 else "src-vertexset"
    M.dense_set(r, c, path, said, which, half)


def _segments(r: Reading, c: Call, path: str, a: Args) -> None:
    how = V.one_of(a[0], ("fixed-vertex-count", "edge-aware-vertex-count"), "way to cut segments")
    number, half = r.limited(a[1], "a number of segments", "segments", c), _half(a, 2)
    if how == "fixed-vertex-count":
        M.segments(r, c, path, number, half)
    else:
        r.words.refuse(c, "not built yet: segments have equally many vertices, not equally many edges")


def _equal_segments(r: Reading, c: Call, path: str, a: Args) -> None:
    M.segments(r, c, path, r.limited(a[0], "a number of segments", "segments", c))


def _numa(r: Reading, c: Call, path: str, a: Args) -> None:
    V.one_of(a[0], ("serial", "static-parallel", "dynamic-parallel"), "NUMA parallelization")
    _half(a, 1)
    M.numa(r, c, path)


def _priority(r: Reading, c: Call, path: str, a: Args) -> None:
    M.priority(r, c, path, V.one_of(a[0], M.UPDATES, "priority update"))


def _delta(r: Reading, c: Call, path: str, a: Args) -> None:
    r.set_delta(path, a[0], c)


def _merging(r: Reading, c: Call, path: str, a: Args) -> None:
    M.merging(r, c, path, r.limited(a[0], "a threshold", "fuse", c))


def _buckets(r: Reading, c: Call, path: str, a: Args) -> None:
    M.buckets(r, c, path, r.limited(a[0], "a number of buckets", "buckets", c))


def _intersection(r: Reading, c: Call, path: str, a: Args) -> None:
    M.intersection(r, c, path, V.one_of(a[0], M.INTERSECTIONS, "intersection"))


def _par_for(r: Reading, c: Call, path: str, a: Args) -> None:
    V.whole(a[0], "a grain")
    M.par_for(r, c, path)


def _dedup(r: Reading, c: Call, path: str, a: Args) -> None:
    M.dedup(r, c, path, V.one_of(a[0], ("enable", "disable"), "deduplication"))


def _half(args: Args, at: int) -> str:
    return V.one_of(args[at], _HALVES, "direction") if len(args) > at else ALL


CALLS = {
    "configApplyDirection": Known(2, 2, "(label, direction)", _direction),
    "configApplyParallelization": Known(2, 4, "(label, parallelization [, grain [, direction]])", _parallel),
    "configApplyDenseVertexSet": Known(2, 4, '(label, set [, "src-vertexset" [, direction]])', _dense_set),
    "configApplyNumSSG": Known(3, 4, '(label, "fixed-vertex-count", n [, direction])', _segments),
    "configApplyNumSegments": Known(2, 2, "(label, n)", _equal_segments),
    "configApplyNUMA": Known(2, 3, '(label, "static-parallel" [, direction])', _numa),
    "configApplyPriorityUpdate": Known(2, 2, "(label, update)", _priority),
    "configApplyPriorityUpdateDelta": Known(2, 2, "(label, n)", _delta),
    "configBucketMergeThreshold": Known(2, 2, "(label, n)", _merging),
    "configNumOpenBuckets": Known(2, 2, "(label, n)", _buckets),
    "configIntersection": Known(2, 2, "(label, intersection)", _intersection),
    "configParForGrainSize": Known(2, 2, "(label, n)", _par_for),
    "configApplyDeduplication": Known(2, 2, '(label, "enable" or "disable")', _dedup),
    "setApply": Known(2, 3, "(label, word [, n])", OLDER["setApply"]),
    "setVertexSet": Known(2, 2, "(label, word)", OLDER["setVertexSet"]),
}
#: The calls on `program` that are none of a schedule's own objects.
NAMES = (*CALLS, *FUSING, "applyGPUSchedule")


def run(r: Reading, call: Call) -> None:
    """Does what a call on `program` says. Raises IrglError for an unknown call, and for values that it doesn't take."""
    name = call.name.name
    if name in FUSING:
        FUSING[name](r, call)
        return
    known = CALLS.get(name)
    if known is None:
        near = difflib.get_close_matches(name, NAMES, 1)
        raise IrglError(f"`program` has no call `{name}`", call.name.span,
                        f"did you mean {near[0]}?" if near else f"its calls are {', '.join(NAMES)}")
    V.check_count(call, call.args, known.least, known.most, f"{name}{known.usage}")
    for path in r.meant(call.args[0]):
        known.run(r, call, path, call.args[1:])
