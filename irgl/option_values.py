"""Values of plans' options as text: what is given, checked, and as plans hold it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from irgl.options import BASIS, BASIS_MEANS, EDGE, FORM, ROWS, VERTEX, Option
from irgl.source import IrglError
from irgl.switches import switch_in

#: The form of edges that each value of `basis` stands for.
BASED = {VERTEX: ROWS, EDGE: "coo"}


def spelled_out(words: Sequence[str], target: str) -> list[str]:
    """The words of a plan, with what `basis=edge` stands for in its place. Of one place it stays: what it stands for
    there depends on the program. Raises IrglError for another value, and beside another form."""
    found: list[str] = []
    said: dict[str, str] = {}
    for word in words:
        key, _, value = word.partition("=")
        if key in said and key.rpartition(".")[2] == BASIS:
            raise IrglError(f"the plan gives `{key}` twice", hint="keep one of them")
        said[key] = value
    for word in words:
        key, _, value = word.partition("=")
        place, _, name = key.rpartition(".")
        if name != BASIS:
            found.append(word)
            continue
        if value not in (VERTEX, EDGE):
            raise IrglError(f"`{word}`: it takes {VERTEX} or {EDGE}", hint=f"{BASIS}: {BASIS_MEANS}")
        form = BASED[value]
        other = said.get(f"{place}.{FORM}" if place else FORM, form)
        if other != form:
            raise IrglError(f"`{word}` stands for {FORM}={form}, and the plan says {FORM}={other}",
                            hint="keep one of them")
        if place:
            found.append(word)
            continue
        found += [f"{FORM}={form}"] if FORM not in said else []
        found += ["np=even"] if target not in ("cpu", "ref") and value == EDGE and "np" not in said else []
    return found


def is_replaced(key: str, new: Collection[str]) -> bool:
    """Is it a place's form or basis, of which other words have one?"""
    place, name = key.rpartition(".")[::2]
    return place != "" and name in (FORM, BASIS) and any(f"{place}.{word}" in new for word in (FORM, BASIS))


def value_of(option: Option, text: str) -> str:
    """A value that is given to an option, as plans hold it. Raises IrglError for what the option doesn't take."""
    if option.words:
        return _words(option, text)
    if option.word and text == option.word:
        return text
    if option.names:
        return _names(option, text)
    if option.pieces:
        return _pieces(option, text)
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else -1
    if not option.low <= number <= option.high or number % option.step:
        word = f", or `{option.word}`" if option.word else ""
        to = "" if option.high == 10**18 else f" to {option.high}"
        step = f" in steps of {option.step}" if option.step > 1 else ""
        raise IrglError(f"`{option.name}={text}`: it takes a whole number from {option.low}{to}{step}{word}",
                        hint=f"{option.name}: {option.meaning}")
    return str(number)


def _switch(option: Option, text: str) -> str:
    try:
        return str(switch_in(text))
    except ValueError:
        raise IrglError(f"`{option.name}={text}`: it takes {' or '.join(f'{w}:F' for w in option.shares)}, F from 0 to "
                        "1, such as 1/20 or 0.05, or the name of a parameter of the Program; or beamer:A:B",
                        hint=f"{option.name}: {option.meaning}") from None


def _words(option: Option, text: str) -> str:
    if option.shares:
        return _switch(option, text)
    parts = text.split("+")
    alone = len(parts) == 1 and text in option.words
    several = len(set(parts)) == len(parts) and all(p in option.joined for p in parts)
    if not alone and not several:
        raise IrglError(f"`{option.name}={text}`: it takes {', '.join(option.words)}"
                        + (f"; {', '.join(option.joined)} may be joined by +" if option.joined else ""),
                        hint=f"{option.name}: {option.meaning}")
    return "+".join(w for w in option.words if w in parts)


def _names(option: Option, text: str) -> str:
    parts = text.split("+")
    twice = next((p for at, p in enumerate(parts) if p in parts[:at]), None)
    wrong = next((p for p in parts if not p.isidentifier()), None)
    reason = (f"`{wrong}` is no name" if wrong is not None else f"it names `{twice}` twice" if twice is not None
              else "one by itself lies side by side with nothing" if len(parts) == 1 else None)
    if reason is not None:
        raise IrglError(f"`{option.name}={text}`: {reason}",
                        hint=f"{option.name}: {option.meaning}: names joined by +, or {option.word}")
    return text


def _pieces(option: Option, text: str) -> str:
    if text == "auto":
        return text
    found = re.fullmatch(r"0*([1-9][0-9]{0,17})(n?)", text)
    if found is None:
        raise IrglError(f"`{option.name}={text}`: it takes how many, such as 4, or how many nodes each has, such as "
                        f"65536n, `auto`, or `{option.word}`", hint=f"{option.name}: {option.meaning}")
    return "".join(found.groups())
