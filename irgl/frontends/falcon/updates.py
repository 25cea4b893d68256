"""What statements of a .fal file declare and store, by = and by MIN, MAX and ADD."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.falcon import tree as F
from irgl.frontends.falcon.unit import NUMBERS, OWN, TYPES, UPDATES, Thing, Unit, named
from irgl.frontends.falcon.values import READ, Values, argument, unites
from irgl.frontends.free_names import LocalNames
from irgl.source import IrglError, Span

_RESERVED = ("MAX_INT", *UPDATES)


class Updates(Values):
    """Lowers declarations and stores into `out`."""

    def __init__(self, unit: Unit, names: LocalNames, scopes: list[dict[str, Thing]], host: bool) -> None:
        super().__init__(unit, names, scopes, host)
        self.out: list[A.Stmt] = []

    def declare(self, word: str, thing: Thing, span: Span) -> None:
        refuse_reserved(word, span)
        if word in self.scopes[-1]:
            raise IrglError(f"'{word}' is declared twice", span, "choose another name")
        self.scopes[-1][word] = thing

    def new(self, word: str, kind: str, init: A.Expr | None, span: Span) -> None:
        """Declares a variable."""
        name = self.names.fresh(word)
        self.declare(word, Thing(kind, "main" if self.host else "kernel", name, named(name)), span)
        t = OWN if kind == "Collection" and not self.host else TYPES[kind]
        self.out.append(A.VarDecl(t, name, init, span=span))

    def many(self, v: F.Var) -> None:
        """Declares a Set, or a Collection, which may be an iteration's own, too."""
        if v.init is not None:
            raise IrglError(f"a {v.kind} has no first value", v.init.span, "leave it out, and unite or add")
        if v.kind == "Set" and not self.host:
            raise IrglError("a Set is declared in a foreach", v.span, "declare it in main: iterations share it")
        if v.kind == "Set" and not self.unit.read:
            raise IrglError(f"'{v.name}' has no Points yet", v.span, READ)
        self.new(v.name, v.kind, None, v.span)
        if v.kind == "Set":
            size = A.Member(A.Name("g", span=v.span), "num_nodes", span=v.span)
            made = A.MethodCall(self.scopes[-1][v.name].make(v.span), "resize", (size,), span=v.span)
            self.out.append(A.ExprStmt(made, span=v.span))

    def _place(self, place: F.Expr) -> tuple[A.Expr, str]:
        """What can be stored to, and its kind."""
        span = place.span
        if isinstance(place, F.Name):
            thing = self.lookup(place.id, span)
            if thing.where not in ("global", "main", "kernel") or thing.kind in ("Set", "Collection"):
                raise IrglError(f"'{place.id}' can't be stored to", span, "store to a property, or to a variable")
            if thing.where == "main" and not self.host:
                raise IrglError(f"'{place.id}' is a variable of main's, which a foreach can't store to", span,
                                "declare it outside of functions: iterations share globals")
            return thing.make(span), thing.kind
        if not isinstance(place, F.Member):
            raise IrglError("nothing can be stored here", span, "a place is a variable, or a property of a Point")
        found = self.value(place)
        fixed = place.name in ("src", "dst", "weight") and self.value(place.object).kind == "Edge"
        if fixed or not isinstance(found.expr, A.Member):
            raise IrglError(f"'{place.name}' can't be stored to", span, "it is as the graph's file has it")
        if unites(found.expr):
            raise IrglError("a store may look at its place several times", span,
                            "store first what unite says: bool joined = set.unite(p, q);")
        return found.expr, found.kind

    def store(self, place: F.Expr, op: str, value: F.Expr, span: Span) -> None:
        target, kind = self._place(place)
        new = self.of_kind(value, kind)
        if op:
            new = A.Binary(op, self.number(place), new, span=span)
        self.out.append(A.Assign(target, new, "plain", span=span))

    def update(self, word: str, args: tuple[F.Expr, ...], span: Span) -> None:
        """MIN(place, value[, flag]): the flag becomes 1 where the place then has another value."""
        reduces = word.startswith("R")
        if len(args) not in ((2,) if reduces else (2, 3)):
            wanted = "a place and a value" if reduces else "a place, a value and perhaps a flag"
            raise IrglError(f"{word} takes {wanted}, not {len(args)} arguments", span,
                            f"write {word}(t.x, value{'' if reduces else ', changed'});")
        target, kind = self._place(args[0])
        if kind not in (*NUMBERS, "number"):
            raise IrglError(f"{word} wants a number's place", args[0].span, "store a Point under single")
        if word == "RMUL" and self.host:
            self.store(args[0], "*", args[1], span)
            return
        update = A.Reduce(UPDATES[word], target, self.number(args[1]), span=span)
        if len(args) == 2:
            self.out.append(A.ExprStmt(update, span=span))
            return
        flag, flags_kind = self._place(args[2])
        if flags_kind not in (*NUMBERS, "number"):
            raise IrglError("a flag is a number", args[2].span, "declare it outside of functions: int changed = 0;")
        one = A.BoolLit(True, span=span) if flags_kind == "bool" else A.IntLit(1, T.INT, span=span)
        self.out.append(A.If(update, (A.Assign(flag, one, "plain", span=args[2].span),), (), span=span))

    def read(self, args: tuple[F.Expr, ...], span: Span) -> None:
        k = argument(args[0] if len(args) == 1 else None)
        if k is None or not isinstance(args[0], F.Index):
            raise IrglError("read wants one of argv", span, "write graph.read(argv[1]);")
        self.of_argv(args[0])
        if self.unit.read or k in self.unit.arguments:
            what = "a second graph is not supported" if self.unit.read else f"argv[{k}] is a number, too"
            raise IrglError(what, span, "a program reads one graph, once")
        self.unit.read, self.unit.read_at = k, span


def refuse_reserved(word: str, span: Span) -> None:
    if word in _RESERVED:
        raise IrglError(f"'{word}' is Falcon's own", span, "choose another name")
