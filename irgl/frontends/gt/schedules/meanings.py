"""What calls on `program` make of a plan: a row of the table in docs/graphit_schedules.md each."""

from __future__ import annotations

from irgl.frontends.gt.schedules.labels import APPLY, FOR, INTERSECTION, QUEUE, STATEMENT, VERTICES
from irgl.frontends.gt.schedules.reading import (
    ALL,
    DENSE,
    EITHER,
    HYBRID,
    OVER_SET,
    PULL,
    PULLED,
    WRITTEN,
    Reading,
)
from irgl.frontends.gt.schedules.tree import Call

EDGES = (APPLY, QUEUE)
DIRECTIONS = {
    "SparsePush": WRITTEN, "DensePush": OVER_SET, "DensePull": PULLED,
    **dict.fromkeys(("SparsePush-DensePull", "DensePull-SparsePush"), HYBRID),
    **dict.fromkeys(("SparsePush-DensePush", "DensePush-SparsePush"), EITHER),
}
PARALLEL = {"serial": ("threads", "1"), "static-vertex-parallel": ("share", "even"),
            "dynamic-vertex-parallel": ("share", "nodes"), "edge-aware-dynamic-vertex-parallel": ("share", "edges")}
DENSE_SETS = {"bitvector": "bitmap", "boolean-array": "bytemap"}
UPDATES = {"eager_priority_update": "eager", "eager_priority_update_with_merge": "eager",
           "lazy_priority_update": "lazy", "constant_sum_reduce_before_update": "lazy_sum"}
INTERSECTIONS = {"NaiveIntersection": "merge", "HiroshiIntersection": "merge", "MultiskipIntersection": "gallop",
                 "CombinedIntersection": "auto", "BinarySearchIntersection": "binary"}
#: What a direction resets, which therefore stands first.
_OF_WAYS = ("direction", "switch", "member", "frontier", "threads", "share", "grain", "format", "segments")
#: From where on GraphIt's hybrid loops on CPUs pull.
_SWITCH = "edges:0.05"


def direction(r: Reading, call: Call, path: str, said: str) -> None:
    """Which way an apply goes along its edges."""
    if not r.takes(call, path, EDGES, "direction"):
        return
    r.words.reset(path, _OF_WAYS, call)
    r.go(path, DIRECTIONS[said], call)
    if DIRECTIONS[said] is HYBRID and r.target == "cpu":
        r.words.say(path, r.labelled.labels[path].loops, "switch", _SWITCH, call, implied=True)


def parallel(r: Reading, call: Call, path: str, said: str, grain: int | None = None, half: str = ALL) -> None:
    """How threads share an apply."""
    if not r.takes(call, path, (*EDGES, VERTICES), "parallelization"):
        return
    option, value = PARALLEL[said]
    if r.kind(path) == VERTICES and said.endswith("vertex-parallel") and option == "share" and value != "even":
        value = "edges"  # nodes without edges are shared out by how many they are
    places = r.loops(path, r.suffixes(call, path, half))
    if not places and r.labelled.labels[path].loops:
        return  # said why
    r.words.replace(path, places, ("threads", "share", "grain"), call)
    r.words.say(path, places, option, value, call)
    if grain is not None and value in ("nodes", "edges"):
        r.words.say(path, places, "grain", str(grain), call)
    elif grain is not None:
        r.words.refuse(call, f"there is no grain with {said}: {_NO_GRAIN[option]}")


_NO_GRAIN = {"threads": "one thread takes everything", "share": "each thread takes one part"}


def dense_set(r: Reading, call: Call, path: str, said: str, which: str = "src-vertexset", half: str = ALL) -> None:
    """How the vertices that an apply comes from are asked for."""
    if not r.takes(call, path, EDGES, "dense vertexset"):
        return
    way, loops = r.way(path), r.labelled.labels[path].loops
    if which != "src-vertexset":
        r.words.refuse(call, "the vertices that an apply goes to are asked by its `to`, which no plan changes")
    elif PULL in way.halves and half in (ALL, PULL):
        r.words.say(path, loops, "member", DENSE_SETS[said], call)
    elif way is OVER_SET and half in (ALL, DENSE):
        r.words.say(path, loops, "frontier", DENSE_SETS[said], call)
    elif r.suffixes(call, path, half):
        r.words.refuse(call, f"{path} runs by {' and '.join(way.halves)}, where no set is asked who is in it: it means "
                       "something for DensePull and DensePush")


def segments(r: Reading, call: Call, path: str, number: int | None, half: str = ALL) -> None:
    """Into how many cache segments the vertices at the edges' other ends are cut; None: an argument says it."""
    if number is None or not r.takes(call, path, EDGES, "segments"):
        return
    way = r.way(path)
    places = r.edges(path, r.suffixes(call, path, PULL if half == ALL and PULL in way.halves else half))
    if not places and r.labelled.labels[path].edges:
        return  # said why
    r.words.say(path, places, "format", "coo", call)
    r.words.say(path, places, "segments", str(number), call)


def priority(r: Reading, call: Call, path: str, said: str) -> None:
    """How vertices of a priority queue are filed."""
    if not r.takes(call, path, (QUEUE,), "priority queue"):
        return
    r.words.forget(path, "fuse")
    r.words.say(path, r.labelled.labels[path].loops, "priority", UPDATES[said], call)
    if said == "eager_priority_update":
        r.words.say(path, (), "fuse", "1", call, implied=True)


def merging(r: Reading, call: Call, path: str, number: int | None) -> None:
    """Up to how many vertices a thread goes on with its own bucket."""
    if number is None or not r.takes(call, path, (QUEUE,), "priority queue"):
        return
    fuse = r.words.says(path, "fuse")
    if fuse is not None and fuse.implied:
        r.words.refuse(call, "eager_priority_update merges no buckets: eager_priority_update_with_merge does")
    else:
        r.words.say(path, (), "fuse", str(number), call)


def buckets(r: Reading, call: Call, path: str, number: int | None) -> None:
    """How many buckets of a queue lie apart."""
    if number is not None and r.takes(call, path, (QUEUE,), "priority queue"):
        r.words.say(path, (), "buckets", str(number), call)


def dedup(r: Reading, call: Call, path: str, said: str) -> None:
    """Whether a vertex comes once into what an apply returns."""
    if r.takes(call, path, EDGES, "deduplication"):
        r.words.say(path, (), "dedup", "flags" if said == "enable" else "off", call)


def intersection(r: Reading, call: Call, path: str, said: str) -> None:
    """How neighbours that two vertices share are found."""
    if r.takes(call, path, (INTERSECTION, STATEMENT), "intersection"):
        label = r.labelled.labels[path]  # it stands in the innermost loop: that over edges, where there is one
        r.words.say(path, label.edges or label.loops, "intersect", INTERSECTIONS[said], call)


def numa(r: Reading, call: Call, path: str) -> None:
    """Where segments lie in memories of their own."""
    if r.takes(call, path, EDGES, "segments"):
        r.words.refuse(call, "all memory is taken to be equally far from all threads")


def par_for(r: Reading, call: Call, path: str) -> None:
    """How many iterations of a par_for a thread takes."""
    if r.takes(call, path, (FOR,), "par_for"):
        r.words.refuse(call, "a par_for runs its iterations one after the other, each of which is parallel inside")
