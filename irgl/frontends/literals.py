"""Numbers, characters, strings and type names: from their spelling to our nodes and types."""

from __future__ import annotations

import math
import re
from typing import NoReturn

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.source import IrglError, Span

INT_WORDS = {"int", "long", "short", "char", "signed", "unsigned"}


def parse_type(name: str) -> T.Type:
    """The type that one (normalised) word names: `node`, `list<node>`, `unique list<edge>`, `Light`."""
    if name in T.NAMES:
        return T.NAMES[name]
    if name.startswith("unique "):
        inner = parse_type(name.removeprefix("unique "))
        return T.Worklist(inner.kind, inner.item, True) if isinstance(inner, T.Worklist) else inner
    if "<" not in name:
        return integer_type(name.split()) or T.Named(name)
    head, _, rest = name.partition("<")
    if head in ("node", "edge"):
        return T.NodeT(rest[:-1]) if head == "node" else T.EdgeT(graph=rest[:-1])
    args = tuple(parse_type(a) for a in _split(rest[:-1]))
    if head in T.KINDS and len(args) == 1:
        return T.Worklist(head, args[0])
    return T.Named(head, args)


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += {"<": 1, ">": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return parts


def integer_type(words: list[str]) -> T.Type | None:
    """C's integer type of these words; None where they name none (`short long`, `unsigned signed`)."""
    sign = [w for w in words if w in ("signed", "unsigned")]
    size = sorted(w for w in words if w not in ("signed", "unsigned"))
    if not words or len(sign) > 1:
        return None
    bits = {
        (): 32, ("int",): 32, ("char",): 8, ("short",): 16, ("int", "short"): 16,
        ("long",): 64, ("int", "long"): 64, ("long", "long"): 64, ("int", "long", "long"): 64,
    }.get(tuple(size))  # fmt: skip
    return None if bits is None else T.Int(bits, sign != ["unsigned"])


def integer(text: str, span: Span) -> A.IntLit:
    """An integer literal: C's rules for its type, with 32-bit int and 64-bit long. IrglError over 64 bits."""
    digits = text.rstrip("uUlL")
    suffix = text[len(digits) :].lower()
    if digits.startswith(("0x", "0X", "0b", "0B")):
        value = int(digits, 0)
    else:
        value = int(digits, 8) if len(digits) > 1 and digits.startswith("0") else _decimal(digits, span)
    signed = "u" not in suffix
    bits = 64 if "l" in suffix or value > T.Int(32, signed).max else 32
    if value > T.ULONG.max:
        _too_large(text, span)
    return A.IntLit(value, T.Int(bits, signed and value <= T.Int(bits, signed).max), span=span)


def _decimal(digits: str, span: Span) -> int:
    if len(digits) > 20:  # and Python would refuse thousands of digits
        _too_large(digits, span)
    return int(digits)


def _too_large(text: str, span: Span) -> NoReturn:
    raise IrglError(f"{text if len(text) <= 40 else 'this number'} does not fit in 64 bits", span)


def floating(text: str, span: Span) -> A.FloatLit:
    """A floating literal, without its suffix. IrglError for long double, and where it would be infinite."""
    if text[-1] in "lL":
        raise IrglError("long double is not part of the language", span, "use double")
    hexadecimal = text[:2] in ("0x", "0X")
    single = text[-1] in "fF"
    digits = text[:-1] if single else text
    try:
        value = float.fromhex(digits) if hexadecimal else float(digits)
    except OverflowError:
        value = math.inf
    # The largest binary32 is (2 - 2^-23) * 2^127; half a unit more rounds to infinity.
    if value >= (math.ldexp(2 - 2**-24, 127) if single else math.inf):
        raise IrglError(f"{text} does not fit in a {'float' if single else 'double'}", span, "write INF for infinity")
    return A.FloatLit(repr(value) if hexadecimal else digits, T.FLOAT if single else T.DOUBLE, span=span)


_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
           "\\": "\\", '"': '"', "'": "'", "?": "?"}  # fmt: skip


def unescaped(text: str, span: Span) -> str:
    """What a literal's text between its quotes stands for. IrglError for an escape that C does not have."""

    def one(match: re.Match[str]) -> str:
        octal, *hexadecimal, simple = match.groups()
        if simple is not None:
            if simple not in _SIMPLE:
                _bad_escape(match.group(), span)
            return _SIMPLE[simple]
        code = int(octal, 8) if octal is not None else int(next(h for h in hexadecimal if h is not None), 16)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000 or code == 0:
            _bad_escape(match.group(), span)
        return chr(code)

    return _ESCAPE.sub(one, text)


def _bad_escape(text: str, span: Span) -> NoReturn:
    raise IrglError(f"'{text}' is no escape", span, 'write \\\\ for \\, \\" for ", \\n for a new line')


def character(text: str, span: Span) -> A.IntLit:
    """A character literal, quotes and all: its code, an int."""
    body = unescaped(text[1:-1], span)
    if len(body) != 1:
        raise IrglError("this is not one character", span, "write 'a', or \"text\"")
    return A.IntLit(ord(body), T.INT, span=span)
