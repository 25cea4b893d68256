"""From .irgl text to tokens: `list<node>` is one word; what C's lexer knows and the language does not is refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from pycparser.c_lexer import CLexer

from irgl.ast import types as T
from irgl.frontends.raw import span_at
from irgl.source import IrglError, Source, Span

_HEAD = re.compile(r"(?:unique\s+)?([A-Za-z_]\w*)\s*(?=<)")
_ARGUMENTS = re.compile(r"[\w\s,]*[<>]")
_FOREIGN_MARK = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#|\[\s*\[|::")
_NUMBER = re.compile(r"\.?[0-9](?:[eEpP][+-]|[\w.'])*")

#: Words of C that are no words of the language, and what to write instead.
FOREIGN: dict[str, str | None] = {
    **dict.fromkeys(("switch", "case", "default", "goto"), "write it with if, while, break and continue"),
    **dict.fromkeys(("const", "volatile", "restrict", "static", "extern", "register", "inline", "constexpr",
                     "_Atomic", "_Noreturn", "_Thread_local", "_Alignas"), "leave it out"),
    **dict.fromkeys(("sizeof", "_Alignof", "offsetof", "_Generic", "__builtin_va_arg", "_Static_assert", "_Pragma",
                     "_Complex", "__int128"), None),
    "typedef": "use the type's own name",
    "union": "use a struct",
    "enum": "use int",
}  # fmt: skip

_BAD_TOKENS = {
    **dict.fromkeys(("WSTRING_LITERAL", "U8STRING_LITERAL", "U16STRING_LITERAL", "U32STRING_LITERAL"),
                    ("a string has no prefix", 'write "text"')),
    **dict.fromkeys(("WCHAR_CONST", "U8CHAR_CONST", "U16CHAR_CONST", "U32CHAR_CONST", "INT_CONST_CHAR"),
                    ("this is not one character", "write 'a', or \"text\"")),
}  # fmt: skip


def _ignore(_message: str, _line: int, _column: int) -> None:
    """What the lexer does with an error when no parser listens."""


class Lexer(CLexer):  # type: ignore[misc]
    """pycparser's lexer, with `kind<item>` as one identifier where `kind` is in `generics`.

    Raises IrglError at characters, numbers and words that are no part of the language.
    """

    def __init__(self, error_func: Callable[[str, int, int], None] = _ignore, **options: str) -> None:
        self.generics: set[str] = {*T.KINDS, "node", "edge"}
        self.source = Source("<text>", "")
        self._inside = 0  # so many braces and parentheses
        super().__init__(error_func, **options)

    def _here(self, length: int, pos: int | None = None) -> Span:
        column = (self._pos if pos is None else pos) - self._line_start + 1
        return Span(self.source, self._lineno, column, self._lineno, column + max(1, length))

    def _match_token(self) -> Any:
        text, pos = self._lexdata, self._pos
        if text[pos].isdigit() or (text[pos] == "." and text[pos + 1 : pos + 2].isdigit()):
            return self._number()
        head = _HEAD.match(text, pos)
        if head is not None and head.group(1) in self.generics and (end := _balanced(text, head.end())) is not None:
            return self._generic_token(text[pos:end])
        token = super()._match_token()
        if token is None:
            return None
        self._inside += {"{": 1, "(": 1, "}": -1, ")": -1}.get(token.value, 0)
        if token.value in FOREIGN and not (token.value == "const" and self._inside == 0):
            raise IrglError(f"'{token.value}' is not part of the language", self._here(len(token.value), pos),
                            FOREIGN[token.value])
        if token.type in _BAD_TOKENS:
            message, hint = _BAD_TOKENS[token.type]
            raise IrglError(message, self._here(len(token.value), pos), hint)
        if token.type == "ID" and "$" in token.value:
            raise IrglError("'$' is no character of the language", self._here(1, pos + token.value.index("$")), None)
        return token

    def _number(self) -> Any:
        whole = _NUMBER.match(self._lexdata, self._pos)
        assert whole is not None
        pos, digits = self._pos, whole.group()
        # pycparser's own complaint would be less to the point: look at the numbers it knows first.
        if not re.fullmatch(_KNOWN_NUMBER, digits):
            raise IrglError(f"'{digits}' is no number", self._here(len(digits), pos), _number_hint(digits))
        return super()._match_token()

    def _generic_token(self, text: str) -> Any:
        token = self._make_token("ID", normal_generic(text), self._pos)
        line_breaks = text.count("\n")
        self._pos += len(text)
        if line_breaks:
            self._lineno += line_breaks
            self._line_start = self._pos - len(text) + text.rfind("\n") + 1
        return token

    def _error(self, msg: str, pos: int) -> None:
        """Turns each complaint of pycparser's lexer into one of ours."""
        rest = self._lexdata[pos:].split("\n", 1)[0]
        if rest.startswith("'"):
            literal = re.match(r"'(?:\\.|[^'\\])*'?", rest)
            assert literal is not None
            raise IrglError("this is not one character", self._here(literal.end(), pos), "write 'a', or \"text\"")
        if rest.startswith('"'):
            if "escape" in msg:
                raise IrglError("bad escape in a string", self._here(len(rest.split('"')[1]) + 2, pos),
                                'write \\\\ for \\, \\" for ", \\n for a new line')
            raise IrglError("string without its end", self._here(len(rest), pos), 'close it with " on the same line')
        raise IrglError(f"{_character(rest[:1])} is no character of the language", self._here(1, pos),
                        "write quotes as ' and \"" if rest[0] in "“”„‘’«»`" else None)  # fmt: skip


