"""A Plan: how a program runs, as a value; it never changes the answer."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from irgl.forms.find import names
from irgl.source import IrglError

#: The value of an option that is switched off.
OFF = "off"

#: What generated code says in place of what it is given when it runs.
RUN = "(as the run says)"

#: The schedulers of nested ForAlls, in the order in which a plan names them.
SCHEDULERS = ("tb", "wp", "fg")


@dataclass(frozen=True, slots=True)
class Option:
    """One choice that a plan makes; `default` and `plain` are what `default` and `none` say.

    A number: `low` is its least value, `high` its largest, `step` what it is a multiple of; OFF is a value, too, where
    `can_be_off`, and `off_value` the number that stands for it at run time. Words: `words` are its values; with
    `joined`, any but the first may be joined by `+`. `scopes`: what it may be set for alone (loop, orchestration).
    `at_run`: a number or word that each run is given, of which the generated code knows nothing.
    `prepares`: another value wants the graph prepared anew.
    `tried`: the values of a number that a search tries (of words it tries all). `only_with`: another option and those
    of its values under which this one means anything; a search leaves it at its default under the others.
    """

    name: str
    meaning: str
    default: str
    plain: str
    low: int = 0
    high: int = 10**18
    step: int = 1
    can_be_off: bool = False
    off_value: int = 0
    words: tuple[str, ...] = ()
    joined: bool = False
    scopes: tuple[str, ...] = ()
    at_run: bool = False
    prepares: bool = False
    tried: tuple[str, ...] = ()
    only_with: tuple[str, tuple[str, ...]] | None = None


#: For all targets: the graphs are laid out before the program runs.
_ORDER = Option("order", "how nodes lie in memory: as given, by falling degree, neighbours near each other (reverse "
                "Cuthill-McKee), communities together, or that of these with most edges inside clusters of 2^16 nodes "
                "(auto)", "given", "given", words=("given", "degree", "rcm", "community", "auto"), at_run=True,
                prepares=True)
#: How edges lie in memory, and what some forms leave open.
_FORM, _ROWS = "format", "csr"
_FORMATS = (
    Option(_FORM, "how the edges that a nested ForAll runs over lie in memory: in rows (csr), or in a form of "
           "irgl/forms", _ROWS, _ROWS, words=(_ROWS, *names()), scopes=("loop",), prepares=True),
    Option("tile", "bits of a word that tell the far end of an edge in a block; the others tell the near one", "16",
           "16", low=13, high=18, scopes=("loop",), prepares=True, tried=("14", "16", "18"),
           only_with=(_FORM, ("blocks",))),
    Option("inside", "how edges lie inside a block: by column, by row, as runs of a row, or as fits (auto)", "auto",
           "auto", words=("auto", "column", "row", "runs"), scopes=("loop",), prepares=True,
           only_with=(_FORM, ("blocks",))),
    Option("chunk", "rows that stand side by side in sell", "16", "16", words=("16", "32"), scopes=("loop",),
           prepares=True, only_with=(_FORM, ("sell",))),
    Option("sigma", "nodes in a row of which sell puts the longest rows first", "256", "256", low=1, high=1 << 20,
           scopes=("loop",), prepares=True, tried=("1", "256", "4096"), only_with=(_FORM, ("sell",))),
    Option("split", "edges of a piece, at most, into which split cuts each node's", "32", "32", low=4, high=64,
           scopes=("loop",), prepares=True, tried=("8", "32"), only_with=(_FORM, ("split",))),
    Option("cluster", "bits of an id inside a cluster of cr2, which has 2 to this power nodes", "16", "16",
           words=("16", "8"), scopes=("loop",), prepares=True, only_with=(_FORM, ("cr2",))),
    Option("expand", "whether cr2 has a list from each node to its pieces; without it edges are taken part by part",
           "on", "on", words=("on", "off"), scopes=("loop",), prepares=True, only_with=(_FORM, ("cr2",))),
)
_CPU = (
    Option("grain", "work, in edges, that a thread takes at a time", "4096", "4096", low=1, at_run=True,
           tried=("256", "1024", "4096", "16384", "65536")),
    Option("serial", "a round with less work, in edges, stays on one thread", "2048", OFF, can_be_off=True,
           at_run=True, tried=(OFF, "2048", "16384", "131072")),
    Option("giant", "an item with more edges is shared by all threads", "32768", OFF, low=1, can_be_off=True,
           off_value=2**63 - 1, at_run=True, tried=(OFF, "1024", "4096", "32768")),
    Option("prefetch", "how many edges ahead a nested ForAll fetches what it uses at the edges' other ends", OFF, OFF,
           low=4, high=64, can_be_off=True, scopes=("loop",), tried=(OFF, "8", "24"),
           only_with=(_FORM, (_ROWS,))),
    Option("direction", "a loop over nodes and their edges runs as written, over all nodes and their in-edges (pull), "
           "or that way where its nodes have many edges (hybrid)", "written", "written",
           words=("written", "pull", "hybrid"), scopes=("loop",)),
    Option("fuse", "with fewer items that came back to it, a thread works them off by itself, without a round", "1000",
           "1000", low=1, at_run=True, tried=("1", "100", "1000", "10000")),
    Option("frontier", "what lists are: an array for each thread, one that all fill from buffers (queue) or, where "
           "they are declared unique, a bit or a byte for each node (bitmap, bytemap)", "list", "list",
           words=("list", "queue", "bitmap", "bytemap")),
    Option("buffer", "items that a thread collects before it puts them into a queue", "64", "64",
           words=("64", "16", "256", "1024"), only_with=("frontier", ("queue",))),
    Option("auto", "what the values of parameters are multiplied by that the program leaves to tuning: auto(...)", "1",
           "1", words=("1", "1/16", "1/4", "4", "16"), at_run=True),
    *_FORMATS,
    _ORDER,
)
_CUDA = (
    Option("np", "schedulers of a nested ForAll: serial, or tb, wp, fg joined by +", "wp+fg", "serial",
           words=("serial", *SCHEDULERS), joined=True, scopes=("loop",), only_with=(_FORM, (_ROWS,))),
    Option("cc", "atomics of appends and reductions are combined per thread, warp or block", "block", OFF,
           words=(OFF, "thread", "warp", "block"), scopes=("loop",)),
    Option("outline", "Pipes and Iterates stay on the GPU: all (one kernel each), graph (a CUDA graph that loops), off",
           "all", OFF, words=(OFF, "all", "graph"), scopes=("orchestration",)),
    Option("unroll", "how often the round of a Pipe or Iterate on the GPU stands in its kernel", "1", "1",
           words=("1", "2", "4"), scopes=("orchestration",), only_with=("outline", ("all",))),
    Option("retry", "how retried items come back: backoff (neighbours one after the other, the last few alone), plain",
           "plain", "plain", words=("plain", "backoff"), scopes=("loop",)),
    Option("block", "threads of a block", "256", "256", low=32, high=1024, step=32, tried=("64", "128", "256", "512")),
    Option("bounds", "blocks that a multiprocessor has registers for at once, at least", OFF, OFF, low=1, high=32,
           can_be_off=True, tried=(OFF, "2", "4")),
    Option("regs", "registers of a thread, at most", OFF, OFF, low=24, high=255, can_be_off=True,
           tried=(OFF, "32", "64")),
    *_FORMATS,
    _ORDER,
)

#: What a multiprocessor of every GPU since sm_75 has, and the threads that the largest of them run at once.
_REGISTERS, _THREADS = 65536, 2048

#: The options of each target, in the order in which a plan prints them.
OPTIONS = {"cpu": _CPU, "ref": _CPU, "cuda": _CUDA, "simt": _CUDA}


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
        for at, word in enumerate(text.split()):
            if at == 0 and word in ("none", "default"):
                chosen = {o.name: o.plain for o in OPTIONS[target]} if word == "none" else {}
                continue
            key, equals, value = word.partition("=")
            if at == 0 and word == "auto":
                raise IrglError("`auto` stands for a plan of each graph's own, and is none by itself",
                                hint="`irglc run --plan auto` tells what it takes: give that, or `default`")
            if not equals:
                raise IrglError(f"`{word}` is no part of a plan", hint=_near(word, target) or _usage(target))
            option = _option(key, target)
            if key in given:
                raise IrglError(f"the plan gives `{key}` twice", hint="keep one of them")
            given.add(key)
            chosen[key] = _value(option, value)
        plan = _plan(chosen, target)
        _refuse_of_other_forms(plan)
        _refuse_what_cant_run(plan)
        return plan

    def changed(self, words: str) -> Plan:
        """The plan with what `words` say in place of what it says. Raises IrglError as `parse` does."""
        said = dict(word.partition("=")[::2] for word in (*str(self).split(), *words.split()))
        return Plan.parse(" ".join(f"{key}={value}" for key, value in said.items()), self.target)

    def plain(self, name: str) -> str:
        """What an option says where it is not used."""
        return _by_name(self.target)[name].plain

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
        return settings.get(name, _by_name(self.target)[name].default)

    def value(self, name: str) -> int:
        """What the plan says for an option, as the number that the running program gets."""
        text = self.text_of(name)
        return _by_name(self.target)[name].off_value if text == OFF else int(text)

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
    """The options that a plan prints: all, but for what it would say of forms that it doesn't take."""
    forms = _taken(plan)
    return [o for o in plan.options
            if o.only_with is None or o.only_with[0] != _FORM or not forms.isdisjoint(o.only_with[1])]


