"""One C++ text of many generated units, in which a definition that several of them have stands once.

Two definitions are the same where their texts are and all that these name is. Each gets a namespace of its own, which
begins with what it uses of others. A unit is then a list of definitions, and its entry `irgl_run_I`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from irgl.frontends.own_headers import behind, directives

_UNIT = re.compile(r"(.*?)^namespace unit \{\n(.*)^\}  // namespace unit\n(.*)", re.DOTALL | re.MULTILINE)
_PLAN = re.compile(r"^// Plan: .*\n", re.MULTILINE)
_ENTRY = re.compile(r"\birgl_run\b(?!_)")
_OWN = re.compile(r"\bunit(?=::)|(?<=namespace )unit(?=;)")
_ALIAS = re.compile(r"using (?:(\w+) =|(?:\w+::)+(\w+);)")
_TYPE = re.compile(r"(?:struct|class|enum|enum class) (?:alignas\(\d+\) )?(\w+)")
_BOUNDS = re.compile(r"__(?:launch_bounds|maxnreg)__\([^()]*\)|\[\[\w+\]\]")
_DECLARES = re.compile(r"(?:[^\s{}][^{};]*\);\n?)+")
_FUNCTION = re.compile(r"(\w+)\(")
_WORD = re.compile(r"[A-Za-z_]\w*")


class Units:
    """The text of units that were added so far."""

    def __init__(self) -> None:
        self._head: dict[str, None] = {}  # its directives, in their order
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}  # what a definition is: its number
        self._parts: list[str] = []
        self._count = 0

    def add(self, text: str) -> None:
        """Adds a unit; its threads of a block are as many as those of the first."""
        number, self._count = self._count, self._count + 1
        text = _PLAN.sub("", text)
        begin = behind(text)
        found = _UNIT.fullmatch(text, begin)
        assert found is not None
        self._head |= dict.fromkeys(directives(text[:begin] + found[1]))
        defined: dict[str, list[int]] = {}
        for block, own in _definitions(found[2]):
            at = self._definition(block, defined)
            for name in own:
                defined.setdefault(name, []).append(at)
        self._parts.append(f"namespace unit_{number} {{\n{_uses(found[3], defined)[0]}}}\n"
                           + _ENTRY.sub(f"irgl_run_{number}", _OWN.sub(f"unit_{number}", found[3])))

    def _definition(self, block: str, defined: dict[str, list[int]]) -> int:
        uses, numbers = _uses(block, defined)
        key = (block, numbers)
        if key not in self._known:
            self._known[key] = len(self._known)
            self._parts.append(f"namespace part_{self._known[key]} {{\n{uses}{block}\n}}\n")
        return self._known[key]

    def text(self) -> str:
        """All units, and an irgl_run that runs the one whose number the variable UNIT gives."""
        cases = " ".join(f"case {i}: return irgl_run_{i}(args);" for i in range(self._count))
        return "\n".join([*self._head, *self._parts, "#include <stdlib.h>",
                          'extern "C" int irgl_run(irgl_run_args* args) {',
                          f'  switch (atoi(getenv("UNIT"))) {{ {cases} }}', "  return 2;", "}", ""])


def joined(texts: Sequence[str]) -> str:
    """The text of all these units; the variable UNIT says which of them runs."""
    units = Units()
    for text in texts:
        units.add(text)
    return units.text()


def without_plan(text: str) -> str:
    """A unit's text, but for the line that says its plan."""
    return _PLAN.sub("", text)


def _uses(text: str, defined: dict[str, list[int]]) -> tuple[str, tuple[int, ...]]:
    """Declarations that bring what a text names, and the numbers of those definitions."""
    named = sorted({word for word in _WORD.findall(text) if word in defined})
    lines = [f"using part_{n}::{word};\n" for word in named for n in dict.fromkeys(defined[word])]
    return "".join(lines), tuple(sorted({n for word in named for n in defined[word]}))


def _definitions(text: str) -> list[tuple[str, list[str]]]:
    """The definitions in a namespace, with the names that each defines; all that one uses stands before it."""
    found: list[tuple[str, list[str]]] = []
    waiting = [(block, _names(block)) for block in text.strip("\n").split("\n\n") if not _DECLARES.fullmatch(block)]
    while waiting:
        at = next((i for i, (block, own) in enumerate(waiting)
                   if not ({n for _, o in waiting[:i] + waiting[i + 1:] for n in o} - set(own))
                   & set(_WORD.findall(block))), 0)
        found.append(waiting.pop(at))
    return found


def _names(block: str) -> list[str]:
    """What a block of lines defines."""
    found: list[str] = []
    for line in block.split("\n"):
        if not line or line[0] in " }#" or line.startswith(("//", "template", "static_assert(")):
            continue
        alias, kind = _ALIAS.match(line), _TYPE.match(line)
        if alias is not None:
            found.append(alias[1] or alias[2])
        elif kind is not None:
            found.append(kind[1])
        else:
            function = _FUNCTION.search(_BOUNDS.sub("", line))
            assert function is not None, f"what does this define? {line}"
            found.append(function[1])
    return found
