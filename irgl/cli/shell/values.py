"""The kinds of texts that commands take - programs, graphs, plans, files - and how a shell completes each."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import rich_click as click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from irgl.frontends.shipped import about, names
from irgl.options import OPTIONS, Option
from irgl.source import IrglError

#: Of a completion that may go on where it ends: a folder, `rmat:`, `np=`. A shell puts no space behind it.
OPEN = "open"


class _Program(StringParamType):
    """A program: the name of one that comes with irgl, or a file."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        own = [CompletionItem(name, help=about(name)) for name in names() if name.startswith(incomplete)]
        return [*own, *_files(incomplete, (".irgl", ".gt", ".fal", ".py"))]


class _Graph(StringParamType):
    """A graph: a file, or a generator."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        made = sorted(importlib.import_module("irgl.rt.graphs.generators").NAMES)
        generators = [CompletionItem(f"{name}:", OPEN, "a generator") for name in made if name.startswith(incomplete)]
        return [*generators, *_files(incomplete)]


class _File(StringParamType):
    """A file that is no program and no graph."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        return [CompletionItem(incomplete, type="file")]


class _Truth(StringParamType):
    """Yes or no."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        return [CompletionItem(word) for word in ("true", "false") if word.startswith(incomplete)]


class _Plan(StringParamType):
    """A plan: perhaps a word, then options. first: the words."""

    def __init__(self, *first: str) -> None:
        self.first = first

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        target = ctx.params.get("target") or "cpu"
        # Click leaves off reading where an option's value is missing, which is here; then arguments are left over.
        program = ctx.params.get("program") or next(iter(ctx.args), None)
        # What stands in front of the last word stays; `RULE:` may stand in front of all.
        start = max(incomplete.rfind(mark) for mark in " :") + 1
        before, word = incomplete[:start], incomplete[start:]
        given = {key for key, equals, _ in (w.partition("=") for w in before.split()) if equals}
        options = {o.name: o for o in OPTIONS[target] if o.name not in given}
        found = [CompletionItem(w) for w in self.first if w.startswith(word)] if not before.strip() else []
        found += _of_options(word, options)
        if not found and program is not None:
            found = _of_options(word, {k: o for k, o in _at_places(program, target) if k not in given})
        return [CompletionItem(before + item.value, item.type, item.help) for item in found]


PROGRAM, GRAPH_SPEC, FILE = _Program(), _Graph(), _File()
#: A plan of one program without and with a graph at hand.
PLAN, PLAN_OF_RUN = _Plan("default", "none"), _Plan("default", "auto", "none")
#: A parameter of type bool, which may be written in other ways, too.
TRUE_OR_FALSE = _Truth()


def _of_options(word: str, options: dict[str, Option]) -> list[Any]:
    """The options that a word may become; where it can be but one, with their values."""
    key, equals, value = word.partition("=")
    if equals:
        return [CompletionItem(f"{key}={v}") for v in _values(options[key], value)] if key in options else []
    found = [k for k in options if k.startswith(word)]
    if len(found) == 1:
        return [CompletionItem(f"{found[0]}={v}", help=options[found[0]].meaning) for v in _values(options[found[0]])]
    return [CompletionItem(f"{k}=", OPEN, options[k].meaning) for k in found]


def _values(option: Option, begun: str = "") -> Iterator[str]:
    """What an option may be set to that begins so; of a number those values that a search tries."""
    if option.joined and "+" in begun:
        head, _, last = begun.rpartition("+")
        yield from (f"{head}+{w}" for w in option.joined if w.startswith(last) and w not in head.split("+"))
        return
    numbers = dict.fromkeys((*option.tried, option.default, *([option.word] if option.word else [])))
    known = option.words or tuple(numbers)
    yield from (v for v in known if v.startswith(begun))


def _at_places(program: str, target: str) -> Iterator[tuple[str, Option]]:
    """PLACE.OPTION for all places of a program where the option may be set alone."""
    try:
        checked = importlib.import_module("irgl.driver").ready(program).checked
        choices = importlib.import_module("irgl.space").legal_space(checked.program, target)
    except IrglError:
        return
    options = {o.name: o for o in OPTIONS[target] if o.scopes}
    for c in choices:
        if c.place and c.reason is None and c.option in options:
            yield f"{c.place}.{c.option}", options[c.option]


def _files(begun: str, suffixes: Iterable[str] = ("",)) -> list[Any]:
    """The files with one of these suffixes that a name may become, and the folders on the way to others."""
    folder, tail = os.path.split(begun)
    try:
        entries = sorted(Path(folder or ".").expanduser().iterdir())
    except (OSError, RuntimeError):  # there is none, or no home
        return []
    entries = [e for e in entries if e.name.startswith(tail) and (tail.startswith(".") or not e.name.startswith("."))]
    return [CompletionItem(os.path.join(folder, e.name) + "/" * e.is_dir(), OPEN if e.is_dir() else "plain")  # noqa: PTH118
            for e in entries if e.is_dir() or e.name.endswith(tuple(suffixes))]