_KNOWN_NUMBER = (
    r"(?:0|[1-9][0-9]*|0[0-7]+|0[xX][0-9a-fA-F]+|0[bB][01]+)(?:[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?"
    r"|(?:[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)[fFlL]?"
    r"|0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFlL]?"
)


def _number_hint(text: str) -> str | None:
    if re.fullmatch(r"0[0-9]+", text):
        return "a number that begins with 0 is octal"
    if re.fullmatch(r"[0-9]+[fF]", text):
        return f"write {text[:-1]}.0f"
    if "'" in text or "_" in text:
        return "write its digits without separators"
    if re.fullmatch(r"[0-9]+[A-Za-z_]\w*", text) and not re.match(r"0[xXbB]|[0-9]+[eE]\d*$", text):
        return "a name begins with a letter"
    return None


def _character(c: str) -> str:
    return f"'{c}'" if c.isprintable() else f"U+{ord(c):04X} ({unicodedata.name(c, 'a control character')})"


def _balanced(text: str, start: int) -> int | None:
    """Where the `<...>` that begins at `start` ends; None where it holds anything but words."""
    depth, at = 0, start
    while (match := _ARGUMENTS.match(text, at)) is not None:
        at = match.end()
        depth += 1 if text[at - 1] == "<" else -1
        if depth == 0:
            return at
        if at - start > 500:
            return None
    return None


def normal_generic(text: str) -> str:
    """`unique  list < node >` as `unique list<node>`."""
    words = re.sub(r"\s+", " ", text).strip()
    words = re.sub(r"\s*([<>])\s*", r"\1", words)
    return re.sub(r"\s*,\s*", ", ", words)


def refuse_foreign(source: Source, text: str) -> None:
    """Raises IrglError for preprocessor lines, C23 attributes and C++ scopes, which C's lexer would let pass."""
    for match in _FOREIGN_MARK.finditer(text):
        if match.group()[0] in "\"'":
            continue
        where = span_at(source, match.start(), 1 if match.group() == "#" else 2)
        if match.group() == "#":
            comment = re.match(r"#\s*(?:include|define|if|ifdef|ifndef|endif|else|pragma|undef|line)\b|#\s*$",
                               text[match.start():].split("\n", 1)[0]) is None
            raise IrglError("preprocessor lines are not part of the language", where,
                            "a comment begins with //" if comment else "use import, or a plain constant")
        double = match.group() == "::"
        raise IrglError(f"'{'::' if double else '[['}' is not part of the language", where,
                        "functions such as min, max, abs and sqrt have no name in front: min(a, b)" if double else None)
