"""Broken programs: the texts of known ones with tokens or characters dropped, doubled, swapped and replaced."""

from __future__ import annotations

import random
import re

_TOKEN = re.compile(r"\s+|//[^\n]*|\w+|\"[^\"\n]*\"|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|\+\+|--|.", re.DOTALL)
_WORDS = [
    '(', ')', '{', '}', '[', ']', ';', ',', '.', ':', '?', '=', '==', '+', '-', '*', '/', '%', '&', '|', '^', '!',
    '~', '<', '>', '<<', '>>', '+=', '++', '--', '->', '::', '#', '"', "'", '/*', '*/', '//', '\\', '@', '0', '1.5',
    '0x', '1e', '09', "'a'", 'min=', 'ForAll', 'For', 'In', 'Atomic', 'Else', 'Exclusive', 'Retry', 'Respawn',
    'Invoke', 'Iterate', 'While', 'Until', 'Any', 'All', 'Initial', 'Pipe', 'Once', 'CBlock', 'reads(', 'racy',
    'relaxed', 'graph', 'library', 'Kernel', 'Program', 'import', 'struct', 'node', 'edge', 'list<node>', 'list<',
    'unique', 'array<int>', 'int', 'long', 'unsigned', 'double', 'void', 'auto', 'if', 'else', 'while', 'do', 'for',
    'break', 'continue', 'return', 'switch', 'sizeof', 'const', 'typedef', 'WL', 'verify', 'tolerance', 'iterator',
    'elements', 'appends', 'true', 'INF', '\xfc', '\xa0', '\x00', '\r', '\t', '\x00', '\r', '\n', '\x0c',
]  # fmt: skip


def mutant(texts: list[str], seed: int) -> str:
    """The broken program number `seed`: always the same one for the same texts."""
    rng = random.Random(seed)
    pieces = _TOKEN.findall(rng.choice(texts))
    if rng.random() < 0.3:
        pieces = list("".join(pieces))
    # A stretch of a program rather than the whole, half of the time: mistakes near the start hide later ones.
    if rng.random() < 0.5:
        start = rng.randrange(len(pieces))
        pieces = pieces[start : start + rng.randrange(1, 400)]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        _mutate(pieces, rng, texts)
    return "".join(pieces)


def _mutate(pieces: list[str], rng: random.Random, texts: list[str]) -> None:
    at = rng.randrange(len(pieces) + 1)
    to = min(len(pieces), at + rng.choice((1, 1, 1, 2, 5, 30)))
    match rng.randrange(7):
        case 0:
            del pieces[at:to]
        case 1:
            pieces[at:at] = pieces[at:to] * rng.choice((1, 2, 200))
        case 2:
            pieces[at:to] = [rng.choice(_WORDS)]
        case 3:
            pieces.insert(at, f" {rng.choice(_WORDS)} ")
        case 4 if len(pieces) > 1:
            other = rng.randrange(len(pieces))
            at = min(at, len(pieces) - 1)
            pieces[at], pieces[other] = pieces[other], pieces[at]
        case 5:
            donor = _TOKEN.findall(rng.choice(texts))
            start = rng.randrange(len(donor))
            pieces[at:at] = donor[start : start + rng.choice((1, 3, 10, 40))]
        case _:
            del pieces[at:]
