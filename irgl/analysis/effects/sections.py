"""Sections of a Program, which may run at once: whether they have to do with each other, and which of them can."""

from __future__ import annotations

from collections.abc import Callable

from irgl.analysis.effects.beside import MOST, Group, why_alone
from irgl.analysis.effects.touched import Touched
from irgl.analysis.names.symbols import Checked, fail
from irgl.ast import nodes as A
from irgl.ast.visit import walk


def check_sections(checked: Checked) -> None:
    """Raises IrglError at a section that touches what another one changes, or the other way round."""
    touched = Touched(checked, lambda _: None)
    for s in _sections(checked):
        own = [touched.own_names(part) for part in s.body]
        for k, part in enumerate(s.body):
            for one, j in ((b, i) for b in _statements(part) for i in range(k)):
                pairs = ((a, touched.shared(a, one, own[j] | own[k])) for a in _statements(s.body[j]))
                other, shared = next(((a, what) for a, what in pairs if what is not None), (one, None))
                if shared is not None:
                    there = f"the one with line {other.span.line if other.span is not None else 0}"
                    fail(f"this section and {there} have {shared} in common, which one of them changes", one,
                         "sections may run at once: put one of them behind the others")


def in_turn(checked: Checked, more: Callable[[A.Stmt], str | None] = lambda _: None) -> dict[A.Sections, str | None]:
    """The Sections of a program, whatever passes have made of it: why one part runs behind the other; None: at once.

    more: why the target runs a statement beside no other; None: it does.
    """
    touched = Touched(checked, more)
    return {s: _why_in_turn(touched, s) for s in _sections(checked)}


def apart(checked: Checked, more: Callable[[A.Stmt], str | None] = lambda _: None) -> dict[A.Sections, Group]:
    """Those whose parts run at once."""
    return {s: Group([[part] for part in s.body], [[] for _ in s.body])
            for s, reason in in_turn(checked, more).items() if reason is None}


def _why_in_turn(touched: Touched, s: A.Sections) -> str | None:
    if len(s.body) < 2:
        return "there are no two"
    if len(s.body) > MOST:
        return f"they are more than {MOST}"
    for k, part in enumerate(s.body):
        line = part.span.line if part.span is not None else 0
        reason = why_alone(touched, part, (part,))
        if reason is not None:
            return f"of the one of line {line}: {reason}"
        for other in s.body[:k]:
            shared = touched.shared(other, part)
            if shared is not None:  # what a pass has given to both
                return f"the one of line {line} and another one have {shared} in common"
    return None


def _sections(checked: Checked) -> list[A.Sections]:
    return [n for n in walk(checked.entry) if isinstance(n, A.Sections)] if checked.entry is not None else []


def _statements(part: A.Stmt) -> tuple[A.Stmt, ...]:
    return part.body if isinstance(part, A.Block) else (part,)
