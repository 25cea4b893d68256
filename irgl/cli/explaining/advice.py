"""What a profile says that a plan, or a change of the text, could gain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.passes.drive import as_planned as drive
from irgl.plan import Plan
from irgl.rt.results.profile import Place, Profile
from irgl.space import Choice, legal_space

#: A place that takes less of the whole is not worth a word.
_WORTH = 0.1
#: Threads that wait for a larger part of the time are worth one.
_WAITING = 0.3
#: So many launches of fewer steps of warps are worth one: a launch takes as long as some ten thousand steps.
_LAUNCHES, _FEW_STEPS = 20, 10_000
#: A run that takes less, in ms, is mostly its begin and its end.
_SHORT = 0.02


@dataclass(frozen=True, slots=True)
class Advice:
    """seen: what the profile shows at a place; remedy: what to try, or why the nearest thing to try isn't legal."""

    place: str
    line: int
    seen: str
    remedy: str


class Adviser:
    """What to try for a program with a profile of it. `plan` is the one that it ran under."""

    def __init__(self, checked: Checked, profile: Profile, plan: Plan) -> None:
        self.checked, self.profile, self.plan = checked, profile, plan
        self.choices = {(c.place, c.option): c for c in legal_space(checked.program, plan.target)}

    def all(self) -> Iterator[Advice]:
        """In the order of the text, what is about the whole last."""
        for p in self.profile.places:
            if p.kind == "loop" and p.runs and self._share(p) >= _WORTH:
                inner = [x for x in self.profile.places if x.kind == "inner" and x.place.startswith(f"{p.place}.")]
                edges = [x for x in inner if x.over == "edges" and x.items is not None and x.items.sum]
                yield from self._idle(p)
                yield from (said for x in edges for said in self._edges(p, x))
                yield from self._waiting(p)
        for p in self.profile.places:
            if p.kind == "rounds" and p.runs:
                yield from self._launches(p)
        yield from self._elsewhere()

    def _launches(self, p: Place) -> Iterator[Advice]:
        """Rounds on a GPU that the host launches, each for little work."""
        counted = p.counted or {}
        launches, steps = counted.get("launches", 0), counted.get("warp_steps", 0)
        if launches >= max(_LAUNCHES, p.runs) and steps < launches * _FEW_STEPS:
            seen = f"{launches:,} launches for {p.runs:,} rounds, of {steps // launches:,} steps of warps each"
            yield Advice(p.place, p.line, seen, self._try(p.place, "outline", "all"))

    def _share(self, p: Place) -> float:
        """A loop's part of the whole, by time or, where nobody measured, by what was counted."""
        share = self.profile.share(p)
        if share is not None:
            return share
        every = [x.items.sum for x in self.profile.places if x.items is not None]
        own = [x.items.sum for x in self.profile.places if x.items is not None and (
            x is p or x.place.startswith(f"{p.place}."))]
        return sum(own) / max(1, sum(every))

    def _try(self, place: str, option: str, word: str, else_: str = "") -> str:
        """That option, or why it is not legal there, and what else there is to do."""
        choice = self.choices.get((place, option))
        if choice is not None and _legal(choice, word):
            return f'try --plan "{place}.{option}={word}"'
        why = None if choice is None else dict(choice.refused).get(word, choice.reason)
        refused = f"{option}={word} is not legal here{f': {why}' if why else ''}"
        return f"{else_}; {refused}" if else_ else refused

    def _idle(self, p: Place) -> Iterator[Advice]:
        """Iterations that find nothing to do."""
        if p.items is None or p.did is None or p.runs < 2 or p.over != "nodes" or p.did * 2 > p.items.sum:
            return
        idle = p.items.sum - p.did
        seen = f"{idle:,} of its {p.items.sum:,} iterations ({idle / p.items.sum:.0%}) found nothing to do"
        at = next((path for path, loop in drive.places(self.checked).items() if _invokes(loop, p.place.split(".")[0])),
                  None)
        by_hand = "push the nodes that have work into a worklist, and loop over that"
        yield Advice(p.place, p.line, seen, by_hand if at is None else self._try(at, "drive", "data", by_hand))

    def _edges(self, p: Place, e: Place) -> Iterator[Advice]:
        """Edges at which nothing changes, in rounds that look at many, and again and again."""
        assert e.items is not None
        if e.did is None and e.dense and self.plan.text_of("direction", p.place) == "written":
            seen = f"{e.dense} of {p.runs} runs looked at over a twentieth of the graph's edges"
            yield Advice(e.place, e.line, seen, self._try(p.place, "direction", "hybrid"))
        if e.did is None or e.did * 2 > e.items.sum:
            return
        nothing = f"{1 - e.did / e.items.sum:.0%} of its {e.items.sum:,} edges changed nothing"
        if e.dense and self.plan.text_of("direction", p.place) == "written":
            ms = f", {e.dense_ms:,.3f} of {p.ms:,.3f} ms" if e.dense_ms is not None and p.ms is not None else ""
            seen = f"{nothing}, and {e.dense} of {p.runs} runs looked at over a twentieth of the graph's edges{ms}"
            yield Advice(e.place, e.line, seen, self._try(p.place, "direction", "hybrid"))
        if self.profile.edges and e.items.sum > 2 * self.profile.edges and p.runs > 2:
            times = e.items.sum / self.profile.edges
            yield Advice(e.place, e.line, f"{nothing}, and it looked at each edge {times:.1f} times",
                         "a priority queue runs first what is not overtaken later (docs/ordered.md)")

    def _waiting(self, p: Place) -> Iterator[Advice]:
        waiting = self.profile.waiting(p)
        if self.profile.threads < 2 or waiting is None or waiting < _WAITING or p.ms is None or p.shared is None:
            return
        each = p.ms / p.runs
        seen = f"threads wait for {waiting:.0%} of its time"
        if (p.shared_ms or 0) * 2 < p.ms:
            alone = p.runs - p.shared
            seen += f": one thread ran {alone:,} of its {p.runs:,} runs by itself, {each:,.3f} ms each"
            if each < _SHORT:
                yield Advice(p.place, p.line, seen, self._try(
                    p.place, "sync", "off", "fewer and larger rounds would help, or one thread (--threads 1)"))
            else:
                yield Advice(p.place, p.line, seen, f'try --plan "{p.place}.serial=256", which shares smaller runs')
            return
        if self._legal(f"{p.place}.loop1", "np", "bins"):
            bins = f', or "{p.place}.loop1.np=bins", which takes nodes of many edges apart'
        else:
            bins = ""
        yield Advice(p.place, p.line, f"{seen}, of which {p.shared:,} of {p.runs:,} runs were shared",
                     f'try --plan "{p.place}.grain=1024", which deals out smaller pieces{bins}')

    def _legal(self, place: str, option: str, word: str) -> bool:
        choice = self.choices.get((place, option))
        return choice is not None and _legal(choice, word)

    def _elsewhere(self) -> Iterator[Advice]:
        elsewhere, whole = self.profile.elsewhere_ms(), self.profile.ms
        if elsewhere is not None and whole and elsewhere > 0.4 * whole:
            yield Advice("", 0, f"{elsewhere / whole:.0%} of the time is in no kernel: first values of properties, the "
                         "Program's own statements, starting threads",
                         "no plan changes it; a larger graph, or --threads 1 on a small one, tells whether it matters")


def _legal(choice: Choice, word: str) -> bool:
    return choice.reason is None and word in choice.values


def _invokes(loop: A.Node, kernel: str) -> bool:
    return any(isinstance(n, A.Invoke | A.Iterate | A.InvokeResult) and n.kernel == kernel for n in walk(loop))
