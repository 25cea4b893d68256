"""Sections of a Program, which may run at once: whether they have to do with each other, and which of them can."""

from __future__ import annotations

from collections.abc import Callable

from irgl.analysis.effects.beside import MOST, Group, why_alone
from irgl.analysis.effects.touched import Touched
from irgl.analysis.names.symbols import Checked, fail
from irgl.ast import nodes as A
from irgl.ast.visit import line_of, walk


def check_sections(checked: Checked) -> None:
    """Raises IrglError at a section that touches what another one changes, or the other way round."""
    found = _sections(checked)
    if not found:
        return
    touched = Touched(checked)
    for s in found:
        for k, part in enumerate(s.body):
            for one in _statements(part):
                for before in s.body[:k]:
                    _refuse_shared(touched, one, before, touched.own_names(before) | touched.own_names(part))


def _refuse_shared(touched: Touched, one: A.Stmt, before: A.Stmt, own: set[str]) -> None:
    """own: the lists and objects that one of the two sections has to itself."""
    for other in _statements(before):
        shared = touched.shared(other, one, own)
        if shared is not None:
            fail(f"this section and the one with line {line_of(other)} have {shared} in common, which one of them "
                 "changes", one, "sections may run at once: put one of them behind the others")


def in_turn(checked: Checked, more: Callable[[A.Stmt], str | None] = lambda _: None) -> dict[A.Sections, str | None]:
    """The Sections of a program, whatever passes have made of it: why one part runs behind the other; None: at once.

    more: why the target runs a statement beside no other; None: it does.
    """
    found = _sections(checked)
    if not found:
        return {}
    touched = Touched(checked, more)
    return {s: _why_in_turn(touched, s) for s in found}


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
        line = line_of(part)
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
