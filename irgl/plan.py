"""A Plan: how a program runs, as a value; it never changes the answer."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from irgl.option_values import BASED, is_replaced, spelled_out, value_of
from irgl.options import BASIS, FORM, LEADING, LISTS, OFF, OPTIONS, ROWS, RUN, WAY, Option, by_name
from irgl.source import IrglError

#: What a multiprocessor of every GPU since sm_75 has, and the threads that the largest of them run at once.
_REGISTERS, _THREADS = 65536, 2048


@dataclass(frozen=True, slots=True)
class Plan:
    """Options by key - a name, or a place and a name (`step.loop1.np`) - those at their default left out."""

    settings: tuple[tuple[str, str], ...] = ()
    target: str = "cpu"

    @staticmethod
    def none(target: str = "cpu") -> Plan:
        """The plan without any optimization that is a matter of choice."""
        return _plan({o.name: o.plain for o in OPTIONS[target]}, target)

    @staticmethod
    def parse(text: str, target: str = "cpu") -> Plan:
        """The plan that `grain=256 serial=off`, `np=tb+fg step.loop1.np=serial`, `default` or `none` means.

        `none` and `default` may stand first, options after them change them. Raises IrglError for an unknown option,
        a value out of its range, an option given twice, and for a place where the option holds for the whole run. That
        the places exist is for space.py to say.
        """
        if target not in OPTIONS:
            raise IrglError(f"there is no target '{target}'", hint="there are " + ", ".join(OPTIONS))
        chosen: dict[str, str] = {}
        given: set[str] = set()
        for at, word in enumerate(spelled_out(text.split(), target)):
            if at == 0 and word in ("none", "default"):
                chosen = {o.name: o.plain for o in OPTIONS[target]} if word == "none" else {}
                continue
            key, equals, value = word.partition("=")
            if at == 0 and word == "auto":
                raise IrglError("`auto` stands for a plan of each graph's own, and is none by itself",
                                hint="`irglc run --plan auto` tells what it takes: give that, or `default`")
            if not equals:
                raise IrglError(f"`{word}` is no part of a plan", hint=_near(word, target) or _usage(target))
            if key in given:
                raise IrglError(f"the plan gives `{key}` twice", hint="keep one of them")
            given.add(key)
            # A place's `basis` is what irgl/placing.py finds that it stands for there.
            chosen[key] = value if _split(key)[1] == BASIS else value_of(_option(key, target), value)
        plan = _plan(chosen, target)
        _refuse_of_others(plan, [*given, *dict(plan.settings)])
        _refuse_what_cant_run(plan)
        return plan

    def changed(self, words: str) -> Plan:
        """The plan with what `words` say in place of what it says; what it said of forms and schedulers that it then
        takes nowhere is left out. Raises IrglError as `parse` does."""
        new = dict(word.partition("=")[::2] for word in spelled_out(words.split(), self.target))
        own = dict(w.partition("=")[::2] for w in str(self).split() if not is_replaced(w.partition("=")[0], new))
        taken = _taken((own | new).items())
        kept = {key: value for key, value in own.items() if not _is_of_others(key, taken, self.target)}
        return Plan.parse(" ".join(f"{key}={value}" for key, value in (kept | new).items()), self.target)

    @property
    def over_rows(self) -> Plan:
        """The plan without forms of edges, and what it says of them."""
        names = {o.name for o in self.options if o.name == FORM or (
            o.only_with is not None and o.only_with[0] == FORM and ROWS not in o.only_with[1])}
        return Plan(tuple((k, v) for k, v in self.settings if _split(k)[1] not in names), self.target)

    def plain(self, name: str) -> str:
        """What an option says where it is not used."""
        return by_name(self.target)[name].plain

    def default(self, name: str) -> str:
        """What an option says by itself."""
        return by_name(self.target)[name].default

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the plan's target."""
        return OPTIONS[self.target]

    @property
    def scoped(self) -> tuple[tuple[str, str, str], ...]:
        """(place, option, value) of what is set for one place alone."""
        return tuple((*_split(key), value) for key, value in self.settings if "." in key)

    def text_of(self, name: str, place: str = "") -> str:
        """What the plan says for an option, as text; at `place`, if it says anything for that alone."""
        settings = dict(self.settings)
        if place and f"{place}.{name}" in settings:
            return settings[f"{place}.{name}"]
        return settings.get(name, self.default(name))

    def says(self, name: str, place: str) -> bool:
        """Does the plan say it at that place alone?"""
        return f"{place}.{name}" in dict(self.settings)

    def value(self, name: str) -> int:
        """What the plan says for an option, as the number that the running program gets."""
        return self.number(name, self.text_of(name))

    def number(self, name: str, text: str) -> int:
        """The number that a value of an option stands for."""
        return by_name(self.target)[name].off_value if text == OFF else int(text)

    def idle(self, name: str, place: str = "") -> str | None:
        """Why an option means nothing at a place beside what the plan says of the others; None: it does."""
        option = by_name(self.target)[name]
        needed = option.needs
        if needed and not any(self.text_of(other, place) in values for other, values in needed):
            return f"it means nothing under {needed[0][0]}={self.text_of(needed[0][0], place)}"
        if option.never_with is not None and self.text_of(option.never_with[0], place) == option.never_with[1]:
            return f"it means nothing under {option.never_with[0]}={option.never_with[1]}"
        return None

    @property
    def limits(self) -> dict[str, int]:
        """The numbers that each run is given, of which the generated code knows nothing."""
        return {o.name: self.value(o.name) for o in self.options if o.at_run and not o.words}

    @property
    def launch_bounds(self) -> tuple[int, int]:
        """What `bounds` and `regs` come to: blocks of a multiprocessor and registers of a thread, 0: nothing is said.

        CUDA takes one or the other for a kernel: with both it is the registers that satisfy both.
        """
        blocks, registers = self.value("bounds"), self.value("regs")
        if blocks == 0 or registers == 0:
            return blocks, registers
        return 0, min(registers, _REGISTERS // (blocks * self.value("block")) // 8 * 8)

    @property
    def in_code(self) -> str:
        """What generated code says of it: RUN for what it is given when it runs."""
        words = [f"{o.name}={RUN if o.at_run else self.text_of(o.name)}" for o in _shown(self)]
        return " ".join([*words, *(f"{key}={value}" for key, value in self.settings if "." in key)])

    def _repr_html_(self) -> str:
        html: str = importlib.import_module("irgl.notebook.views").plan(self)  # above this room
        return html

    def __str__(self) -> str:
        return _text(self)


def factor_in(text: str) -> Fraction:
    """What `auto` says in the text of a plan; 1 where that says nothing of it."""
    return Fraction(next((word.removeprefix("auto=") for word in text.split() if word.startswith("auto=")), "1"))


@lru_cache(maxsize=1024)  # each call of a program asks for it several times
def _text(plan: Plan) -> str:
    words = [f"{o.name}={plan.text_of(o.name)}" for o in _shown(plan)]
    return " ".join([*words, *(f"{key}={value}" for key, value in plan.settings if "." in key)])


def _shown(plan: Plan) -> list[Option]:
    """The options that a plan prints: all, but for what it would say of forms, schedulers and directions that it
    doesn't take, and of names and what is quiet where it says none."""
    taken = _taken(plan.settings)
    return [o for o in plan.options if (not (o.names or o.quiet) or plan.text_of(o.name) != o.default)
            and not _is_of_others(o.name, taken, plan.target)]


def _taken(settings: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The forms, schedulers, directions and lists that a plan takes somewhere; rows are those of all other loops."""
    said = {(_split(key)[1], value) for key, value in settings}
    said |= {(FORM, BASED[value]) for name, value in said if name == BASIS}
    return {(FORM, ROWS), *((name, value) for name, value in said if name in (*LEADING, LISTS))}


def _split(key: str) -> tuple[str, str]:
    place, _, name = key.rpartition(".")
    return place, name


def _plan(chosen: dict[str, str], target: str) -> Plan:
    whole = [(o.name, chosen[o.name]) for o in OPTIONS[target] if chosen.get(o.name, o.default) != o.default]
    return Plan((*whole, *sorted((k, v) for k, v in chosen.items() if "." in k)), target)


def _refuse_what_cant_run(plan: Plan) -> None:
    """Raises IrglError for options that contradict each other on every GPU."""
    if plan.target not in ("cuda", "simt"):
        return
    block, blocks, registers = (plan.value(name) for name in ("block", "bounds", "regs"))
    if blocks * block > _THREADS:
        raise IrglError(f"`bounds={blocks}` with `block={block}`: a multiprocessor runs {_THREADS} threads at most",
                        hint="make one of them smaller")
    if registers * block > _REGISTERS:
        raise IrglError(f"`regs={registers}` with `block={block}`: a multiprocessor has {_REGISTERS} registers",
                        hint="make one of them smaller")


def _refuse_of_others(plan: Plan, keys: Iterable[str]) -> None:
    """Raises IrglError for what is said, under one of the keys, of a form, scheduler or direction that the plan takes
    nowhere."""
    taken = _taken(plan.settings)
    for key in keys:
        if _is_of_others(key, taken, plan.target):
            place, name = _split(key)
            by, of = by_name(plan.target)[name].only_with or ("", ())
            does = {FORM: "is laid out", WAY: "runs"}.get(by, "shares edges out")
            raise IrglError(f"`{key}={plan.text_of(name, place)}` says how {by}={' or '.join(of)} {does}, and "
                            "the plan takes none", hint=f"add {by}={of[0]}, or leave it out")


def _is_of_others(key: str, taken: Collection[tuple[str, str]], target: str) -> bool:
    """Is it an option of forms, schedulers or directions alone, none of which is one of these?"""
    option = by_name(target).get(_split(key)[1])
    needed = option.needs if option is not None else ()
    return any(name in LEADING for name, _ in needed) and not any(
        (name, value) in taken for name, of in needed for value in of)


def _option(key: str, target: str) -> Option:
    place, name = _split(key)
    option = by_name(target).get(name)
    if option is None:
        others = [t for t, options in OPTIONS.items() if any(o.name == name for o in options)]
        if others:
            raise IrglError(f"`{name}` is no option of the {target} target, but of {others[0]}", hint=_usage(target))
        raise IrglError(f"no plan option is called `{key}`", hint=_near(name, target) or _usage(target))
    if place and not option.scopes:
        raise IrglError(f"`{name}` holds for the whole run, and can't be set for `{place}` alone", hint=_usage(target))
    return option


def _near(word: str, target: str) -> str | None:
    """A hint that names the option that is meant, where one is spelt alike."""
    near = difflib.get_close_matches(word.rstrip("0123456789"), [*by_name(target), BASIS], 1)
    return f"did you mean {near[0]}? It reads {near[0]}=VALUE" if near else None


def _usage(target: str) -> str:
    page = "docs/cpu.md" if target == "cpu" else "docs/cuda.md"
    names = [*(o.name for o in OPTIONS[target]), BASIS]
    return (f"options: {', '.join(names)}; or `none` or `default`. `irglc run PROGRAM --help "
            f"--target {target}` and {page} say what they mean")
