"""Arguments behind `--`: the values of a program's parameters argv1, argv2, ..., by their numbers.

The first graph has the number that its name says, or else the least that no other parameter has. Arguments fill the
numbers from 1 on, but for those that an option gives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from irgl.cli.inputs import note
from irgl.rt.call.call import span_at
from irgl.rt.manifests.manifest import Manifest
from irgl.source import IrglError, Span

_ARGUMENT = re.compile(r"argv([1-9][0-9]{0,3})")
_GRAPH = ("--graph", "-g")


def with_arguments(manifest: Manifest, before: Sequence[str], behind: Sequence[str]) -> list[str]:
    """The words of a command line with an option for each of the arguments behind `--`. Raises IrglError for one that
    is missing, with its number and where the program asks for it, for one too many, and for a second graph."""
    slots = _slots(manifest)
    given = {word.partition("=")[0] if word.startswith("--") else word[:2] for word in before if word.startswith("-")}
    filled = {number for number, words in slots.items() if not given.isdisjoint(words)}
    _refuse_second_graph(manifest, filled, behind)
    rest, options, last = list(behind), [], max(slots, default=0)
    for number in range(1, last + 1):
        if number in filled or not rest:
            continue
        value = rest.pop(0)
        if number in slots:
            options.append(f"{slots[number][0]}={value}")
            filled.add(number)
        else:
            note(f"{manifest.program} has no parameter argv{number}: the argument {value} changes nothing")
    if rest:
        takes = ", ".join(f"argv[{n}]{_what(manifest, n)}" for n in sorted(slots)) or "none"
        raise IrglError(f"the argument `{rest[0]}` is one too many", hint=f"{manifest.program} takes {takes}")
    missing = [n for n in sorted(slots) if n not in filled and _is_required(manifest, n)]
    if missing and len(slots) > len(_graphs(manifest)):
        n = missing[0]
        shown = " ".join(f"ARGV{k}" for k in range(1, last + 1))
        raise IrglError(f"argv[{n}]{_what(manifest, n)} is missing", _place(manifest, n),
                        hint=f"irglc run PROGRAM -- {shown}, or {slots[n][0]} VALUE")
    return [*before, *options]


def _refuse_second_graph(manifest: Manifest, filled: set[int], behind: Sequence[str]) -> None:
    """Raises IrglError for a first argument that is no number where the graph is given by an option already, and only
    numbers are left to be given."""
    graphs = _graphs(manifest)
    if not behind or not graphs or not filled.issuperset(graphs) or _is_number(behind[0]):
        return
    left = [p for p in manifest.params if (n := _number(p.name)) and n not in filled]
    if all(p.type != "bool" and not p.item for p in left) and len(manifest.graphs) == 1:
        raise IrglError(f"the graph is given twice: by --graph, and by the argument `{behind[0]}`",
                        hint="leave one of them out; where --graph gives it, numbers alone stand behind `--`")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _place(manifest: Manifest, number: int) -> Span | None:
    """Where the program asks for an argument."""
    name = manifest.graphs[0].name if number in _graphs(manifest) else f"argv{number}"
    if name not in manifest.used:
        return None
    source, line, column, width = manifest.used[name]
    return span_at(manifest.sources[source], line, column, width)


def _slots(manifest: Manifest) -> dict[int, tuple[str, ...]]:
    """By the number of an argument the options that give it."""
    found: dict[int, tuple[str, ...]] = {n: (f"--argv{n}",) for n in _others(manifest)}
    for number in _graphs(manifest):
        found[number] = _GRAPH
    return found


def _graphs(manifest: Manifest) -> list[int]:
    """The number of the first graph, if one is to be given."""
    if not manifest.graphs or manifest.loads:
        return []
    others = _others(manifest)
    return [_number(manifest.graphs[0].name) or next(n for n in range(1, 10_000) if n not in others)]


def _others(manifest: Manifest) -> set[int]:
    """The numbers of all other parameters."""
    names = [*(p.name for p in manifest.params), *(g.name for g in manifest.graphs[1:])]
    return {number for name in names if (number := _number(name))}


def _number(name: str) -> int:
    """3 for argv3; 0 for other names."""
    found = _ARGUMENT.fullmatch(name)
    return int(found[1]) if found is not None else 0


def _is_required(manifest: Manifest, number: int) -> bool:
    found = next((p for p in manifest.params if _number(p.name) == number), None)
    return found is None or found.default is None


def _what(manifest: Manifest, number: int) -> str:
    """What an argument is."""
    if number in _graphs(manifest):
        return " (the graph)"
    found = next((p for p in manifest.params if _number(p.name) == number), None)
    return f" ({found.type})" if found is not None else " (a further graph)"
