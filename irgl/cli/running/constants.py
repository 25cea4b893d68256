"""A program's constants as options: `irglc run program.irgl --K 64` stands for `irglc run program.irgl:K=64`."""

from __future__ import annotations

from collections.abc import Container

from irgl.frontends.constants import joined, split
from irgl.source import IrglError


def with_constants(path: str, at: int, args: list[str], names: Container[str]) -> tuple[str, list[str]]:
    """A program and the words of a command line, in which values of its constants stand behind its name alone.

    at: which of the words that name is. names: of the constants. Raises IrglError for one without a value, or with two.
    """
    end = args.index("--") if "--" in args else len(args)
    plain, values = split(path)
    given: dict[str, object] = dict(values)
    rest: list[str] = []
    words = iter(enumerate(args[:end]))
    for k, word in words:
        option, equals, value = word.partition("=")
        if k == at:
            rest.append("")
            at = len(rest) - 1
            continue
        name = option.removeprefix("--")
        if name == option or name not in names:
            rest.append(word)
            continue
        if not equals and (value := next(words, (0, ""))[1]) == "":
            raise IrglError(f"{option} wants a value", hint=f"write {option} 16")
        if name in given:
            raise IrglError(f"{option} is given twice", hint="give one value")
        given[name] = value
    whole = joined(plain, given)
    return whole, [whole if word == "" and k == at else word for k, word in enumerate(rest)] + args[end:]