def _taken(plan: Plan) -> set[str]:
    """The forms that the plan takes somewhere; rows are those of all other loops."""
    return {_ROWS, *(value for key, value in plan.settings if _split(key)[1] == _FORM)}


@cache
def _by_name(target: str) -> Mapping[str, Option]:
    return {o.name: o for o in OPTIONS[target]}


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


def _refuse_of_other_forms(plan: Plan) -> None:
    """Raises IrglError for what is said of a form that the plan takes nowhere."""
    forms = _taken(plan)
    for key, value in plan.settings:
        name, of = (_by_name(plan.target)[_split(key)[1]].only_with or ("", ()))
        if name == _FORM and forms.isdisjoint(of):
            raise IrglError(f"`{key}={value}` says how format={' or '.join(of)} is laid out, and the plan takes none",
                            hint=f"add format={of[0]}, or leave it out")


def _option(key: str, target: str) -> Option:
    place, name = _split(key)
    option = _by_name(target).get(name)
    if option is None:
        others = [t for t, options in OPTIONS.items() if any(o.name == name for o in options)]
        if others:
            raise IrglError(f"`{name}` is no option of the {target} target, but of {others[0]}", hint=_usage(target))
        raise IrglError(f"no plan option is called `{key}`", hint=_near(name, target) or _usage(target))
    if place and not option.scopes:
        raise IrglError(f"`{name}` holds for the whole run, and can't be set for `{place}` alone", hint=_usage(target))
    return option


