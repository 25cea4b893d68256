"""Whether a statement inside a loop can come to the top of it, under a guard."""

from __future__ import annotations

from irgl.ast import nodes as A


def can_guard(operator: A.ForAll, loop: A.Stmt) -> bool:
    """Does only plain control flow stand between the statement and its operator?"""

    def below(stmts: tuple[A.Stmt, ...]) -> bool:
        for s in stmts:
            match s:
                case A.If():
                    if below(s.body) or below(s.orelse):
                        return True
                case A.Block():
                    if below(s.body):
                        return True
                case A.Labeled():
                    if s.body is loop or below((s.body,)):
                        return True
                case _:
                    if s is loop:
                        return True
        return False

    return below(operator.body)
