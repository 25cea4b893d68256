"""The kernels of a unit's text and the expressions that name them, for text.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

STRING = r'(?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\((?:.|\n)*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
ATTRIBUTE = r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)"
KERNEL_NAME = re.compile(rf"(?:{ATTRIBUTE}|[^;{{}}()])*?([A-Za-z_]\w*)\s*(?:<[^;{{}}()]*>\s*)?\(")
OPEN, CLOSE = "([{", ")]}"
_LITERAL = rf"{STRING}|'(?:\\.|[^'\\\n])+'|\b\d(?:[\w.]|'\w)*"
_BRACKET = re.compile(rf"{_LITERAL}|[()\[\]{{}}]")
_STATEMENT = ("return", "else", "do", "if", "while", "for", "switch", "case", "throw", "goto", "co_return")
_SKIPPED = rf"{_LITERAL}|//[^\n]*|/\*(?:.|\n)*?\*/"
_GLOBAL = re.compile(rf"{_SKIPPED}|\b(?P<global>__global__)\b")


@dataclass
class Kernels:
    """Names of kernels: the parameters of each function of the name, which are templates, how few arguments do."""

    parameters: dict[str, set[str]] = field(default_factory=dict)
    templates: set[str] = field(default_factory=set)
    fewest: dict[str, int] = field(default_factory=dict)
    _most: dict[str, int] = field(default_factory=dict)

    def is_one_function(self, name: str) -> bool:
        return name in self.parameters and name not in self.templates and len(self.parameters[name]) == 1

    def leaves_to_defaults(self, name: str, arguments: str) -> bool:
        """Does a launch with these arguments give a kernel fewer than it has parameters, as its defaults allow?"""
        given = len(split(arguments))
        return self.fewest.get(name, 0) <= given < self._most.get(name, 0)

    def add_from(self, part: str) -> None:
        if "__global__" not in part:
            return
        for m in _GLOBAL.finditer(part):
            if m["global"] is None or (name := KERNEL_NAME.match(part, m.end())) is None:
                continue
            inside = split(part[name.end():matching(part, name.end() - 1)])
            self.parameters.setdefault(name[1], set()).add(",".join(_parameter_type(p) for p in inside))
            needed = sum("=" not in p for p in inside)
            self.fewest[name[1]] = min(needed, self.fewest.get(name[1], needed))
            self._most[name[1]] = max(len(inside), self._most.get(name[1], 0))
            before = max(part.rfind(c, 0, m.start()) for c in ";}{")
            if re.search(r"\btemplate\b", part[before + 1:m.start()]):
                self.templates.add(name[1])

    def plain_calls(self, own: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """Statements that call a kernel as if it were a function: which of the user's texts, where, the name.

        A name that may mean something else, too, is left to the compiler.
        """
        if not self.parameters:
            return
        names = "|".join(map(re.escape, self.parameters))
        call = re.compile(rf"{_SKIPPED}|(?<=[;{{}}])\s*(?P<kernel>{names})\s*(?:<(?!<)(?:(?!<<<)[^;{{}}()])*>\s*)?\(")
        begun = re.compile(rf"[;{{}}]\s*(?:{names})\b")  # found soon, and mostly nowhere
        for number, part in enumerate(own):
            for m in call.finditer(part) if begun.search(part) is not None else ():
                if m["kernel"] is None or not re.compile(r"\s*;").match(part, matching(part, m.end() - 1) + 1):
                    continue
                other = re.compile(rf"([\w>])(?:\s+|\s*[*&]+\s*){m['kernel']}\b")
                if not any(_means_another(other, text) for text in own) and not any(map(other.search, others)):
                    yield number, m.start("kernel"), m["kernel"]


def _means_another(name: re.Pattern[str], text: str) -> bool:
    """Is a name that follows a type declared here as anything but a kernel?"""
    for m in name.finditer(text):
        before = text[max(text.rfind(c, 0, m.start()) for c in ";}{") + 1:m.end(1)]
        word = re.search(r"\w+$", before)
        if "__global__" not in before and (word is None or word[0] not in _STATEMENT):
            return True
    return False


def _parameter_type(parameter: str) -> str:
    """A parameter without its name and default, so that a declaration and its definition look the same."""
    words = re.findall(r"\w+|[^\w\s]", parameter.split("=")[0])
    words = [w for w in words if w not in ("const", "__restrict__", "__restrict")]
    if len(words) > 1 and re.fullmatch(r"[A-Za-z_]\w*", words[-1]) and words[-1] not in ("int", "long", "unsigned"):
        words.pop()
    return " ".join(words)


def split(text: str) -> list[str]:
    """What commas separate, but for those in brackets and between `<` and `>` of template arguments."""
    found, start, depth = [], 0, 0
    for m in re.finditer(rf"{_LITERAL}|[()\[\]{{}},]|(?<=\w)<(?=[\w\s,:*&<>]*>)|->|>", text):
        depth += m[0] in ("(", "[", "{", "<")
        depth -= m[0] in (")", "]", "}") or (m[0] == ">" and depth > 0)
        if m[0] == "," and depth == 0:
            found.append(text[start:m.start()])
            start = m.end()
    found.append(text[start:])
    return found if text.strip() else []


def matching(text: str, at: int) -> int:
    """Where the bracket that opens at `at` closes; the end of the text if it does not."""
    depth = 0
    for m in _BRACKET.finditer(text, at):
        if m[0] in OPEN:
            depth += 1
        elif m[0] in CLOSE:
            depth -= 1
            if depth == 0:
                return m.start()
    return len(text)


def named_from(text: str, low: int, end: int) -> int | None:
    """Where the expression begins that ends at `end` and names a kernel: `k`, `a::k<int, (n > 3)>`, `o.k`, `ks[i]`."""
    i: int | None = end
    while i is not None:
        i = low + len(text[low:i].rstrip())
        if i > low and text[i - 1] in ">)]":
            i = _opened(text, low, i)
            called = i is not None and text[i] == "(" and re.search(r"([A-Za-z_]\w*)\s*$", text[low:i])
            if i is not None and text[i] == "(" and (not called or called[1] in _STATEMENT):
                return i
            continue
        name = re.search(r"[A-Za-z_]\w*$", text[low:i])
        if name is None:
            return None
        i = low + name.start()
        before = re.sub(r"(?<=[>.:])\s*\btemplate$", "", text[low:i].rstrip()).rstrip()
        if before.endswith("::"):
            i = low + len(before) - 2
            scope = re.search(r"(?:(\w+)|>)\s*$", text[low:i])
            if scope is None or scope[1] in _STATEMENT:
                return i
        elif before.endswith("->") or re.search(r"(?<!\.)\.$", before):
            i = low + len(before) - (2 if before.endswith("->") else 1)
        else:
            return i
    return None


def _opened(text: str, low: int, end: int) -> int | None:
    """Where the bracket that closes before `end` opens; `<` and `>` count outside of other brackets only."""
    closed: list[str] = []
    for i in range(end - 1, low - 1, -1):
        c = text[i]
        if c in CLOSE or (c == ">" and (not closed or closed[-1] == ">") and text[i - 1] != "-"):
            closed.append(c)
        elif c in OPEN and closed.pop() != CLOSE[OPEN.index(c)]:
            return None
        elif c == "<" and closed[-1] == ">":
            closed.pop()
        if not closed:
            return i
    return None
