"""Small graph files of each text format, with the plain parser of it, and damages to them."""

from __future__ import annotations

import random
from collections.abc import Callable

from support import line_parsers
from support.line_parsers import Plain

SEEDS: dict[str, tuple[Callable[[bytes], Plain], list[bytes]]] = {
    "el": (
        line_parsers.parse_el,
        [
            b"# a list\n0 1\n1 2\n2 0\n\n5 5\n7\t0\n",
            b"3,4,1.5\n4,3,-2e1\n% x\n3 3 .25\n",
            b"10 20 3\r\n20 10 4\r\n9223372036854775807 1 5\r\n",
            b'id,"to me",x y\n0,1,4\n1,2,5\n',
        ],
    ),
    "gr": (
        line_parsers.parse_gr,
        [
            b"c roads\np sp 4 5\na 1 2 10\na 2 3 20\nc more\na 3 1 -5\na 4 4 0\na 1 2 10\n",
            b"p tw 5 4\n1 2\n2 3\n3 2\n5 5\n",
            b"p sp 2 2\na 1 2 1.5\na 2 1 2\n",
        ],
    ),
    "mtx": (
        line_parsers.parse_mtx,
        [
            b"%%MatrixMarket matrix coordinate pattern symmetric\n% c\n4 4 4\n2 1\n3 2\n4 4\n4 1\n",
            b"%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1.5\n2 3 -1e-3\n3 3 0\n",
            b"%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 5\n3 1 -7\n",
            b"%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 5\n1 2 5\n3 1 7\n",
        ],
    ),
    "metis": (
        line_parsers.parse_metis,
        [
            b"% mesh\n4 4\n2 3\n1 4\n1 4\n2 3\n",
            b"5 3 001\n2 7 3 4\n1 7\n1 4\n\n5 1 5 1\n",
            b"3 2 11 2\n9 9 2 5\n8 8 1 5 3 6\n7 7 2 6\n",
            b"4 3 100\n2 3\n\n4\n\n",
            b"3 2 100\n4 2\n4 1 3\n4 2\n",
        ],
    ),
    "adj": (
        line_parsers.parse_adj,
        [
            b"AdjacencyGraph\n4\n5\n0\n2\n2\n3\n1\n2\n3\n0\n3\n",
            b"WeightedAdjacencyGraph\n3 3\n0 1 1\n2 0 1\n5 -6 7\n",
            b"WeightedAdjacencyGraph\n2\n2\n0\n2\n1\n1\n1.5\n2e3\n",
        ],
    ),
    "cliques": (line_parsers.parse_cliques, [b" 0 1 2\n\n3\n2 7 7\n# c\n 1 0\n900 901 902 903\n"]),
}
SPICE = [
    b"\n",
    b" ",
    b"-",
    b"+",
    b".",
    b"e",
    b"#",
    b"%",
    b"c",
    b"p",
    b"a",
    b"0",
    b"1",
    b"9",
    b",",
    b"\r",
    b"\x0b",
    b"\0",
]
SPICE += [b"\xff", b"nan", b"inf", b"_", b"99999999999999999999", b"1e999", b"0x1", b"2147483648", b"\x1c"]


def mutate(rng: random.Random, data: bytes) -> bytes:
    """One to four small damages."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(7):
            case 0:
                data = data[:at] + rng.choice(SPICE) + data[at:]
            case 1:
                data = data[:at] + data[at + rng.choice((1, 1, 2, 9)) :]
            case 2:
                data = data[:at] + rng.choice(SPICE) + data[at + 1 :]
            case 3:
                lines = data.split(b"\n")
                lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
                data = b"\n".join(lines)
            case 4:
                lines = data.split(b"\n")
                del lines[rng.randrange(len(lines))]
                data = b"\n".join(lines)
            case 5:
                words = data.split(b" ")
                words[rng.randrange(len(words))] = rng.choice([*words, b"1", b"2", b"3"])
                data = b" ".join(words)
            case _:
                data = data[:at]
    return data
