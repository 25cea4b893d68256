"""What the loops of a run did and how long they took: a profile, as its unit noted it (cpu_rt/profile.hpp)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import median_low

from irgl.rt.manifests.manifest import Site
from irgl.rt.results.rounds import Round, Rounds

#: A run that looks at more than this part of a graph's edges is dense, as where a hybrid loop begins to pull.
DENSE = 20


@dataclass(frozen=True, slots=True)
class Spread:
    """How many there were in each run: the least, the median, the largest, and all together."""

    least: int
    median: int
    largest: int
    sum: int


@dataclass(frozen=True, slots=True)
class Place:
    """A loop of the Program, a kernel or a loop in one, with what it did.

    kind: `rounds`, a loop of the Program; `kernel`, one that is more than a loop; `loop`, that threads run together;
    `inner`, in such a one. over: nodes, edges or items. runs: rounds, invocations, or of an inner loop the runs of the
    loop around that threads run together. ms: all runs together, for an inner loop None. busy_ms: the time that threads
    spent in it, together; shared, shared_ms: the runs that all threads were asked for. items: its iterations, by
    run; did: how many of them did something. dense, dense_ms: the runs that looked at over a twentieth of the edges.
    counted: what the emulator counts. What isn't counted is None.
    """

    kind: str
    place: str
    file: str
    line: int
    over: str
    runs: int
    ms: float | None = None
    busy_ms: float | None = None
    shared: int | None = None
    shared_ms: float | None = None
    items: Spread | None = None
    did: int | None = None
    dense: int | None = None
    dense_ms: float | None = None
    counted: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One run of a place, from and to in ns of the run; items, edges: of a loop, how many iterations there were, and in
    inner loops over edges."""

    place: str
    kind: str
    begin: int
    end: int
    items: int | None
    edges: int | None


@dataclass(frozen=True, slots=True)
class Part:
    """A thread's part of a loop's run, from and to in ns of the run."""

    place: str
    thread: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Profile:
    """The places of a run, in the order of the text, what took the rest of its time, and when it did what.

    ms: of the whole run; None where nobody measures. events, parts: in the order of their beginnings; further: how many
    more runs of places there were than events are kept, of whose sizes only the sums are known. outside: what the
    emulator counts in no kernel.
    """

    places: tuple[Place, ...]
    ms: float | None
    threads: int
    edges: int
    events: tuple[Event, ...] = ()
    parts: tuple[Part, ...] = ()
    further: int = 0
    outside: Mapping[str, int] | None = None

    def share(self, p: Place) -> float | None:
        """A place's part of the whole: of the time, or of the steps of warps that the emulator counts."""
        if p.ms is not None and self.ms:
            return p.ms / self.ms
        if p.counted is None or self.outside is None:
            return None
        every = (self.outside, *(x.counted or {} for x in self.places if x.kind in ("kernel", "loop")))
        return p.counted.get("warp_steps", 0) / max(1, sum(c.get("warp_steps", 0) for c in every))

    def waiting(self, p: Place) -> float | None:
        """The part of its time that threads wait while others are in a loop, or while there are none for them."""
        if p.busy_ms is None or not p.ms:
            return None
        return min(1.0, max(0.0, 1 - p.busy_ms / (p.ms * self.threads)))

    def elsewhere_ms(self) -> float | None:
        """What is in no kernel: first values, the Program's other statements, starting threads."""
        if self.ms is None:
            return None
        kernels = {p.place for p in self.places if p.kind == "kernel"}
        told = (p.ms for p in self.places if p.ms is not None and (
            p.kind == "kernel" or (p.kind == "loop" and p.place.split(".")[0] not in kernels)))
        return max(0.0, self.ms - sum(told))


@dataclass(slots=True)
class _Total:
    runs: int
    ns: int
    busy: int
    shared: int
    shared_ns: int
    counts: list[int]


def of_threads(words: Sequence[int], sites: Sequence[Site], ms: float, threads: int, edges: Sequence[int]) -> Profile:
    """From what irgl_profile tells of a run that took so long; edges: of each graph."""
    rest = iter(words)
    kept, kept_parts, known = islice(rest, 3)
    totals = [_total(rest) for _ in range(known)]
    totals += [_Total(0, 0, 0, 0, 0, []) for _ in range(len(sites) - known)]
    runs: dict[int, list[tuple[int, list[int]]]] = {}
    events = []
    for _ in range(kept):
        site, begin, end, _busy, _shared, loops = islice(rest, 6)
        counts = [*islice(rest, 2 * loops)]
        runs.setdefault(site, []).append((end - begin, counts))
        s = sites[site]
        looked = [counts[2 * x.slot] for x in sites if x.of == site and x.slot >= 0 and x.over == "edges"]
        events.append(Event(s.place, s.kind, begin, end, counts[0] if loops and s.slot == 0 else None,
                            sum(looked) if looked else None))
    parts = [Part(sites[site].place, thread, begin, end)
             for site, thread, begin, end in (islice(rest, 4) for _ in range(kept_parts))]
    most = max(edges, default=0)
    places = [_place(s, n, totals, runs, most) for n, s in enumerate(sites)]
    events.sort(key=lambda e: (e.begin, -e.end))
    return Profile(tuple(places), ms, threads, most, tuple(events), tuple(sorted(parts, key=lambda p: p.begin)),
                   sum(t.runs for t in totals) - kept)


