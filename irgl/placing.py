"""A plan that speaks of labels, as one that speaks of the places that these have in a program."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from irgl.analysis.names.labelled import labels_of
from irgl.analysis.names.paths import paths
from irgl.ast import nodes as A
from irgl.ast.labels import places_of
from irgl.ast.visit import walk
from irgl.frontends.scheduled import ScheduledSource
from irgl.option_values import BASED
from irgl.options import BASIS, FORM
from irgl.plan import Plan
from irgl.source import IrglError, Source
from irgl.space import Choice, legal_space


def labels_in(program: A.Program, source: Source) -> dict[str, tuple[str, ...]]:
    """The labels of a program that begins in `source`, by their paths, with their places: those that its notation
    knows, too, where these are more than its loops have. Raises IrglError for mistakes in the program."""
    found = labels_of(program)
    if isinstance(source, ScheduledSource):
        for path, label in source.labelled().labels.items():
            if not label.unreached:
                found[path] = found.get(path) or (*label.loops, *label.rounds)
    return found


def placed(program: A.Program, plan: Plan, target: str, source: Source) -> Plan:
    """The plan that says of places alone what they honour: with places for its labels, and with what `basis` stands for
    at each of them. Raises IrglError for what is said of none."""
    return _based(program, _labelled(program, plan, target, source), target)


def _labelled(program: A.Program, plan: Plan, target: str, source: Source) -> Plan:
    """The plan with each label's places in its place: `s0:s1.np=fg` holds for each loop that the statement became.

    An option is said at the label's own places, or where none of them can honour it in what stands in them: loops over
    edges, kernels that are invoked. Raises IrglError for a label that the program hasn't, for one without a loop, and
    where two words speak of one place. A plan without labels costs nothing.
    """
    homes = [d.name for d in program.decls if isinstance(d, A.Kernel | A.Entry)]
    said = [(f"{place}.{option}", place, option, value) for place, option, value in plan.scoped
            if place.partition(".")[0] not in homes]
    if not said:
        return plan
    labels = labels_in(program, source)
    settings = {key: value for key, value in plan.settings if key not in {s[0] for s in said}}
    by = {key: key for key in settings}
    choices: list[Choice] = []
    for key, place, option, value in said:
        own = places_of(place, labels, homes)
        if own is None:  # no label: whether there is such a place is for others to say
            settings[key] = value
            continue
        if not own:
            raise IrglError(f"`{key}={value}`: the label {place} stands before no loop",
                            hint="leave it out, or say the option without a place")
        choices = choices or legal_space(program, target)
        for at in _where(own, _inside(program, own), *_honours(choices, option, value)):
            at = next((made + at.removeprefix(p) for p, made in own.items() if f"{at}.".startswith(f"{p}.")), at)
            other = by.setdefault(f"{at}.{option}", key)
            if other != key and settings[f"{at}.{option}"] != value:
                raise IrglError(f"`{key}={value}` and `{other}={settings[f'{at}.{option}']}` both speak of {at}",
                                hint="keep one of them")
            settings[f"{at}.{option}"] = value
    whole = tuple((key, value) for key, value in settings.items() if "." not in key)
    return Plan((*whole, *sorted((key, value) for key, value in settings.items() if "." in key)), plan.target)


def _honours(choices: Sequence[Choice], option: str, value: str) -> tuple[list[Choice], str]:
    """The choices that an option is one of, and the value that it is there."""
    name, word = (FORM, BASED.get(value, value)) if option == BASIS else (option, value)
    return [c for c in choices if c.option == name], word


def _based(program: A.Program, plan: Plan, target: str) -> Plan:
    """The plan with `format` or, of a GPU's loop that can't be laid out, `np` where it says `basis` of a place."""
    said = [(place, value) for place, option, value in plan.scoped if option == BASIS]
    if not said:
        return plan
    choices = {(c.place, c.option): c for c in legal_space(program, target)}
    settings = {key: value for key, value in plan.settings if key.rpartition(".")[2] != BASIS}
    for place, value in said:
        if (place, FORM) not in choices:
            there = [p for p, option in choices if option == FORM]
            raise IrglError(f"the plan sets `{BASIS}` for `{place}`, which is no place for it",
                            hint=f"places: {', '.join(there) or 'there are none in this program'}")
        form, even = choices[place, FORM], choices.get((place, "np"))
        laid = BASED[value] in form.values
        if not laid and even is not None and "even" in even.values:
            said_np = settings.setdefault(f"{place}.np", "even")
            if said_np != "even":
                raise IrglError(f"`{place}.{BASIS}={value}` stands for np=even there, and the plan says np={said_np}",
                                hint="keep one of them")
        else:
            settings[f"{place}.{FORM}"] = BASED[value]
    return Plan.parse(" ".join(f"{key}={value}" for key, value in settings.items()), plan.target)


def _where(own: Collection[str], inside: Collection[str], choices: list[Choice], value: str) -> list[str]:
    """The places, of some or in them, at which an option is said."""
    at = {c.place: c for c in choices}
    for places in (own, inside):
        legal = [p for p in places if p in at and at[p].reason is None and value not in dict(at[p].refused)]
        if legal:
            return legal
    return [p for p in own if p in at] or [p for p in inside if p in at] or [*own]


def _inside(program: A.Program, own: Collection[str]) -> list[str]:
    """The places within others, and within the kernels that are invoked there."""
    at = paths(program)
    kernels = {d.name: d for d in program.decls if isinstance(d, A.Kernel)}
    run: list[str] = []
    for node, place in at.items():
        if any(place == p or place.startswith(f"{p}.") for p in own):
            run += [n.kernel for n in walk(node) if isinstance(n, A.Invoke | A.InvokeResult | A.Iterate)]
    within = [*own, *dict.fromkeys(name for name in run if name in kernels)]
    return [p for p in at.values() if any(p.startswith(f"{w}.") for w in within)]
