"""What `program->applyGPUSchedule(label, object)` makes of a plan."""

from __future__ import annotations

from dataclasses import replace

from irgl.frontends.gt.schedules import values as V
from irgl.frontends.gt.schedules.labels import APPLY, FOR, KINDS, QUEUE, WHILE
from irgl.frontends.gt.schedules.objects import BLOCKED, DELTA, EDGE_ONLY, Hybrid, Objects, Simple
from irgl.frontends.gt.schedules.reading import HYBRID, OVER_SET, PULLED, PULLS, WRITTEN, Reading
from irgl.frontends.gt.schedules.tree import Call

#: Words of `np`.
SCHEDULERS = {"VERTEX_BASED": "serial", "CM": "fg", "TWC": "bins", "TWCE": "cut", "ETWC": "cut", "WM": "wf",
              "STRICT": "even"}
COLLECTS = {"FUSED": "push", "UNFUSED_BITMAP": "bitmap", "UNFUSED_BOOLMAP": "bytemap"}
MEMBERS = {"BITMAP": "bitmap", "BOOLMAP": "bytemap"}
_OF_LOOPS = "configKernelFusion"
#: What a schedule says of an apply, which another one for the same label takes the place of.
_ALL = ("direction", "switch", "member", "frontier", "threads", "share", "grain", "format", "segments", "np", "collect",
        "dedup")


def run(r: Reading, objects: Objects, call: Call) -> None:
    """Does what the call says. Raises IrglError for a label or an object that doesn't exist."""
    V.check_count(call, call.args, 2, 2, 'applyGPUSchedule("s0:s1", s1)')
    found = objects.get(call.args[1])
    for path in r.meant(call.args[0]):
        kind = r.kind(path)
        if kind in (APPLY, QUEUE):
            r.words.reset(path, _ALL, call)
            _halves(r, path, found, call) if isinstance(found, Hybrid) else _apply(r, path, found, call)
        elif isinstance(found, Hybrid):
            r.words.refuse(call, f"{path} is {KINDS[kind]}, which has no halves")
        else:
            _loop(r, path, found)


def _loop(r: Reading, path: str, s: Simple) -> None:
    """A label of something else than an apply of an edgeset."""
    kind, rounds = r.kind(path), r.labelled.labels[path].rounds
    for name, call in s.calls.items():
        if name == _OF_LOOPS and kind in (WHILE, FOR):
            r.words.say(path, rounds, "outline", "all" if s.word(name) == "ENABLED" else "off", call)
        else:
            r.words.refuse(call, f"{path} is {KINDS[kind]}: {name} is said of {_said_of(name)}")


def _said_of(name: str) -> str:
    return KINDS[WHILE] if name == _OF_LOOPS else KINDS[QUEUE] if name == DELTA else KINDS[APPLY]


def _apply(r: Reading, path: str, s: Simple, by: Call) -> None:
    label = r.labelled.labels[path]
    direction = s.calls.get("configDirection")
    sweeps = s.word("configLoadBalance") == EDGE_ONLY
    way = PULLED if s.pulls else OVER_SET if sweeps else WRITTEN
    r.ways[path] = way
    if direction is not None:
        r.go(path, way, direction)
        _member(r, path, s, direction)
    elif sweeps and label.frontier:
        r.words.say(path, label.loops, "frontier", way.frontier, s.calls["configLoadBalance"], implied=True)
    _half(r, path, s, "")
    _whole(r, path, s, by)


def _halves(r: Reading, path: str, h: Hybrid, by: Call) -> None:
    """Two schedules, of which the frontier's size chooses."""
    if h.small.pulls == h.large.pulls:
        r.words.refuse(h.made, "its halves run in the same direction, of which a plan has one for all rounds: the "
                       "first one's words hold")
        _apply(r, path, h.small, by)
        return
    if h.small.pulls:
        r.words.refuse(by, "it pulls while the frontier is small and pushes while it is large, where a hybrid loop "
                       "does the opposite")
        return
    r.go(path, HYBRID, by)
    r.words.say(path, r.labelled.labels[path].loops, "switch", f"nodes:{h.share}", by)
    _member(r, path, h.large, h.large.calls["configDirection"])
    if "configDirection" in h.small.calls:
        _member(r, path, h.small, h.small.calls["configDirection"])
    _half(r, path, h.small, "")
    _half(r, path, h.large, PULLS)
    _whole(r, path, h.small, by)
    rest = {name: c for name, c in h.large.calls.items() if name in (_OF_LOOPS, DELTA, "configBooleanType")
            or (name == "configDeduplication" and "configDeduplication" not in h.small.calls)}
    _whole(r, path, replace(h.large, calls=rest), by)
    dedup = h.large.calls.get("configDeduplication")
    if dedup is not None and "configDeduplication" in h.small.calls and _dedup(h.large) != _dedup(h.small):
        r.words.refuse(dedup, "both halves fill the same set, for which the deduplication of the half that pushes "
                       "holds")


def _member(r: Reading, path: str, s: Simple, call: Call) -> None:
    """In what a loop that pulls looks for the frontier."""
    said = s.word("configDirection", 1)
    if said and s.pulls:
        r.words.say(path, r.labelled.labels[path].loops, "member", MEMBERS[said], call)
    elif said:
        r.words.refuse(call, f"a loop that pushes runs over its frontier, and asks no {said} who is in it")


def _half(r: Reading, path: str, s: Simple, suffix: str) -> None:
    """What is said of one half of an apply."""
    created, balanced = s.calls.get("configFrontierCreation"), s.calls.get("configLoadBalance")
    if created is not None:
        word = COLLECTS[s.word("configFrontierCreation")]
        r.words.say(path, r.loops(path, [suffix]), "collect", word, created)
    if balanced is None:
        return
    said, edges = s.word("configLoadBalance"), r.edges(path, [suffix])
    if said == EDGE_ONLY:
        r.words.say(path, edges, "format", "coo", balanced)
        if s.word("configLoadBalance", 1) == BLOCKED:
            number = V.whole(balanced.args[2], "a number of vertices")
            r.words.say(path, edges, "segments", f"{number}n", balanced)
    elif said == "STRICT" and r.target == "cpu":
        r.words.say(path, r.loops(path, [suffix]), "share", "even", balanced)
    else:
        r.words.say(path, edges, "np", SCHEDULERS[said], balanced)


def _whole(r: Reading, path: str, s: Simple, by: Call) -> None:
    """What is said of an apply, whatever its halves."""
    for name, call in s.calls.items():
        if name == "configDeduplication":
            r.words.say(path, (), "dedup", _dedup(s), call)
        elif name == DELTA:
            r.set_delta(path, call.args[0], call)
        elif name == _OF_LOOPS:
            r.words.refuse(call, f"{path}, in line {by.span.line}, is {KINDS[r.kind(path)]}: kernels of {KINDS[WHILE]} "
                           "are fused")
        elif name == "configBooleanType":
            r.words.refuse(call, "a vector of bool has a byte for each vertex")


def _dedup(s: Simple) -> str:
    if s.word("configDeduplication") == "DISABLED":
        return "off"
    return "rounds" if s.word("configDeduplication", 1) == "FUSED" else "flags"
