"""What the help of a command tells of plans: the options that mean something for the program on its target."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from irgl.options import BASIS, FORM, OPTIONS, Option

_WIDTH = 80
#: Where all options of a target are told.
PAGES = {"cpu": "docs/cpu.md", "ref": "docs/cpu.md", "cuda": "docs/cuda.md", "simt": "docs/cuda.md"}


def plan_lines(path: str, target: str) -> list[str]:
    """The section of the help for the program at `path`. Raises IrglError for every mistake in the program."""
    # The compiler proper is loaded only here: a run from the cache does without it.
    program = importlib.import_module("irgl.driver").ready(path)
    choices = importlib.import_module("irgl.space").legal_space(program.checked.program, target)
    return list(_lines(program.entry.name, target, choices))


def _lines(name: str, target: str, choices: Sequence[Any]) -> Iterator[str]:
    legal, idle = [], []
    for option in OPTIONS[target]:
        mine = [c for c in choices if c.option == option.name]
        able = [c for c in mine if c.reason is None]
        if able or (not mine and not option.scopes):  # what has no places holds for the whole run
            words = [w for w in option.words if not able or any(not c.values or w in c.values for c in able)]
            legal.append((option, words))
        else:
            idle.append(option.name)
    yield f"Plan options for {name} on {target}, as in --plan \"default {_example([o for o, _ in legal])}\":"
    width = max((len(o.name) for o, _ in legal), default=0)
    for option, words in legal:
        yield from _wrapped(f"  {option.name:<{width}}  ", f"{option.meaning}. {values_text(option, words)} "
                                                          f"[default: {option.default}]")
    if idle:
        yield from _wrapped("  ", f"Without effect on this program: {', '.join(idle)}.")
    if any(o.name == FORM for o, _ in legal):
        yield from _wrapped("  ", f"{BASIS}=vertex and {BASIS}=edge are synonyms of {FORM}=csr and {FORM}=coo.")
    if any(o.scopes for o, _ in legal):
        scoped = [o.name for o, _ in legal if o.scopes]
        yield from _wrapped("  ", f"PLACE.NAME=VALUE sets {_or(scoped)} for one loop only; irglc explain lists the "
                                  "places.")
    yield from _wrapped("  ", f"See {PAGES[target]}; irglc explain PROGRAM --plan PLAN reports what a plan does where.")


def values_text(option: Option, words: Sequence[str]) -> str:
    """The values that an option takes, of which `words` are words."""
    if words:
        several = [w for w in words if w in option.joined]
        joined = f"; {', '.join(several)} may be joined by +" if len(several) > 1 else ""
        return f"{', '.join(words)}{joined}"
    if option.names:
        return f"names joined by +, or {option.word}"
    if option.pieces:
        return f"how many, or how many nodes each has with an n behind them, auto, or {option.word}"
    to = f" to {option.high}" if option.high < 10**18 else " or more"
    step = f" in steps of {option.step}" if option.step > 1 else ""
    return f"{option.low}{to}{step}{f', or {option.word}' if option.word else ''}"


def _example(options: Sequence[Option]) -> str:
    """A change of the first option that has another value to show."""
    for option in options:
        for value in option.tried or option.words:
            if value != option.default:
                return f"{option.name}={value}"
    return ""


def _or(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False,
                         break_long_words=False)
