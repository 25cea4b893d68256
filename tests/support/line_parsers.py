"""Graph files read the slow and plain way, a line at a time: the oracle of the readers' fuzz, apart from irgl."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

Arc = tuple[int, int, float | int | None]


class Bad(Exception):
    """The bytes are no graph file of the format."""


@dataclass
class Plain:
    """Arcs between file ids; `ids` are all nodes."""

    ids: list[int]
    arcs: list[Arc]
    directed: bool = True
    seen: set[int] = field(default_factory=set)


def numbered(nodes: int) -> list[int]:
    """1..nodes; more than a million are beyond the memory that the fuzz allows."""
    if nodes > 1_000_000:
        raise Bad("memory")
    return list(range(1, nodes + 1))


def lines_of(data: bytes) -> list[bytes]:
    if b"\0" in data:
        raise Bad("NUL")
    return data.split(b"\n")


def whole(token: bytes, low: int = -(2**63) + 1, high: int = 2**63 - 1) -> int:
    body = token[1:] if token[:1] in (b"+", b"-") else token
    if not body or body.strip(b"0123456789"):
        raise Bad(f"no integer: {token!r}")
    value = int(body) * (-1 if token[:1] == b"-" else 1)
    if not low <= value <= high:
        raise Bad(f"out of range: {value}")
    return value


def real(token: bytes) -> float:
    if token.strip(b"0123456789+-.eE"):
        raise Bad(f"no number: {token!r}")
    try:
        value = float(token)
    except ValueError:
        raise Bad(f"no number: {token!r}") from None
    if not math.isfinite(value):
        raise Bad("not finite")
    return value


def count(token: bytes) -> int:
    if not token.isdigit() or len(token) > 18:
        raise Bad(f"no count: {token!r}")
    return int(token)


def auto(tokens: list[bytes]) -> list[int] | list[float]:
    """All integers, or all reals where one is written as a real."""
    if any(token.strip(b"0123456789+-") for token in tokens):
        return [real(token) for token in tokens]
    return [whole(token) for token in tokens]


def mirrored(arcs: list[Arc]) -> list[Arc]:
    """With each arc as often one way as the other way: as often as it is listed one way at most."""
    times = Counter(arcs)
    out: list[Arc] = []
    for u, v, w in times:
        out += [(u, v, w)] * (times[u, v, w] if u == v else max(times[u, v, w], times.get((v, u, w), 0)))
        if u != v and (v, u, w) not in times:
            out += [(v, u, w)] * times[u, v, w]
    return out


def is_heading(line: bytes) -> bool:
    """Names between commas, or between tabs: letters first, no quotes but around."""
    names = [name.strip() for name in line.split(b"," if b"," in line else b"\t")]
    inner = [n[1:-1] if len(n) > 2 and n[:1] == n[-1:] == b'"' and not n[1:2].isdigit() else
             n if n[:1].isalpha() or n[:1] == b"_" else b"" for n in names]
    return len(names) > 1 and all(n and b'"' not in n and b"\t" not in n for n in inner)


def parse_el(data: bytes) -> Plain:
    lines = [line for line in lines_of(data) if line.strip() and line.strip()[:1] not in (b"#", b"%")]
    rows = [line.replace(b",", b" ").split() for line in lines]
    if lines and is_heading(lines[0]):
        if len(rows) == 1 or len(rows[1]) != lines[0].count(b"," if b"," in lines[0] else b"\t") + 1:
            raise Bad("heading")
        rows = rows[1:]
    rows = [row for row in rows if row]
    if not rows:
        return Plain([], [])
    width = len(rows[0])
    if width not in (2, 3) or any(len(row) != width for row in rows):
        raise Bad("columns")
    weights = auto([row[2] for row in rows]) if width == 3 else [None] * len(rows)
    arcs: list[Arc] = [(whole(r[0], 0), whole(r[1], 0), w) for r, w in zip(rows, weights, strict=True)]
    return Plain(sorted({u for u, _, _ in arcs} | {v for _, v, _ in arcs}), arcs)


def parse_gr(data: bytes) -> Plain:
    lines = [line.split() for line in lines_of(data) if line.strip() and not line.strip().startswith(b"c")]
    if not lines or lines[0][:1] != [b"p"] or lines[0][1:2] not in ([b"sp"], [b"tw"]) or len(lines[0]) != 4:
        raise Bad("problem line")
    nodes, edges = count(lines[0][2]), count(lines[0][3])
    body = lines[1:]
    if len(body) != edges:
        raise Bad("number of lines")
    if lines[0][1] == b"tw":
        if any(len(row) != 2 for row in body):
            raise Bad("columns")
        arcs: list[Arc] = [(whole(u, 1, nodes), whole(v, 1, nodes), None) for u, v in body]
        return Plain(numbered(nodes), mirrored(arcs), False)
    if any(len(row) != 4 or row[0] != b"a" for row in body):
        raise Bad("columns")
    weights = auto([row[3] for row in body])
    ends = [(whole(row[1], 1, nodes), whole(row[2], 1, nodes)) for row in body]
    return Plain(numbered(nodes), [(u, v, w) for (u, v), w in zip(ends, weights, strict=True)])


def parse_mtx(data: bytes) -> Plain:
    lines = lines_of(data)
    head = lines[0].lower().split()
    if len(head) != 5 or head[:3] != [b"%%matrixmarket", b"matrix", b"coordinate"]:
        raise Bad("header")
    kind, symmetry = head[3:]
    if kind not in (b"pattern", b"integer", b"real", b"double"):
        raise Bad("field")
    if symmetry not in (b"general", b"symmetric", b"skew-symmetric") or (kind, symmetry[:4]) == (b"pattern", b"skew"):
        raise Bad("symmetry")
    rest = [line.split() for line in lines[1:]]
    while rest and (not rest[0] or rest[0][0].startswith(b"%")):
        rest.pop(0)
    rest = [row for row in rest if row]
    if not rest or len(rest[0]) != 3:
        raise Bad("size")
    rows, columns, entries = map(count, rest.pop(0))
    if rows != columns or len(rest) != entries:
        raise Bad("size")
    if any(len(row) != (2 if kind == b"pattern" else 3) for row in rest):
        raise Bad("columns")
    read = {b"pattern": lambda _: None, b"integer": whole}.get(kind, real)
    arcs: list[Arc] = [(whole(r[0], 1, rows), whole(r[1], 1, rows), read(r[-1])) for r in rest]
    ids = numbered(rows)
    if symmetry == b"general":
        return Plain(ids, arcs)
    if symmetry == b"symmetric":
        return Plain(ids, mirrored(arcs), False)
    if any(u == v for u, v, _ in arcs):
        raise Bad("diagonal")
    return Plain(ids, [arc for u, v, w in arcs for arc in ((u, v, w), (v, u, -w if w is not None else None))])


def parse_cliques(data: bytes) -> Plain:
    rows = [line.split() for line in lines_of(data) if line.strip()[:1] not in (b"#", b"%")]
    groups = [[whole(token, 0) for token in row] for row in rows]
    pairs = {(u, v) for group in groups for u in group for v in group if u != v}
    return Plain(sorted({i for group in groups for i in group}), [(u, v, None) for u, v in pairs], False)


def parse_adj(data: bytes) -> Plain:
    first, _, rest = data.partition(b"\n")
    weighted = first.strip() == b"WeightedAdjacencyGraph"
    if not weighted and first.strip() != b"AdjacencyGraph":
        raise Bad("word")
    tokens = [token for line in lines_of(rest) for token in line.split()]
    if len(tokens) < 2:
        raise Bad("sizes")
    nodes, edges = count(tokens[0]), count(tokens[1])
    if len(tokens) != 2 + nodes + (2 if weighted else 1) * edges or (edges and not nodes):
        raise Bad("numbers")
    begins = [whole(token, 0) for token in tokens[2 : 2 + nodes]]
    bounds = [*begins, edges]
    if (begins and begins[0] != 0) or any(low > high for low, high in pairwise(bounds)):
        raise Bad("order")
    ends = [whole(token, 0, nodes - 1) for token in tokens[2 + nodes : 2 + nodes + edges]]
    weights = auto(tokens[2 + nodes + edges :]) if weighted else [None] * edges
    tails = [u for u in range(nodes) for _ in range(bounds[u + 1] - bounds[u])]
    return Plain(list(range(nodes)), list(zip(tails, ends, weights, strict=True)))


def parse_metis(data: bytes) -> Plain:
    lines = [line.split() for line in lines_of(data) if not line.strip().startswith(b"%")]
    if data.endswith(b"\n") or not data:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    if not lines or not 2 <= len(lines[0]) <= 4:
        raise Bad("header")
    head = lines.pop(0)
    nodes, edges = count(head[0]), count(head[1])
    code = head[2].rjust(3, b"0") if len(head) > 2 else b"000"
    if len(code) != 3 or code.strip(b"01"):
        raise Bad("format")
    per_node = count(head[3]) if len(head) > 3 else 1
    if per_node > 1000 or len(lines) < nodes or any(lines[nodes:]):
        raise Bad("lines")
    rows = [[whole(token) for token in line] for line in lines[:nodes]]
    lead, step = (per_node if code[1:2] == b"1" else 0), 1 + (code[2:] == b"1")
    if code[:1] == b"1":
        items = sum(map(len, rows))
        fits = [s for a in (2 * edges, edges) for s in (lead, lead + 1) if items == nodes * s + step * a]
        lead = fits[0] if fits else lead + 1
    arcs: list[Arc] = []
    for number, row in enumerate(rows, 1):
        if len(row) < lead or (len(row) - lead) % step:
            raise Bad("items")
        for at in range(lead, len(row), step):
            if not 1 <= row[at] <= nodes:
                raise Bad("range")
            arcs.append((number, row[at], row[at + 1] if step == 2 else None))
    ids = numbered(nodes)
    loops = sum(u == v for u, v, _ in arcs)
    if len(arcs) not in (2 * edges, 2 * edges - loops):
        if len(arcs) == edges:
            return Plain(ids, arcs)
        raise Bad("edges")
    times = Counter(arcs)
    if any(times[v, u, w] != k for (u, v, w), k in times.items()):
        raise Bad("symmetry")
    if loops and len(arcs) == 2 * edges:
        own = Counter(u for u, v, _ in arcs if u == v)
        if all(k % 2 == 0 for k in own.values()):
            kept: list[Arc] = []
            turn: Counter[int] = Counter()
            for u, v, w in arcs:
                turn[u] += u == v
                if u != v or turn[u] % 2 == 1:
                    kept.append((u, v, w))
            arcs = kept
    return Plain(ids, arcs, False)
