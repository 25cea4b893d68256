"""From .gt text to tokens, one after the other as they are asked for: behind `schedule:` stands another language."""

from __future__ import annotations

import re

from irgl.frontends.descent import Part, Token
from irgl.source import IrglError, Source, Span

_OWN = """
    int uint uint_64 float double bool string element vector vertexset edgeset list priority_queue var const extern
    export func while do if elif else for par_for in end return print println new delete load intersection
    intersectNeighbor break and or not xor true false from to srcFilter dstFilter apply applyModified
    applyUpdatePriority applyUpdatePriorityExtern where filter modified
    tensor matrix set grid opaque complex map reduce through with inout"""
#: What can't be a name of the program's own.
WORDS = frozenset(_OWN.split())
#: Words of Simit's that GraphIt's compiler knows and no program uses, and what GraphIt has in their place.
LEFT_OVER = {
    "tensor": "a value of each vertex is a vector{Vertex}(type)", "matrix": "edges are an edgeset",
    "set": "write vertexset or edgeset", "grid": "edges are an edgeset",
    "opaque": "an element is declared by `element`",
    "complex": "numbers are int, uint, uint_64, float and double", "map": "write SET.apply(function)",
    "reduce": "write `+=`, `min=` or `max=` in an applied function", "through": "edges are an edgeset",
    "with": "edges are an edgeset", "inout": "functions change vectors, not their parameters",
}  # fmt: skip
_SIGNS = {"%!": "a comment begins with a single %", "'": "nothing is transposed by '; an edgeset is by .transpose()",
          "\\": "numbers are divided by /", ".*": "write a function, and apply it to the vertices",
          "./": "write a function, and apply it to the vertices", "^": "there are no powers: multiply"}
_TOKEN = re.compile(r"""
    (?P<space>[\ \t\r\n\f\v]+|%(?!!)[^\n]*)
  | (?P<update>(?:asyncMin|asyncMax|min|max)=(?!=))
  | (?P<id>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<number>\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+)
  | (?P<text>"[^"\n]*")
  | (?P<left>%!|\.\*|\./|['\\^])
  | (?P<sign>->|\+=|==|!=|<=|>=|[-+*/<>=(){}\[\],:;.\#])
""", re.VERBOSE | re.ASCII)


#: How a comment begins that says something to irgl, and nothing to GraphIt.
_TO_IRGL = re.compile(r"%[ \t]*irgl[ \t]*:")


class Lexer:
    """The tokens of a text, or of a part of it. Raises IrglError at what is none.

    notes: what comments say to irgl, behind `% irgl:`, as far as the text has been read.
    """

    def __init__(self, source: Source, part: Part | None = None) -> None:
        self.source = source
        self.notes: list[Part] = []
        part = part if part is not None else Part(0, len(source.text), 1, 0)
        self._at, self._end = part.start, part.end
        self._line, self._begin = part.line, part.begin  # the number of the line, and where it begins

    def next(self) -> Token:
        text = self.source.text
        while (found := _TOKEN.match(text, self._at, self._end)) is not None:
            kind, word, start = str(found.lastgroup), found.group(), self._at
            self._at = found.end()
            if kind == "space":
                if (said := _TO_IRGL.match(word)) is not None:
                    self.notes.append(Part(start + said.end(), self._at, self._line, self._begin))
                self._pass_lines(word, start)
                continue
            span = self._span(start, len(word))
            match kind:
                case "left":
                    raise IrglError(f"'{word}' is no part of GraphIt", span, _SIGNS[word])
                case "update":
                    return Token("sign", word, span, start)
                case "id" if word in WORDS:
                    return Token("word", word, span, start)
                case _:
                    return Token(kind, word, span, start)
        if self._at < self._end:
            self._refuse(text[self._at])
        return Token("end", "", self._span(self._end, 1), self._end)

    def rest(self, start: int) -> str:
        """The text from a character on, in the line that is read, which is another language; comments begin alike."""
        text, begin = self.source.text[start:], self._begin
        for number, line in enumerate(text.split("\n")):
            if (said := _TO_IRGL.search(line)) is not None:
                at = start + said.end()
                self.notes.append(Part(at, start + len(line), self._line + number, begin))
            start += len(line) + 1
            begin = start
        return text

    def _pass_lines(self, blank: str, start: int) -> None:
        lines = blank.count("\n")
        if lines:
            self._line += lines
            self._begin = start + blank.rfind("\n") + 1

    def _span(self, start: int, length: int) -> Span:
        column = start - self._begin + 1
        return Span(self.source, self._line, column, self._line, column + length)

    def _refuse(self, sign: str) -> None:
        span = self._span(self._at, 1)
        if sign == '"':
            rest = self.source.text[self._at :].split("\n", 1)[0]
            raise IrglError("text without end", self._span(self._at, len(rest)), 'close it with " on the same line')
        if sign == "\0":
            raise IrglError("a NUL byte is no part of a program", span, "is this a text file?")
        hint = {"!": "write `not`, or `!=`", "&": "write `and`", "|": "write `or`", "$": None,
                "~": "write `not`"}.get(sign, "names are of letters, digits and _")
        shown = sign if sign.isprintable() else f"character {ord(sign):#x}"
        raise IrglError(f"'{shown}' is no part of GraphIt", span, hint)
