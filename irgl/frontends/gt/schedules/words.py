"""The words of the plan that a schedule becomes, as calls say them one after the other."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from irgl.frontends.gt.schedules.tree import Call, Declared
from irgl.option_values import value_of
from irgl.options import OPTIONS, by_name
from irgl.source import IrglError, Span


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """A call that is understood and changes nothing, or not all that it says, and why."""

    call: str
    span: Span
    reason: str

    def __str__(self) -> str:
        return f"{self.call} ({self.span.source.path}:{self.span.line}): {self.reason}"


@dataclass(frozen=True, slots=True)
class Word:
    """`place.option=value`, or `option=value`; label: of whose call, '' for one of the program."""

    place: str
    option: str
    value: str
    label: str
    call: Call
    implied: bool = False

    @property
    def key(self) -> str:
        return f"{self.place}.{self.option}" if self.place else self.option

    def __str__(self) -> str:
        return f"{self.key}={self.value}"


class Words:
    """What is said so far, for a target, and of whom nothing comes."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.not_applicable: list[NotApplicable] = []
        self._said: dict[str, Word] = {}

    @property
    def said(self) -> tuple[Word, ...]:
        """The words in the order in which plans print their options, by place."""
        order = {o.name: at for at, o in enumerate(OPTIONS[self.target])}
        return tuple(sorted(self._said.values(), key=lambda w: (w.place, order[w.option])))

    def says(self, label: str, option: str) -> Word | None:
        """What a label's calls say of an option."""
        return next((w for w in self._said.values() if (w.label, w.option) == (label, option)), None)

    def refuse(self, call: Call | Declared, reason: str) -> None:
        """Notes why a call, or part of it, changes nothing, once."""
        new = NotApplicable(str(call), call.span, reason)
        if new not in self.not_applicable:
            self.not_applicable.append(new)

    def say(self, label: str, places: Collection[str], option: str, value: str, call: Call, *,
            implied: bool = False) -> None:
        """Says it at places, or of the whole program where the option has no places. A later word wins.

        implied: it follows from what the call says; a target that has no such option needs none.
        """
        known = by_name(self.target).get(option)
        if known is None:
            if not implied:
                self.refuse(call, self._foreign(option))
            return
        try:
            value_of(known, value)
        except IrglError:
            takes = ", ".join(known.words) if known.words else f"numbers from {known.low} to {known.high}"
            self.refuse(call, f"a plan for {self.target} has no {option}={value}: it takes {takes}")
            return
        if known.scopes and not places:
            self.refuse(call, f"no loop of {label} is left of which {option}= could be said")
        for place in places if known.scopes else ("",):
            self._put(Word(place, option, value, label, call, implied))

    def reset(self, label: str, options: Collection[str], by: Call) -> None:
        """Forgets what was said of a label, and tells of it."""
        for key, w in list(self._said.items()):
            if w.label == label and w.option in options:
                del self._said[key]
                if not w.implied:
                    self.refuse(w.call, f"{by.name.name} in line {by.span.line} stands behind it, and resets it")

    def replace(self, label: str, places: Collection[str], options: Collection[str], by: Call) -> None:
        """Forgets what was said of places where another call now says it otherwise, and tells of it."""
        for key, w in list(self._said.items()):
            if w.label == label and w.place in places and w.option in options:
                del self._said[key]
                if str(w.call) != str(by):
                    self.refuse(w.call, f"{by}, of line {by.span.line}, comes later")

    def forget(self, label: str, option: str) -> None:
        """Forgets what followed from another word."""
        for key, w in list(self._said.items()):
            if (w.label, w.option, w.implied) == (label, option, True):
                del self._said[key]

    def _put(self, new: Word) -> None:
        old = self._said.pop(new.key, None)
        if old is not None and old.value != new.value and not old.implied:
            self.refuse(old.call, f"`{new}`, of line {new.call.span.line}, comes later and wins over `{old}`")
        self._said[new.key] = new

    def _foreign(self, option: str) -> str:
        """Why a target has no such option."""
        others = [target for target, options in OPTIONS.items() if any(o.name == option for o in options)]
        if not others:
            return f"not built yet: no plan has {option}="
        return f"{option}= is a word of {'CPUs' if 'cpu' in others else 'GPUs'} alone"
