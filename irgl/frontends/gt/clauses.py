"""What comments say to irgl: `% irgl: verify NAME(role = value, ...)` and `% irgl: tolerance X`."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.frontends.descent import Part
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.expressions import Expressions
from irgl.source import IrglError, Source

_USAGE = "write % irgl: verify NAME(role = value, ...), in one line"


def clauses(source: Source, parts: Iterable[Part]) -> tuple[G.Clause, ...]:
    """What stands behind `% irgl:` in the comments of a file. Raises IrglError at what is no clause, and for a second
    one of a kind."""
    found: list[G.Clause] = []
    for part in parts:
        made = _Clauses(source, part).clause()
        first = next((c for c in found if type(c) is type(made)), None)
        if first is not None:
            word = "verify" if isinstance(made, G.Verify) else "tolerance"
            raise IrglError(f"a second {word}", made.span, f"the first is in line {first.span.line}")
        found.append(made)
    return tuple(found)


class _Clauses(Expressions):
    """One rule of the grammar a method; it reads the rest of a comment."""

    def clause(self) -> G.Clause:
        """"verify" ID "(" {ID "=" expr ","} ")" | "tolerance" number"""
        word = self.peek()
        if word.kind == "end":
            raise IrglError("a clause is missing behind 'irgl:'", word.span, _USAGE)
        if word.text == "verify":
            self.take()
            made: G.Clause = self._verify()
        elif word.text == "tolerance":
            self.take()
            number = self.peek()
            if number.kind != "number":
                self.fail("a number is missing behind 'tolerance'", "write % irgl: tolerance 1e-6")
            self.take()
            made = G.Tolerance(number.text, span=word.span.to(number.span))
        else:
            self.fail(f"a clause is wanted here, not {self.shown(word)}", "clauses: verify, tolerance")
        if self.peek().kind != "end":
            self.fail(f"{self.shown(self.peek())} stands behind the end of the clause",
                      "a clause has a line of its own")
        return made

    def _verify(self) -> G.Verify:
        begin = self.last
        name = self.name("a verifier")
        self.want("(", f"behind '{name.text}'", _USAGE)
        roles: list[G.Role] = []
        while not self.at(")"):
            role = self.peek()
            if role.kind not in ("id", "word"):
                self.fail("the name of a role is missing", _USAGE)
            self.take()
            self.want("=", f"behind the role '{role.text}'", _USAGE)
            value = self.expr()
            roles.append(G.Role(role.text, value, span=role.span.to(value.span)))
            if not self.taken(","):
                break
        self.want(")", "behind the roles", _USAGE)
        return G.Verify(name.text, tuple(roles), span=begin.to(self.last))
