"""The layout of generated text: lines that are too long are continued, with their arguments below one another."""

from __future__ import annotations

import re

WIDTH = 110
#: Qualifiers that look like a function's name.
_QUALIFIER = re.compile(r"__(?:launch_bounds|maxnreg)__\([^)]*\)")


def fold(text: str) -> str:
    """The text with every line folded that is longer than WIDTH, where it has several arguments to part."""
    return "\n".join(_folded(line) if len(line) > WIDTH and line.lstrip()[:1] not in "#/" else line
                     for line in text.split("\n"))


def _folded(line: str) -> str:
    qualifier = _QUALIFIER.search(line)
    begin = line.find("(", qualifier.end() if qualifier is not None else 0) + 1
    parts = _arguments(line[begin:])
    if begin == 0 or len(parts) < 2:
        return line
    short = begin <= WIDTH // 2
    indent = " " * (begin if short else len(line) - len(line.lstrip()) + 4)
    lines, now = ([], line[:begin]) if short else ([line[:begin]], indent)
    for at, part in enumerate(parts):
        if at > 0 and (len(now) + len(part.rstrip()) > WIDTH or part.startswith("[&](")):
            lines.append(now.rstrip())
            now = indent
        now += part
    return "\n".join([*lines, now])


def _arguments(text: str) -> list[str]:
    """The arguments that `text` begins with, each with the comma and the space behind it; the last has all the rest."""
    found, begin, quoted = [], 0, False
    inside: list[str] = []
    for at, letter in enumerate(text):
        before = text[at - 1 : at]
        if letter == '"' and before != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif letter in "([{" or (letter == "<" and (before.isalnum() or before == "_")):
            inside.append(letter)
        elif letter in ")]}" and not inside:
            break
        elif letter in ")]}" or (letter == ">" and inside[-1:] == ["<"]):
            inside.pop()
        elif letter == "," and not inside and text[at + 1 : at + 2] == " ":
            found.append(text[begin : at + 2])
            begin = at + 2
    return [*found, text[begin:]]
