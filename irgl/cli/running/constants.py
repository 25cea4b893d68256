"""A program's constants as options: `irglc run program.irgl --K 64` stands for `irglc run program.irgl:K=64`."""

from __future__ import annotations

from collections.abc import Container

from irgl.frontends.constants import joined, names_in, split
from irgl.frontends.load import open_source
from irgl.source import IrglError


def with_constants(path: str, at: int, args: list[str], taken: Container[str]) -> tuple[str, list[str]]:
    """A program and the words of a command line, in which values of its constants stand behind its name alone.

    at: which of the words that name is. taken: options that the command itself has, which no constant's name can be.

    Raises IrglError for a program that can't be read, and for a constant without a value, or with two.
    """
    end = args.index("--") if "--" in args else len(args)
    if not any(word.startswith("--") for word in args[:end]):
        return path, args
    names = {f"--{name}": name for name in names_in(open_source(path)) if f"--{name}" not in taken}
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
        if option not in names:
            rest.append(word)
            continue
        if not equals and (value := next(words, (0, ""))[1]) == "":
            raise IrglError(f"{option} wants a value", hint=f"write {option} 16")
        if names[option] in given:
            raise IrglError(f"{option} is given twice", hint="give one value")
        given[names[option]] = value
    whole = joined(plain, given)
    return whole, [whole if word == "" and k == at else word for k, word in enumerate(rest)] + args[end:]