def _value(option: Option, text: str) -> str:
    if option.words:
        return _words(option, text)
    if text == OFF and option.can_be_off:
        return OFF
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else -1
    if not option.low <= number <= option.high or number % option.step:
        off = ", or `off`" if option.can_be_off else ""
        to = "" if option.high == 10**18 else f" to {option.high}"
        step = f" in steps of {option.step}" if option.step > 1 else ""
        raise IrglError(f"`{option.name}={text}`: it takes a whole number from {option.low}{to}{step}{off}",
                        hint=f"{option.name}: {option.meaning}")
    return str(number)


def _words(option: Option, text: str) -> str:
    parts = text.split("+")
    alone = len(parts) == 1 and text in option.words
    several = option.joined and len(set(parts)) == len(parts) and all(p in option.words[1:] for p in parts)
    if not alone and not several:
        raise IrglError(f"`{option.name}={text}`: it takes {', '.join(option.words)}"
                        + (f"; all but {option.words[0]} may be joined by +" if option.joined else ""),
                        hint=f"{option.name}: {option.meaning}")
    return "+".join(w for w in option.words if w in parts)


def _near(word: str, target: str) -> str | None:
    """A hint that names the option that is meant, where one is spelt alike."""
    near = difflib.get_close_matches(word.rstrip("0123456789"), _by_name(target), 1)
    return f"did you mean {near[0]}? It reads {near[0]}=VALUE" if near else None


def _usage(target: str) -> str:
    options = "; ".join(f"{o.name} ({o.meaning})" for o in OPTIONS[target])
    return f"options: {options}; or `none` or `default`"
