"""A foreach within another one finds what it finds when its iterations go in turn, whether it is run so or not: random
ones, whose outer iterations touch nothing of each other's, beside the same statements in Python."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from support.verifying import arcs

import irgl
from irgl.driver import front
from irgl.interpret import run
from irgl.source import Source

_MAIN = """int total = 0;
main(int argc, char *argv[]) {{
    Graph graph;
    graph.addPointProperty(c, int); graph.addPointProperty(x, int);
    graph.addPointProperty(y, int); graph.addPointProperty(z, int);
    graph.read(argv[1]);
    for (int i = 0; i < graph.npoints; i++) graph.points[i].c = i * 7 % 5;
    foreach (p In graph.points) {{
        int h = 1;
        Collection (graph) near, one;
        one.add(p);
{falcon}
        foreach (q In near) h = (3 * h + q.c) % 64;
        {last}
    }}
}}
"""


@dataclass
class Written:
    """The statements of an inner foreach, as Falcon and as Python have them."""

    rng: random.Random
    falcon: list[str] = field(default_factory=list)
    python: list[str] = field(default_factory=list)

    def add(self, falcon: str, python: str, deep: int) -> None:
        self.falcon.append("    " * (deep + 3) + falcon)
        self.python.append("    " * deep + python)

    def value(self) -> tuple[str, str]:
        one, two = (self.rng.choice((("p.x", "x[p]"), ("p.y", "y[p]"), ("h", "h"), ("t.c", "c[t]"), ("t.c", "c[t]"),
                                     ("3", "3"))) for _ in range(2))
        op = self.rng.choice("+-")
        return f"{one[0]} {op} {two[0]}", f"{one[1]} {op} {two[1]}"

    def test(self) -> tuple[str, str]:
        value, limit = self.value(), self.rng.randrange(-2, 8)
        return f"{value[0]} < {limit}", f"{value[1]} < {limit}"

    def statement(self, deep: int) -> None:
        value = self.value()
        match self.rng.randrange(10):
            case 0:
                self.add(f"h = ({value[0]}) % 64;", f"h = fmod({value[1]}, 64)", deep)
            case 1:
                self.add(f"p.x = ({value[0]}) % 64;", f"x[p] = fmod({value[1]}, 64)", deep)
            case 2:
                self.add(f"MIN(p.y, {value[0]});", f"y[p] = min(y[p], {value[1]})", deep)
            case 3:
                self.add("ADD(p.x, t.c);", "x[p] += c[t]", deep)
            case 4:
                self.add("ADD(total, t.c + 1);", "total += c[t] + 1", deep)
            case 5:
                self.add("near.add(t);", "near.append(t)", deep)
            case 6:
                self.add("RMUL(p.x, 1 - t.c % 2 * 2);", "x[p] *= 1 - c[t] % 2 * 2", deep)
            case 7 | 8:
                test = self.test()
                self.add(f"if ({test[0]}) {{", f"if {test[1]}:", deep)
                self.statement(deep + 1)
                self.add("}", "pass", deep)
            case _:
                word = self.rng.choice(("break", "continue"))
                self.add(f"{word};", word, deep)


def written(seed: int) -> tuple[str, str]:
    """A program, and the function run(rows, c, x, y, z) that does the same."""
    made = Written(random.Random(seed))
    for _ in range(made.rng.choice((1, 1, 2))):
        made.add("foreach (t In p.outnbrs) {", "for t in rows[p]:", 0)
        for _ in range(made.rng.choice((1, 2, 3))):
            made.statement(1)
        made.add("}", "pass", 0)
    lines = [f"        {line}" for line in made.python]
    head = ["def run(rows, c, x, y, z):", "    total = 0", "    for p in range(len(rows)):", "        h, near = 1, []"]
    alone = "single (one) { foreach (q In one) q.z = p.z + h; } else ADD(total, 99);"
    last = made.rng.choice(("p.z = p.z + h;", alone))
    return _MAIN.format(falcon="\n".join(made.falcon), last=last), "\n".join(
        [*head, *lines, "        for q in near: h = fmod(3 * h + c[q], 64)", "        z[p] += h", "    return total"])


def graph() -> tuple[Any, list[list[int]]]:
    rng = np.random.default_rng(4)
    rows = sparse.csr_array(sparse.random_array((12, 12), density=0.3, rng=rng) != 0).astype(int)
    return rows, [rows.indices[rows.indptr[k]:rows.indptr[k + 1]].tolist() for k in range(12)]


def fmod(a: int, b: int) -> int:
    """C's remainder, whose sign is that of a."""
    return abs(a) % b * (1 if a >= 0 else -1)


def differences(seed: int, target: str, folder: Path) -> str:
    """What a program finds otherwise than Python; '' for nothing."""
    text, python = written(seed)
    file = folder / f"p{seed}.fal"
    file.write_text(text, encoding="utf-8")
    matrix, rows = graph()
    found: Any
    if target == "shuffled":
        ends = [(p, t) for p, row in enumerate(rows) for t in row]
        done = run(front(Source(str(file), text)), {"g": arcs(12, ends)}, order=seed)
        found = {**done.properties, **done.scalars}
    else:
        found = irgl.compile(file, target=target)(matrix)
    names: dict[str, Any] = {"fmod": fmod}
    exec(python, names)
    values = [[k * 7 % 5 for k in range(12)], *([0] * 12 for _ in range(3))]
    total = names["run"](rows, *values)
    wrong = [name for name, wanted in zip("cxyz", values, strict=True) if found[name].tolist() != wanted]
    return f"{seed}: {wrong or 'total'}\n{text}" if wrong or found["total"] != total else ""


@pytest.mark.parametrize(("target", "seeds"), [
    ("ref", range(40)), ("shuffled", range(200, 280)),
    ("cpu", range(40, 42)), pytest.param("cpu", range(42, 200), marks=pytest.mark.matrix),
    pytest.param("simt", range(40, 100), marks=pytest.mark.matrix)], ids=["ref", "shuffled", "cpu", "more", "simt"])
def test_an_inner_foreach_finds_what_it_finds_in_turn(target: str, seeds: range, tmp_path: Path) -> None:
    assert [wrong for seed in seeds if (wrong := differences(seed, target, tmp_path))] == []
