"""Texts read part by part are those that a parser of the whole text reads."""

from __future__ import annotations

from irgl.analysis.check import check
from irgl.ast.visit import equal, walk
from irgl.frontends.kept import Kept, keeping
from irgl.frontends.text.load import load_text

TEXT = "int one() { return 1; }\nstruct P { int x; };\nint two(P p) { return one() + p.x; }\n"


def test_lines_above_move_what_is_kept() -> None:
    kept = Kept()
    with keeping(kept):
        load_text(TEXT, "a.irgl")
        moved = load_text("\n\n" + TEXT, "a.irgl")
    whole = load_text("\n\n" + TEXT, "a.irgl")
    assert equal(moved, whole)
    assert [(n.span.line, n.span.column) for d in moved.decls for n in walk(d) if n.span] == [
        (n.span.line, n.span.column) for d in whole.decls for n in walk(d) if n.span]
    assert check(moved).functions.keys() == {"one", "two"}


def test_a_part_with_a_mistake_is_left_out_and_noted() -> None:
    kept = Kept()
    with keeping(kept):
        found = load_text(TEXT.replace("return 1;", "return 1 +;"), "a.irgl")
    assert [m.message for m in kept.mistakes] == ["expected a value, found ';'"]
    assert len(found.decls) == 2
