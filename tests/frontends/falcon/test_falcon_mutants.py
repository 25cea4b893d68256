"""Whatever a .fal file holds: a checked program that prints as itself, or an error with a place in the file, and never
another exception, and soon.

400 broken programs in CI, 4,000 in `make matrix`.
"""

from __future__ import annotations

import random
import re
import time

import pytest
from support.complaints import complaint, complaints, inside
from support.falcon import PRINTED
from support.mutate import mutant
from support.places import PROGRAMS

from irgl.ast.dump import dump
from irgl.ast.visit import difference
from irgl.driver import front
from irgl.frontends.text.load import load_text
from irgl.source import Source

TEXTS = [*PRINTED.values(), *(p.read_text() for p in sorted((PROGRAMS / "falcon").glob("*.fal"))), """
// irgl: verify v(a = mark, b = total)
// irgl: tolerance 1e-5
<GPU> int total = 0; float low = 1.5;
bool odd(int x) { return x % 2 == 1 && !(x < 0 || x > ~3) ? true : false; }
void visit(Point <GPU> p, Graph g, int limit) {
    limit -= 1;
    single (p.up) { p.up.mark = p.up.mark + 1; } else ADD(total, 1);
    foreach (q In p.nbrs) { if (odd(q.other)) continue; MAX(q.best, (float)limit); }
}
int main(int argc, char *argv[]) {
    Graph graph;
    graph.addPointProperty(mark, int); graph.addPointProperty(other, int);
    graph.addPointProperty(up, Point); graph.addPointProperty(best, float);
    graph.addEdgeProperty(cut, bool);
    graph.read(argv[1]);
    foreach (e In graph.edges) { e.cut = e.src == e.dst; if (e.weight > atoi(argv[2])) total = 7; }
    for (int i = 0; i < graph.npoints; i++) { do { graph.points[i].up = graph.points[0]; } while (0); }
    foreach (p In graph.points) (p.best < low * -2.5e1f) visit(p, graph, atoi(argv[2]));
    return 0;
}
""", """
long product = 1; long sum = 0; int joins = 0; bool late = false;
int count(Set s, Point a, Point b) { return s.unite(a, b) ? 1 : 0; }
void look(Point p, Collection found, Graph g) {
    Collection (g) near;
    near.add(p);
    foreach (q In p.outnbrs) { near.add(q); RMUL(q.x, 3); }
    single (near) { foreach (q In near) q.seen = q.seen + near.size; p.seen = p.seen - 1; } else late = true;
    if (p.kept) found.add(p);
}
int main(int argc, char *argv[]) {
    Graph graph;
    graph.addPointProperty(seen, int); graph.addPointProperty(x, long);
    graph.addPointProperty(kept, bool); graph.addPointProperty(chief, Point);
    graph.read(argv[1]);
    Set (graph) sets;
    Collection (graph) found, other;
    parallel sections {
        section { foreach (e In graph.edges) (!sets.same(e.src, e.dst)) sets.unite(e.src, e.dst); }
        section { foreach (p In graph.points) look(p, found, graph); found.clear(); }
    }
    count(sets, graph.points[0], graph.points[1]);
    foreach (p In sets) p.chief = sets.find(p);
    while (other.size > 0) { foreach (q In other) RADD(sum, q.x); other.clear(); }
    foreach (p In graph.points) { RMUL(product, 2); ADD(joins, sets.same(p, p.chief)); }
    return 0;
}
"""]
BATCH = 100


_WORD = re.compile(r"\b\w+\b|[<>=!+*/-]=?|&&")


def misnamed(seed: int) -> str:
    """A program in which up to three words, numbers or operators are others, of any of the programs."""
    rng = random.Random(seed)
    text = rng.choice(TEXTS)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at, other = rng.choice([*_WORD.finditer(text)]), rng.choice(_WORD.findall(rng.choice(TEXTS)))
        text = text[: at.start()] + other + text[at.end() :]
    return text


def reads(text: str) -> bool:
    checked = front(Source("m.fal", text))
    return difference(checked.program, load_text(dump(checked.program))) is None


def complaint_of(text: str) -> str | None:
    started = time.process_time()
    found = complaint(lambda: reads(text), lambda e: "the file is empty" not in e.message and not inside(e.span, text))
    return "it takes seconds" if found is None and time.process_time() - started > 2 else found


@pytest.mark.parametrize("text", TEXTS)
def test_the_programs_themselves_are_read(text: str) -> None:
    assert reads(text)


@pytest.mark.parametrize("batch", [*range(2), *(pytest.param(k, marks=pytest.mark.matrix) for k in range(2, 20))])
def test_a_broken_program_is_read_or_refused_with_a_place(batch: int) -> None:
    assert complaints(complaint_of, lambda k: mutant(TEXTS, k), range(batch * BATCH, (batch + 1) * BATCH)) == []


@pytest.mark.parametrize("batch", [*range(2), *(pytest.param(k, marks=pytest.mark.matrix) for k in range(2, 20))])
def test_a_program_with_other_words_is_read_or_refused_with_a_place(batch: int) -> None:
    assert complaints(complaint_of, misnamed, range(batch * BATCH, (batch + 1) * BATCH)) == []


def test_a_program_that_ends_anywhere_is_refused_with_a_place() -> None:
    text = TEXTS[-1]
    assert [found for k in range(0, len(text), 17) if (found := complaint_of(text[:k])) is not None] == []


def test_a_character_anywhere_is_read_or_refused_with_a_place() -> None:
    rng, text = random.Random(1), TEXTS[-1]
    for sign in "\0\x1a\x7f\xa0\xe9\u2028\ufeff\U0001f600":
        at = rng.randrange(len(text))
        assert complaint_of(text[:at] + sign + text[at:]) is None, repr(sign)


@pytest.mark.parametrize("shape", ["(", "((((1", "{", "!", "-", "a(", "a[", "1 + (", "a.b(", "(int)"])
def test_a_million_signs_are_refused_where_they_are_too_many(shape: str) -> None:
    assert complaint_of("main() { x = " + shape * (1_000_000 // len(shape))) is None
