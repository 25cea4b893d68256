"""From the legal choices of a program to the dimensions of its space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from irgl.options import Option
from irgl.space import Choice

#: A key and those of its values under which a dimension is in force.
Condition = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a plan may say by one key: an option, or an option at one place.

    home: where it stands when nothing is said: at the default, or where that is not legal at the plain value.
    cost: what a change of it takes: `run` nothing, `build` another build, `prepare` another prepared graph.
    """

    key: str
    option: Option
    place: str
    values: tuple[str, ...]
    home: str
    cost: str
    only_with: tuple[Condition, ...] = ()
    never_with: tuple[Condition, ...] = ()

    def in_force(self, chosen: Mapping[str, str]) -> bool:
        """Does it mean anything, where the dimensions before it say `chosen`?"""
        return (all(chosen.get(key) in values for key, values in self.only_with)
                and not any(chosen.get(key) in values for key, values in self.never_with))


def dimensions_of(choices: list[Choice], options: tuple[Option, ...], scoped: bool) -> tuple[Dimension, ...]:
    """The dimensions in which there is a choice, each after those that it depends on."""
    found: dict[str, Dimension] = {}
    for option in _in_order(options, choices):
        legal = [c for c in choices if c.option == option.name and c.reason is None and not c.like]
        if scoped and option.scopes and not option.at_run:  # which costs no build, for all loops together
            for place in dict.fromkeys(c.place for c in legal if c.place) or ("",):
                _add(found, option, place, [c for c in legal if c.place == place], options)
        else:
            _add(found, option, "", legal, options)
    return tuple(found.values())


def _in_order(options: tuple[Option, ...], choices: Iterable[Choice]) -> list[Option]:
    """The options, each after those whose values it depends on, at some place at least."""
    placed: list[Option] = []
    rest = list(options)
    under = {(c.option, name) for c in choices for name, _ in c.under}
    while rest:
        names = {o.name for o in rest}
        free = [o for o in rest if (o.only_with is None or o.only_with[0] not in names)
                and (o.never_with is None or o.never_with[0] not in names)
                and not any((o.name, name) in under for name in names)]
        assert free, "options depend on each other in a circle"
        placed += free
        rest = [o for o in rest if o not in free]
    return placed


def _add(found: dict[str, Dimension], option: Option, place: str, legal: Iterable[Choice],
         options: tuple[Option, ...]) -> None:
    legal = list(legal)
    values = _values(option, legal)
    conditions = _conditions(found, option, place, options)
    more = _only_under(found, place, legal, options)
    conditions = None if conditions is None or more is None else (*conditions, *more)
    if len(values) > 1 and conditions is not None:
        key = f"{place}.{option.name}" if place else option.name
        home = option.default if option.default in values else option.plain if option.plain in values else values[0]
        never = tuple((f"{place}.{name}", (value,)) for name, value in filter(None, [option.never_with])
                      if place and f"{place}.{name}" in found)
        found[key] = Dimension(key, option, place, values, home, _cost(option), conditions, never)


def _values(option: Option, legal: list[Choice]) -> tuple[str, ...]:
    """What a search may say: of words what is legal at any of the places, of numbers what is worth trying."""
    if not legal:
        return ()
    if not option.words:
        return tuple(dict.fromkeys((*option.tried, option.plain, option.default)))
    if any(not c.values for c in legal):
        return option.words
    return tuple(dict.fromkeys(v for c in legal for v in c.values))


def _conditions(found: Mapping[str, Dimension], option: Option, place: str,
                options: tuple[Option, ...]) -> tuple[Condition, ...] | None:
    """The dimensions on which an option at a place depends; None: it never means anything there.

    What is set for a place holds for the places inside it, too, unless it is plain.
    """
    if option.only_with is None:
        return ()
    name, values = option.only_with
    other = next(o for o in options if o.name == name)
    around = [d for d in found.values() if d.option is other and d.place and place.startswith(f"{d.place}.")]
    outside = tuple((d.key, tuple(dict.fromkeys((*values, other.plain)))) for d in around)
    here = found.get(f"{place}.{name}") if place else None
    whole = here if here is not None else found.get(name)
    if whole is not None:
        return (*outside, (whole.key, values))
    return outside if other.default in values else None


def _only_under(found: Mapping[str, Dimension], place: str, legal: Iterable[Choice],
                options: tuple[Option, ...]) -> tuple[Condition, ...] | None:
    """The dimensions on which what is legal at a place depends there; None: nothing says what it depends on."""
    needed = {pair for c in legal for pair in c.under} if place else set()
    here = [(found.get(f"{place}.{name}", found.get(name)), name, values) for name, values in sorted(needed)]
    if any(d is None and next(o for o in options if o.name == name).default not in values for d, name, values in here):
        return None
    return tuple((d.key, values) for d, _, values in here if d is not None)


def _cost(option: Option) -> str:
    return "prepare" if option.prepares else "run" if option.at_run else "build"

