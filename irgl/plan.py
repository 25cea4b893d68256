"""A Plan: how a program runs, as a value; it never changes the answer."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.source import IrglError

#: The value of an option that is switched off.
OFF = "off"


@dataclass(frozen=True, slots=True)
class Option:
    """One choice that a plan makes. `low` is its least number; `default` and `plain` are what `default` and `none` say.

    `can_be_off`: OFF is a value, too. `off_value` is the number that stands for OFF at run time.
    """

    name: str
    meaning: str
    default: str
    plain: str
    low: int
    can_be_off: bool
    off_value: int = 0


#: Every option of the CPU target, in the order in which a plan prints them.
OPTIONS = (
    Option("grain", "work, in edges, that a thread takes at a time", "4096", "4096", 1, False),
    Option("serial", "a round with less work, in edges, stays on one thread", "2048", OFF, 0, True, 0),
    Option("giant", "an item with more edges is shared by all threads", "32768", OFF, 1, True, 2**63 - 1),
)
_BY_NAME = {o.name: o for o in OPTIONS}


@dataclass(frozen=True, slots=True)
class Plan:
    """Options by name, in the order of OPTIONS, those at their default left out."""

    settings: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def none() -> Plan:
        """The plan without any optimization that is a matter of choice."""
        return _plan({o.name: o.plain for o in OPTIONS})

    @staticmethod
    def parse(text: str) -> Plan:
        """The plan that `grain=256 serial=off`, `default` or `none` means.

        `none` and `default` may stand first, options after them change them. Raises IrglError for an unknown option,
        a value out of its range, an option given twice, or one for a single loop (which no option here allows).
        """
        chosen: dict[str, str] = {}
        given: set[str] = set()
        for at, word in enumerate(text.split()):
            if at == 0 and word in ("none", "default"):
                chosen = {o.name: o.plain for o in OPTIONS} if word == "none" else {}
                continue
            name, equals, value = word.partition("=")
            if not equals:
                raise IrglError(f"`{word}` is no part of a plan", hint=_usage())
            option = _option(name)
            if name in given:
                raise IrglError(f"the plan gives `{name}` twice", hint="keep one of them")
            given.add(name)
            chosen[name] = _value(option, value)
        return _plan(chosen)

    def text_of(self, name: str) -> str:
        """What the plan says for an option, as text."""
        return dict(self.settings).get(name, _BY_NAME[name].default)

    def value(self, name: str) -> int:
        """What the plan says for an option, as the number that the running program gets."""
        text = self.text_of(name)
        return _BY_NAME[name].off_value if text == OFF else int(text)

    def __str__(self) -> str:
        return " ".join(f"{o.name}={self.text_of(o.name)}" for o in OPTIONS)


def _plan(chosen: dict[str, str]) -> Plan:
    return Plan(tuple((o.name, chosen[o.name]) for o in OPTIONS if chosen.get(o.name, o.default) != o.default))


def _option(name: str) -> Option:
    option = _BY_NAME.get(name)
    if option is not None:
        return option
    scope, dot, last = name.rpartition(".")
    if dot and last in _BY_NAME:
        raise IrglError(f"`{last}` holds for the whole run, and can't be set for `{scope}` alone", hint=_usage())
    raise IrglError(f"no plan option is called `{name}`", hint=_usage())


def _value(option: Option, text: str) -> str:
    if text == OFF and option.can_be_off:
        return OFF
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else -1
    if number < option.low:
        off = ", or `off`" if option.can_be_off else ""
        raise IrglError(f"`{option.name}={text}`: it takes a whole number from {option.low}{off}",
                        hint=f"{option.name}: {option.meaning}")
    return str(number)


def _usage() -> str:
    return "options: " + "; ".join(f"{o.name} ({o.meaning})" for o in OPTIONS) + "; or `none` or `default`"
