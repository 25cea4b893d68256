"""Broken programs of GraphIt's: lines and tokens dropped, doubled, swapped, or replaced by what may stand elsewhere."""

from __future__ import annotations

import random
import re

_TOKEN = re.compile(r"%[^\n]*|\s+|(?:min|max|asyncMin|asyncMax)=|\w+|\"[^\"\n]*\"|->|[-+!=<>]=|.", re.DOTALL)
_WORDS = """int uint uint_64 float double bool string element vector vertexset edgeset list priority_queue var const
    extern
    export func while do if elif else for par_for in end return print println new delete load intersection break and or
    not xor true false from to srcFilter dstFilter apply applyModified applyUpdatePriority where filter modified tensor
    map min= max= asyncMin= += = == != < -> - * / ( ) { } [ ] : ; , . # % %! ' ^ \\ " argv atoi writeMin atomicAdd
    getVertices getOutDegrees getOutDegree transpose size sum addVertex append pop retrieve insert finished
    finishedNode dequeue_ready_set updatePriorityMin updatePrioritySum get_current_priority startTimer getNgh relabel
    max fabs floor main Vertex Edge edges vertices schedule: 0 1 -1 7 2147483648 99999999999999999999 1.5 1e400 .5 1.
    argv[0] argv[1] argv[3] "a" {1,2} vector{Vertex}(int) vector[3](int) vertexset{Vertex}
    list{vertexset{Vertex}}"""
WORDS = [
    *_WORDS.split(),
    "\xfc", "\x00", "\xa0", "\u2028", "\x0c", "\r", "\t", "\n", "\U0001f600",
]  # fmt: skip


def mutant(texts: list[str], seed: int) -> str:
    """The broken program number `seed`: always the same one for the same texts."""
    rng = random.Random(seed)
    text = rng.choice(texts)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        text = rng.choice((_lines, _tokens, _tokens, _tokens, _names, _names, _tail))(text, rng, texts)
    return text


def _lines(text: str, rng: random.Random, texts: list[str]) -> str:
    """Lines dropped, doubled, swapped, or taken from another program."""
    lines = text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[at : at + rng.choice((1, 1, 2, 5))]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines.insert(at, rng.choice(rng.choice(texts).split("\n")))
    return "\n".join(lines)


def _tokens(text: str, rng: random.Random, texts: list[str]) -> str:
    pieces = _TOKEN.findall(text) or [""]
    at, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
    to = min(len(pieces), at + rng.choice((1, 1, 1, 3, 12)))
    match rng.randrange(5):
        case 0:
            del pieces[at:to]
        case 1:
            pieces[at:at] = pieces[at:to] * rng.choice((1, 1, 300))
        case 2:
            pieces[at], pieces[other] = pieces[other], pieces[at]
        case 3:
            pieces[at] = f" {rng.choice(WORDS)} "
        case _:
            donor = _TOKEN.findall(rng.choice(texts)) or [""]
            start = rng.randrange(len(donor))
            pieces[at:at] = donor[start : start + rng.choice((1, 4, 15))]
    return "".join(pieces)


def _names(text: str, rng: random.Random, _: list[str]) -> str:
    """A name, number or word in the place of another one."""
    pieces = _TOKEN.findall(text)
    words = [i for i, piece in enumerate(pieces) if re.fullmatch(r"\w+", piece)]
    if words:
        pieces[rng.choice(words)] = pieces[rng.choice(words)]
    return "".join(pieces)


def _tail(text: str, rng: random.Random, _: list[str]) -> str:
    """What begins or ends in the middle, rarely."""
    if rng.random() < 0.8:
        return text
    at = rng.randrange(len(text) + 1)
    return text[:at] if rng.random() < 0.5 else text[at:]