def _total(rest: Iterator[int]) -> _Total:
    runs, ns, busy, shared, shared_ns, loops = islice(rest, 6)
    return _Total(runs, ns, busy, shared, shared_ns, [*islice(rest, 2 * loops)])


def _place(s: Site, number: int, totals: Sequence[_Total], runs: Mapping[int, Sequence[tuple[int, list[int]]]],
           edges: int) -> Place:
    at = s.of if s.of >= 0 else number
    total, each = totals[at], runs.get(at, ())
    found = Place(s.kind, s.place, s.file, s.line, s.over, total.runs)
    if s.kind != "inner":
        found = replace(found, ms=total.ns / 1e6)
    if s.kind == "loop":
        found = replace(found, busy_ms=total.busy / 1e6, shared=total.shared, shared_ms=total.shared_ns / 1e6)
    if s.slot < 0:
        return found
    of_loop = [counts[2 * s.slot] for _, counts in each]
    ran, did = total.counts[2 * s.slot:2 * s.slot + 2] or (0, 0)
    found = replace(found, items=spread(of_loop, ran), did=did)
    if s.over != "edges":
        return found
    dense = [ns for (ns, _), n in zip(each, of_loop, strict=True) if n * DENSE > edges]
    return replace(found, dense=len(dense), dense_ms=sum(dense) / 1e6)


def of_counts(sites: Sequence[Site], times: Mapping[int, int], runs: Mapping[int, Sequence[Sequence[int]]],
              edges: int) -> Profile:
    """From how often each site ran, and the counts of each run of the loops; edges: of the largest graph."""
    places = []
    for n, s in enumerate(sites):
        found = Place(s.kind, s.place, s.file, s.line, s.over, times.get(s.of if s.of >= 0 else n, 0))
        if s.slot >= 0:
            counted = [(c[2 * s.slot], c[2 * s.slot + 1]) for c in runs.get(s.of, ())]
            of_loop = [ran for ran, _ in counted]
            found = replace(found, items=spread(of_loop, sum(of_loop)), did=sum(did for _, did in counted))
            if s.over == "edges":
                found = replace(found, dense=sum(ran * DENSE > edges for ran in of_loop))
        places.append(found)
    return Profile(tuple(places), None, 1, edges)


def of_rounds(rounds: Rounds, sites: Sequence[Site], edges: int) -> Profile:
    """From what the emulator counted by round, and by invocation of a kernel as a round in these."""
    runs: dict[str, list[Round]] = {}
    sums: dict[str, dict[str, int]] = {}
    open_: list[Round] = []
    loops = {s.place for s in sites if s.kind == "rounds"}
    for r in rounds.kept:
        runs.setdefault(r.loop, []).append(r)
        open_ = [*(x for x in open_ if len(x.around) < len(r.around) and x.loop in loops), r]
        for place in {x.loop for x in open_}:
            of = sums.setdefault(place, {})
            for name, n in r.counted.items():
                of[name] = of.get(name, 0) + int(n)
    places = []
    for s in sites:
        around = sites[s.of].place if s.kind == "inner" else s.place
        each = runs.get(around, [])
        found = Place(s.kind, s.place, s.file, s.line, s.over, len(each))
        if s.kind != "inner":
            found = replace(found, items=_known([r.frontier for r in each]), counted=sums.get(s.place))
        elif s.over == "edges" and s.place == next(x.place for x in sites if x.of == s.of and x.over == "edges"):
            looked = _known([r.edges for r in each])
            dense = sum((r.edges or 0) * DENSE > edges for r in each)
            found = replace(found, items=looked, dense=None if looked is None else dense)
        places.append(found)
    return Profile(tuple(places), None, 1, edges, further=rounds.further,
                   outside={name: int(n) for name, n in rounds.outside.items()})


def _known(each: Sequence[int | None]) -> Spread | None:
    """The sizes of runs, where each is known."""
    sizes = [n for n in each if n is not None]
    return spread(sizes, sum(sizes)) if sizes and len(sizes) == len(each) else None


def spread(each: Sequence[int], total: int) -> Spread:
    """That of runs, of which perhaps not each is known, but their sum."""
    return Spread(min(each, default=0), median_low(each) if each else 0, max(each, default=0), total)
