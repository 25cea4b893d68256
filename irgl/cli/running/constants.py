"""A program's constants as options: `irglc run program.irgl --K 64` stands for `irglc run program.irgl:K=64`."""

from __future__ import annotations

from irgl.frontends.constants import joined, names_in, split
from irgl.frontends.load import open_source
from irgl.source import IrglError


def with_constants(path: str, args: list[str]) -> tuple[str, list[str]]:
    """A program and the words of a command line, in which values of its constants stand behind its name alone.

    Raises IrglError for a program that can't be read, and for a constant without a value, or with two.
    """
    end = args.index("--") if "--" in args else len(args)
    before, behind = args[:end], args[end:]
    if not any(word.startswith("--") for word in before):
        return path, args
    names = {f"--{name}": name for name in names_in(open_source(path))}
    plain, values = split(path)
    given: dict[str, object] = dict(values)
    rest: list[str] = []
    words = iter(before)
    for word in words:
        option, equals, value = word.partition("=")
        if option not in names:
            rest.append(word)
            continue
        if not equals and (value := next(words, "")) == "":
            raise IrglError(f"{option} wants a value", hint=f"write {option} 16")
        if names[option] in given:
            raise IrglError(f"{option} is given twice", hint="give one value")
        given[names[option]] = value
    whole = joined(plain, given)
    return whole, [whole if word == path else word for word in rest] + behind
