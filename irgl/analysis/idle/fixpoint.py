"""Do all orders in which the iterations of some rounds may run end in the same? So it is at a least fixpoint.

    ForAll (n In WL.items) {                    an iteration asks of what changes only values of its own node,
        int there = n.p + e.w;                  what it offers gets no worse when these have gone on, and
        if (there >= n.p &&                     what it does is to lower, raise or join values, each one way alone:
            (e.dst.p min= there)) {             who is moved runs again
            WL.push(e.dst);
        }

Whatever such iterations offer is then offered by the last run of each node, or something better is; and which nodes
run hangs on whose values are others in the end. So it doesn't matter when each of them runs, as long as the last run
comes behind the last change. Instead of being moved a value may be set, to the one that all set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from irgl.analysis.idle.again import is_overtaken, only_update, update_of
from irgl.analysis.idle.notes import Note, note_of, reads_earlier
from irgl.analysis.idle.one_way import FALLS, STEADY, WAY_OF, OneWay, keeps_order
from irgl.analysis.idle.told import Told
from irgl.analysis.idle.wraps import why_wraps
from irgl.analysis.loops.edge_bodies import accesses, conjuncts
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import equal, walk

_KINDS = ("node", "edge", "scalar")
_MORE = "it does more than to lower, raise or join values, and to push the nodes whose values it has moved"
_MORE_BEHIND = "it does more behind an update than to push the node that this has moved, or not each time"


@dataclass(frozen=True, slots=True)
class Fixpoint:
    """again: the statements that say that a node runs again, with that node. notes: those that note what they offer, as
    nobody else may at the same time."""

    again: dict[A.Stmt, A.Expr]
    notes: dict[A.Stmt, Note]


def fixpoint_of(checked: Checked, loop: A.ForAll, told: Told, varying: Collection[str]) -> Fixpoint | str:
    """What in a loop says who runs again, or why its rounds may end in something else where they don't wait for each
    other.

    told: how it says so. varying: the kernel's parameters that aren't given the same in each round.
    """
    found = _Fixpoint(checked, loop, told, varying)
    reason = found.stmts(loop.body, ()) or found.why_incomplete()
    return Fixpoint(found.again, found.notes) if reason is None else reason


class _Fixpoint:
    """done: the locations whose changes are understood. pushed: of each property that is moved, whether the nodes run
    again whose value that is."""

    def __init__(self, checked: Checked, loop: A.ForAll, told: Told, varying: Collection[str]) -> None:
        self.checked, self.loop, self.told = checked, loop, told
        self.writes = [a for a in accesses(checked, loop.body) if a.kind != "load"]
        self.ops = {u.target: u.op for u in walk(loop) if isinstance(u, A.Reduce)}
        self.ways = {key[1:]: self._way(key[1:]) for key in {a.key for a in self.writes}}
        self.values = OneWay(checked, loop, self.ways, varying)
        self.done: set[A.Expr] = set()
        self.pushed: dict[tuple[str, str], set[bool]] = {}
        self.again: dict[A.Stmt, A.Expr] = {}
        self.notes: dict[A.Stmt, Note] = {}
        self.depth = 0  # of inner loops

    def _way(self, key: tuple[str, str]) -> str:
        ops = {self.ops.get(a.expr, "") for a in self.writes if a.key[1:] == key}
        return WAY_OF.get(ops.pop(), "") if len(ops) == 1 else ""

    def stmts(self, stmts: Iterable[A.Stmt], holds: tuple[A.Expr, ...]) -> str | None:
        """Why statements stand in the way; holds: the conditions under which they run."""
        return next((reason for s in stmts if (reason := self.stmt(s, holds)) is not None), None)

    def stmt(self, s: A.Stmt, holds: tuple[A.Expr, ...]) -> str | None:
        match s:
            case A.VarDecl(init=init) if init is not None and not self.checked.symbols[s].assigned:
                found = self.values.move(init)
                return found if isinstance(found, str) else None
            case A.VarDecl():
                return f"'{s.name}' is computed step by step"
            case A.Block():
                return self.stmts(s.body, holds)
            case A.Labeled():
                return self.stmt(s.body, holds)
            case A.For() | A.ForAll():
                if self.values.is_steady(s.iterator):
                    self.depth += 1
                    inside = self.stmts(s.body, holds)
                    self.depth -= 1
                    return inside
                return "it runs over what may be other items when its node's values have gone on"
            case A.If():
                return self._if(s, holds)
            case A.ExprStmt(value=A.Reduce() as update):
                return self._update(update, holds, None)
            case A.Assign():
                return self._set(s, None)
            case A.ReduceAndReturn() if (told := self.told.update(s)) is not None:
                return self._update(told, holds, s)
            case A.Continue() | A.Break():
                return "it leaves off where a condition holds: put what follows under the opposite one"
            case _:
                return self.told.why_apart(s) or _MORE

    def _if(self, s: A.If, holds: tuple[A.Expr, ...]) -> str | None:
        tests = [*conjuncts(s.test)]
        update = update_of(tests[-1])
        if update is not None:
            told, why = self._only_told(s, s.body, update.target)
            before = tests[:-1]
            return why or self._hold(before, update) or self._update(update, (*holds, *before), told)
        note = note_of(self.values, s, tests[-1]) if self.depth == 0 else None
        if note is not None:
            return self._hold(tests[:-1], None) or self._noted(s, note, (*holds, *tests))
        claim, told_of = self._claim(s, tests)
        if claim is not None:
            return self._hold([t for t in tests if t not in told_of], None) or self._claimed(s, claim)
        alone = only_update(s.body) if not s.orelse else None
        steady = all(map(self.values.is_steady, tests))
        if s.orelse and not steady:
            return "it does something where a condition doesn't hold that may hold when its node's values have gone on"
        return (self._hold(tests, alone) or self.stmts(s.body, (*holds, *tests))
                or self.stmts(s.orelse, holds))

    def _hold(self, tests: Sequence[A.Expr], update: A.Reduce | None) -> str | None:
        """Why one of some conditions, under which that update stands, may not hold later and matter."""
        for t in tests:
            overtaken = update is not None and is_overtaken(self.checked, t, update)
            why = None if overtaken else self.values.why_ends(t)
            if why is not None:
                return why
        return None

    def _update(self, update: A.Reduce, holds: tuple[A.Expr, ...], told: A.Stmt | None) -> str | None:
        """told: what says that the node runs again whose value it moves, if anything does."""
        if update.op not in WAY_OF:
            return f"how often {update.op}= changes something hangs on how often a node runs"
        key = self._key(update.target)
        if key is None or not T.is_scalar(self.checked.types[update.target]):
            return "it updates what is no single number of a node, an edge or the program"
        if not self.ways[key]:
            return f"'{key[1]}' is changed in two ways"
        found = self.values.move(update.value)
        if isinstance(found, str):
            return found
        if found.way not in (STEADY, self.ways[key]):
            way = "less" if self.ways[key] == FALLS else "more"
            return f"'{key[1]}' is to become {way}, and is offered ever less of that as its node's values go on"
        types = [self.checked.types[e] for e in (update.value, update.target)]
        same = T.bare(types[0]) == T.bare(types[1])
        if found.way != STEADY and not same and (update.op in "|&" or not keeps_order(*types)):
            return f"'{key[1]}' has another type than what it is offered, in which that may be another number"
        return why_wraps(self.values, found, update.value, holds) or self._moved(update.target, key, told)

    def _moved(self, target: A.Expr, key: tuple[str, str], told: A.Stmt | None) -> str | None:
        if isinstance(target, A.Member) and not self.values.is_steady(target.object):
            return f"whose '{key[1]}' it changes hangs on what changes"
        self.done.add(target)
        self.pushed.setdefault(key, set()).add(told is not None)
        if told is not None and isinstance(target, A.Member):
            self.again[told] = target.object
        return None

    def _key(self, target: A.Expr) -> tuple[str, str] | None:
        return next((a.key[1:] for a in self.writes if a.expr is target and a.key[1] in _KINDS), None)

    def _noted(self, s: A.If, note: Note, holds: tuple[A.Expr, ...]) -> str | None:
        self.notes[s] = note
        self.done.add(note.store.target)
        if reads_earlier(self.values, note, s.body[1:]):
            return f"it notes which '{note.of}' of its node it has offered, and offers by one that it read before"
        before, self.values.inputs = self.values.inputs, {}
        reason = self.stmts(s.body[1:], holds)
        more = next((name for name in self.values.inputs if name != note.of), None)
        self.values.inputs = {**before, note.of: None, **self.values.inputs}
        if more is not None:
            return f"it notes which '{note.of}' of its node it has offered, and depends on '{more}', too"
        return reason

    def _only_told(self, s: A.If, stmts: Sequence[A.Stmt], target: A.Expr) -> tuple[A.Stmt | None, str | None]:
        """The one statement that says that a node runs again whose value was changed, or why there is more."""
        if s.orelse:
            return None, "it does something where an update did nothing"
        if not stmts:
            return None, None
        told = stmts[0].body if isinstance(stmts[0], A.Labeled) else stmts[0]
        node = self.told.node(told)
        if len(stmts) > 1 or node is None:
            return None, _MORE_BEHIND
        if not isinstance(target, A.Member) or not isinstance(self.checked.types[target.object], T.NodeT) or (
                isinstance(node, A.Expr) and not equal(node, target.object)):
            return None, "it pushes another node than the one whose value it has moved"
        return told, None

    def _claim(self, s: A.If, tests: Sequence[A.Expr]) -> tuple[A.Assign | A.Call | None, list[A.Expr]]:
        """What sets a value that was another, if the condition asks for that; and the parts of it that do."""
        if s.orelse:
            return None, []
        if isinstance(tests[-1], A.Call) and tests[-1].function == "cas":
            return tests[-1], [tests[-1]]
        first = s.body[0] if s.body else None
        if not isinstance(first, A.Assign) or not isinstance(first.target, A.Member):
            return None, []
        asked = [t for t in tests if self._asks(t, first)]
        return (first, asked) if asked else (None, [])

    def _asks(self, test: A.Expr, claim: A.Assign) -> bool:
        """Does a condition ask whether a value has to be set? `x.p == C`, `x.p != V` where V is set."""
        def is_target(e: A.Expr) -> bool:
            return equal(e.location if isinstance(e, A.Relaxed) else e, claim.target)

        match test:
            case A.Binary(op="==" | "!="):
                for one, other in ((test.left, test.right), (test.right, test.left)):
                    if is_target(one) and self._is_one(other) and (test.op == "==" or equal(other, claim.value)):
                        return True
                return False
            case A.Unary(op="!"):
                return is_target(test.operand) and isinstance(claim.value, A.BoolLit) and claim.value.value
            case _:
                return is_target(test) and isinstance(claim.value, A.BoolLit) and not claim.value.value

    def _claimed(self, s: A.If, claim: A.Assign | A.Call) -> str | None:
        target = claim.target if isinstance(claim, A.Assign) else claim.args[0]
        told, why = self._only_told(s, s.body[1:] if isinstance(claim, A.Assign) else s.body, target)
        return why or self._set(claim, told)

    def _set(self, claim: A.Assign | A.Call, told: A.Stmt | None) -> str | None:
        """Why it matters when a value is set."""
        target = claim.target if isinstance(claim, A.Assign) else claim.args[0]
        value = claim.value if isinstance(claim, A.Assign) else claim.args[2]
        key = self._key(target)
        if key is None:
            return "it stores what is no number of a node, an edge or the program"
        if isinstance(claim, A.Assign) and claim.access == "plain":
            return f"it stores '{key[1]}', which another run of the node might do meanwhile"
        if isinstance(claim, A.Call) and not self._is_one(claim.args[1]):
            return f"what '{key[1]}' has to be before it is set may be another for each node"
        others = [n for n in walk(self.loop) if isinstance(n, A.Assign | A.Call) and self._sets(n, key)]
        if not self._is_one(value) or not all(equal(self._value(n), value) for n in others):
            return f"'{key[1]}' may be set to several values, of which the order decides"
        if any(self.ops.get(a.expr) for a in self.writes if a.key[1:] == key):
            return f"'{key[1]}' is changed in two ways"
        return self._moved(target, key, told)

    def _sets(self, n: A.Assign | A.Call, key: tuple[str, str]) -> bool:
        if isinstance(n, A.Call) and n.function != "cas":
            return False
        return self._key(n.target if isinstance(n, A.Assign) else n.args[0]) == key

    def _value(self, n: A.Assign | A.Call) -> A.Expr:
        return n.value if isinstance(n, A.Assign) else n.args[2]

    def _is_one(self, e: A.Expr) -> bool:
        """Is it the same number for all iterations?"""
        if literal_value(e) is not None or isinstance(e, A.BoolLit | A.FloatLit):
            return True
        symbol = self.checked.symbols.get(e) if isinstance(e, A.Name) else None
        shared = symbol.kind in ("param", "global") if symbol is not None else isinstance(e, A.Name)
        return shared and self.values.is_steady(e)

    def why_incomplete(self) -> str | None:
        """Why all of that isn't enough: something is changed otherwise, or nobody runs again who should."""
        for a in self.writes:
            if a.expr not in self.done:
                return f"'{a.key[2]}' is changed where nobody can see what comes of it"
        mixed = next((key for key, ways in self.pushed.items() if len(ways) > 1), None)
        if mixed is not None:
            return f"a node runs again where '{mixed[1]}' is changed at one place, and not at another"
        for name in self.values.inputs:
            if self.pushed.get(("node", name)) == {False}:
                return f"a node doesn't run again when its '{name}' has changed, on which it depends"
        return self.told.why_left(self.loop, self.again)
