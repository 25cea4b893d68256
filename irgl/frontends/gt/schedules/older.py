"""The older words of schedules, setApply and setVertexSet, which mean what newer calls do."""

from __future__ import annotations

from collections.abc import Callable

from irgl.frontends.gt.schedules import meanings as M
from irgl.frontends.gt.schedules import values as V
from irgl.frontends.gt.schedules.reading import ALL, PULL, Reading
from irgl.frontends.gt.schedules.tree import Call, Value
from irgl.source import IrglError

_DIRECTIONS = {"push": "SparsePush", "pull": "DensePull", "hybrid_dense": "SparsePush-DensePull",
               "hybrid_dense_forward": "SparsePush-DensePush"}
_DEDUP = {"enable_deduplication": "enable", "disable_deduplication": "disable"}
#: Words behind which a number may stand, or has to.
_NUMBERED, _NUMBERS = ("pull_edge_based_load_balance",), ("num_segment", "delta", "bucket_merge_threshold",
                                                          "num_open_buckets", "grain_size")
WORDS = (*_DIRECTIONS, "serial", "parallel", *_DEDUP, "sliding_queue", "pull_frontier_bitvector", "numa_aware",
         *M.UPDATES, *_NUMBERED, *_NUMBERS)


def _apply(r: Reading, call: Call, path: str, args: tuple[Value, ...]) -> None:
    said = V.one_of(args[0], WORDS, "word of setApply")
    number = args[1] if len(args) > 1 else None
    if number is not None and said not in (*_NUMBERED, *_NUMBERS, *_DIRECTIONS):
        raise IrglError(f"`{said}` takes no number", number.span)
    if said in _NUMBERS:
        if number is None:
            raise IrglError(f"`{said}` wants a number", call.span, f'setApply("{path}", "{said}", 16)')
        _numbered(r, call, path, said, number)
    elif said in _DIRECTIONS:
        _direction(r, call, path, said)
    elif said in _DEDUP:
        M.dedup(r, call, path, _DEDUP[said])
    elif said in M.UPDATES:
        M.priority(r, call, path, said)
    else:
        _plain(r, call, path, said, None if number is None else V.whole(number, "a grain"))


def _direction(r: Reading, call: Call, path: str, said: str) -> None:
    """The older words for directions reset nothing."""
    if r.takes(call, path, M.EDGES, "direction"):
        r.go(path, M.DIRECTIONS[_DIRECTIONS[said]], call)


def _plain(r: Reading, call: Call, path: str, said: str, grain: int | None) -> None:
    if said == "serial":
        M.parallel(r, call, path, "serial")
    elif said == "parallel":
        M.parallel(r, call, path, "dynamic-vertex-parallel")
    elif said == "pull_edge_based_load_balance":
        M.parallel(r, call, path, "edge-aware-dynamic-vertex-parallel", grain,
                   PULL if PULL in r.way(path).halves else ALL)
    elif said == "pull_frontier_bitvector":
        M.dense_set(r, call, path, "bitvector")
    elif said == "numa_aware":
        M.numa(r, call, path)
    elif r.takes(call, path, M.EDGES, "queue of vertices"):
        r.words.say(path, r.labelled.labels[path].loops, "frontier", "queue", call)


def _numbered(r: Reading, call: Call, path: str, said: str, number: Value) -> None:
    if said == "delta":
        r.set_delta(path, number, call)
    elif said == "num_segment":
        M.segments(r, call, path, r.limited(number, "a number of segments", "segments", call))
    elif said == "bucket_merge_threshold":
        M.merging(r, call, path, r.limited(number, "a threshold", "fuse", call))
    elif said == "num_open_buckets":
        M.buckets(r, call, path, r.limited(number, "a number of buckets", "buckets", call))
    elif (grain := r.limited(number, "a grain", "grain", call)) is not None and r.takes(
            call, path, M.EDGES, "grain"):
        r.words.say(path, r.loops(path, r.suffixes(call, path)), "grain", str(grain), call)


def _vertexset(r: Reading, call: Call, path: str, args: tuple[Value, ...]) -> None:
    V.one_of(args[0], ("sparse", "dense"), "word of setVertexSet")
    r.words.refuse(call, f'a vertexset is a list or a set as its loops say: configApplyDirection("{path}", ...)')


OLDER: dict[str, Callable[[Reading, Call, str, tuple[Value, ...]], None]] = {
    "setApply": _apply, "setVertexSet": _vertexset}
