"""Paths of labels, as plans and schedules name statements: `s0:s1` is what is labelled s1 within what has label s0."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

from irgl.source import IrglError, Span

SCOPE = ":"
#: What stands behind the label of a loop for those that a plan makes of it: halves of it, three by degrees, and
#: rounds over all nodes.
_MADE = re.compile(r"(.+)(_(?:pull|dense|small|middle|large|all|kept))")


def places_of(place: str, labels: Mapping[str, tuple[str, ...]], homes: Iterable[str] = ()) -> dict[str, str] | None:
    """The places that a place in a plan means which begins with a path of labels, by those that the program has as it
    is written; None: it doesn't.

    labels: by their paths the places that became of labelled statements. homes: what places begin with, the names of
    kernels and of the Program. `s1` means `s0:s1` where no other path ends so, `s0:s1.loop1` the first loop in each
    of its loops, and `s0:s1_pull` its half that pulls. Raises IrglError for a label that there is not, and for one of
    which it isn't clear where it stands.
    """
    homes = tuple(homes)
    head, dot, rest = place.partition(".")
    if SCOPE not in head and head in homes:
        return None
    path, behind = meant(head, labels), ""
    made = _MADE.fullmatch(head)
    if path is None and made is not None:
        path, behind = meant(made[1], labels), made[2]
    if path is None:
        if dot and SCOPE not in head:
            return None  # as a place of a kernel that there isn't
        raise unknown(head, labels, None, homes)
    return {f"{at}{dot}{rest}": f"{at}{behind}{dot}{rest}" for at in labels[path]}


def meant(path: str, labels: Iterable[str]) -> str | None:
    """The whole path that a path means: itself, or the only one that ends as it does and has all of its labels, in
    their order; None: there is none. Raises IrglError where there are several."""
    if path in (known := tuple(labels)):
        return path
    parts = path.split(SCOPE)
    found = [p for p in known if p.split(SCOPE)[-1] == parts[-1] and _within(parts, p.split(SCOPE))]
    if len(found) > 1:
        raise IrglError(f"there is a label {path} in several places: {', '.join(found)}", hint="say which is meant")
    return found[0] if found else None


def _within(some: list[str], parts: list[str]) -> bool:
    """Are these among the parts, in their order?"""
    rest = iter(parts)
    return all(part in rest for part in some)


def unknown(path: str, labels: Iterable[str], span: Span | None, names: Iterable[str] = (), *,
            how: str = "`s1: ForAll ...` gives a loop the label s1") -> IrglError:
    """What of a path there isn't, and what there is instead. names: what else may be meant. how: labels are given."""
    known = tuple(labels)
    near = difflib.get_close_matches(path, (*known, *names), 1)
    if not known:
        return IrglError(f"there is no label {path}: the program has none", span,
                         f"did you mean {near[0]}?" if near else how)
    parts = path.split(SCOPE)
    depth = next((k for k in range(1, len(parts) + 1) if not _begins(SCOPE.join(parts[:k]), known)), len(parts))
    scope, name = SCOPE.join(parts[: depth - 1]), parts[depth - 1]
    inside = [p.removeprefix(f"{scope}{SCOPE}" if scope else "") for p in known
              if not scope or p.startswith(f"{scope}{SCOPE}")]
    here = list(dict.fromkeys(p.split(SCOPE)[0] for p in inside))
    elsewhere = [p for p in known if p.split(SCOPE)[-1] == parts[-1]]
    said = elsewhere[0] if elsewhere else near[0] if near else ""
    where = f" in {scope}" if scope else ""
    told = f"its labels: {', '.join(here)}" if scope else f"the program's labels: {', '.join(here)}"
    return IrglError(f"there is no label {name or '``'}{where}; {told if here else 'it has none'}", span,
                     f"did you mean {said}?" if said else None)


def _begins(path: str, known: Iterable[str]) -> bool:
    return any(p == path or p.startswith(f"{path}{SCOPE}") for p in known)
