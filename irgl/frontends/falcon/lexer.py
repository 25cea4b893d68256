"""From .fal text to tokens, which are C's."""

from __future__ import annotations

import re

from irgl.frontends.descent import Part, Token
from irgl.source import IrglError, Source, Span

#: The words of types, and what each is called in the tree.
KINDS = {"int": "int", "long": "long", "float": "float", "double": "double", "bool": "bool", "char": "char",
         "void": "void", "Graph": "Graph", "Point": "Point", "Edge": "Edge", "Edges": "Edge",
         "Set": "Set", "Collection": "Collection"}  # fmt: skip
#: What can't be a name of the program's own.
WORDS = frozenset((*KINDS, "foreach", "single", "if", "else", "while", "do", "for", "break", "continue", "return",
                   "true", "false", "parallel", "Parallel", "sections", "Sections", "section"))  # fmt: skip
TYPES_ARE = "types: int, long, float, double, bool, Graph, Point, Edge, Set, Collection"
#: Words of Falcon's and of C's that are not supported, and what to write in their place.
ABSENT = {
    "printf": "irgl shows globals and properties when the program has ended", "struct": "use properties of Points",
    "switch": "write if and else", "case": "write if and else", "goto": "write a loop with break",
    "unsigned": TYPES_ARE, "signed": TYPES_ARE, "short": TYPES_ARE, "union": TYPES_ARE, "enum": TYPES_ARE,
    "typedef": TYPES_ARE, "sizeof": "irgl manages memory by itself", "static": "leave it out",
    "const": "leave it out", "extern": "a program is one file",
}  # fmt: skip
_TOKEN = re.compile(r"""
    (?P<space>[\ \t\r\n\f\v]+|//[^\n]*|/\*.*?\*/)
  | (?P<id>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?|\d+[eE][+-]?\d+[fF]?|\d+)
  | (?P<left>/\*|->|[#'"@\\`$])
  | (?P<sign>\+\+|--|&&|\|\||<<=|>>=|<<|>>|[-+*/%&|^=!<>]=|[-+*/%<>=(){}\[\],:;.?&|^!~])
""", re.VERBOSE | re.ASCII | re.DOTALL)
_LEFT = {
    "/*": ("comment without end", "close it with */"), "->": ("Falcon has no '->'", "write point.property"),
    "#": ("there is no preprocessor", "leave the line out"), "'": ("there are no characters", "write a number"),
    '"': ("there are no texts", "the graph's file is argv[1], of which graph.read makes a graph"),
}  # fmt: skip
#: How a comment begins that says something to irgl, and nothing to Falcon.
_TO_IRGL = re.compile(r"//[ \t]*irgl[ \t]*:")


class Lexer:
    """The tokens of a text, or of a part of it. Raises IrglError at what is none.

    notes: what comments say to irgl, behind `// irgl:`, as far as the text has been read.
    """

    def __init__(self, source: Source, part: Part | None = None) -> None:
        self.source = source
        self.notes: list[Part] = []
        part = part if part is not None else Part(0, len(source.text), 1, 0)
        self._at, self._end, self._line, self._begin = part.start, part.end, part.line, part.begin

    def next(self) -> Token:
        while (found := _TOKEN.match(self.source.text, self._at, self._end)) is not None:
            kind, word, start = str(found.lastgroup), found.group(), self._at
            if kind == "left":
                break
            self._at = found.end()
            if kind != "space":
                return Token("word" if word in WORDS else kind, word, self._span(start, len(word)), start)
            if (said := _TO_IRGL.match(word)) is not None:
                self.notes.append(Part(start + said.end(), self._at, self._line, self._begin))
            if lines := word.count("\n"):
                self._line += lines
                self._begin = start + word.rfind("\n") + 1
        if self._at < self._end:
            sign = found.group() if found is not None else self.source.text[self._at]
            shown = sign if sign.isprintable() else f"character {ord(sign):#x}"
            message, hint = _LEFT.get(sign, (f"'{shown}' is no part of Falcon", "names are of letters, digits and _"))
            if sign == "\0":
                message, hint = "a NUL byte is no part of a program", "is this a text file?"
            raise IrglError(message, self._span(self._at, len(sign)), hint)
        return Token("end", "", self._span(self._end, 1), self._end)

    def _span(self, start: int, length: int) -> Span:
        column = start - self._begin + 1
        return Span(self.source, self._line, column, self._line, column + length)
