"""What a schedule has said so far: of which halves a loop is, the words of its plan, the queue's delta."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from irgl.frontends.gt.schedules import values as V
from irgl.frontends.gt.schedules.labels import KINDS, QUEUE, Labelled, Paths
from irgl.frontends.gt.schedules.tree import Call, Value
from irgl.frontends.gt.schedules.words import Words
from irgl.options import SWITCH, WAY

#: Directions in which a half of a loop may run, and all of them.
SPARSE, DENSE, PULL, ALL = "SparsePush", "DensePush", "DensePull", "all"
#: What stands behind the place of a loop for its half that pulls, and that runs over bytes.
PULLS, OVER_BYTES = "_pull", "_dense"


@dataclass(frozen=True, slots=True)
class Way:
    """How a loop goes along its edges: the words of `direction` and `frontier`, '' for none, and its halves by their
    directions, each with what stands behind the place."""

    direction: str
    frontier: str
    halves: Mapping[str, str]


WRITTEN = Way("written", "list", {SPARSE: ""})
OVER_SET = Way("written", "bytemap", {DENSE: ""})
PULLED = Way("pull", "", {PULL: ""})
HYBRID = Way("hybrid", "", {SPARSE: "", PULL: PULLS})
EITHER = Way("written", "either", {SPARSE: "", DENSE: OVER_BYTES})


@dataclass(slots=True)
class Reading:
    """A schedule that is read for a target. delta: the default of the parameter `delta`, '' where nothing is said, and
    the call that says it."""

    labelled: Labelled
    target: str
    words: Words
    paths: Paths
    ways: dict[str, Way] = field(default_factory=dict)
    delta: str = ""
    delta_by: Call | None = None

    def meant(self, value: Value) -> tuple[str, ...]:
        """The labels that a value means. Raises IrglError."""
        return self.paths.meant(V.text(value, "a label"), value.span)

    def kind(self, path: str) -> str:
        return self.labelled.labels[path].kind

    def takes(self, call: Call, path: str, kinds: Collection[str], what: str) -> bool:
        """Is a label of a kind that has what a call speaks of? Notes where it isn't."""
        if self.kind(path) in kinds:
            return True
        self.words.refuse(call, f"{path} is {KINDS[self.kind(path)]}, which has no {what}")
        return False

    def way(self, path: str) -> Way:
        """How a labelled loop goes, as far as anything is said."""
        return self.ways.get(path, WRITTEN)

    def go(self, path: str, way: Way, call: Call) -> None:
        """Says which way a labelled loop goes."""
        label = self.labelled.labels[path]
        if label.pulled:
            self.ways[path] = PULLED
            if way.direction == WRITTEN.direction:
                self.words.refuse(call, f"{path} takes all edges, and pulls: so each vertex is changed by itself alone")
            return
        if way.frontier == "either" and not label.frontier:
            way = WRITTEN  # all vertices are a set and a list
        self.ways[path] = way
        self.words.say(path, label.loops, WAY, way.direction, call)
        if way.frontier and label.frontier:
            self.words.say(path, label.loops, "frontier", way.frontier, call)

    def suffixes(self, call: Call, path: str, direction: str = ALL) -> list[str]:
        """What stands behind the places of the halves that a call speaks of. Notes where there are none."""
        way = self.way(path)
        if direction == ALL:
            return list(way.halves.values())
        if direction in way.halves:
            return [way.halves[direction]]
        self.words.refuse(call, f"{path} has no half that runs by {direction}, but by {' and '.join(way.halves)}")
        return []

    def loops(self, path: str, suffixes: Iterable[str]) -> list[str]:
        """The places of loops' halves."""
        return [f"{loop}{suffix}" for suffix in suffixes for loop in self.labelled.labels[path].loops]

    def edges(self, path: str, suffixes: Iterable[str]) -> list[str]:
        """The places of the ForAlls over edges in loops' halves."""
        label = self.labelled.labels[path]
        found = []
        for suffix in suffixes:
            for place in label.edges:
                around = max((loop for loop in label.loops if place.startswith(f"{loop}.")), key=len, default="")
                found.append(f"{around}{suffix}{place.removeprefix(around)}")
        return found

    def set_delta(self, path: str, value: Value, call: Call) -> None:
        """Says how wide a queue's buckets are."""
        number = V.argument(value)
        said = str(V.whole(value, "a delta")) if number is None else f"argv{number}"
        if not self.takes(call, path, (QUEUE,), "priority queue"):
            return
        if not self.labelled.delta:
            self.words.refuse(call, "each priority has a bucket of its own: the program has no delta")
            return
        if self.delta_by is not None and self.delta != said:
            self.words.refuse(self.delta_by, f"{call}, of line {call.span.line}, comes later, and a program has one "
                              "delta")
        self.delta, self.delta_by = said, call

    @property
    def arguments(self) -> dict[str, str]:
        """The parameters argv1, argv2, ... that the schedule asks for, with their types."""
        shares = [w.value.partition(":")[2] for w in self.words.said if w.option == SWITCH]
        asked = {**dict.fromkeys(shares, "double"), self.delta: "int"}
        return {name: of for name, of in asked.items() if name.startswith("argv")}

    def limited(self, value: Value, what: str, option: str, call: Call) -> int | None:
        """A whole number that becomes a word; None, with a note, for an argument of the program."""
        if V.argument(value) is None:
            return V.whole(value, what)
        self.words.refuse(call, f"{option}= is chosen before the program runs: give --plan {option}=N in place of an "
                          "argument")
        return None
