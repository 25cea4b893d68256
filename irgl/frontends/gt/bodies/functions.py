"""Calls of the program's own functions: in the place of the call, as an expression, or of a helper."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.calls import Calls
from irgl.frontends.gt.bodies.unit import Thing, Unit, name
from irgl.frontends.gt.bodies.values import Value, fail

_BY_CHANCE = ("getRandomOutNgh", "getRandomInNgh")


class Functions(Calls):
    """What calls of functions become. Statements come into `out`; loops: how many are around in the function itself."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.out: list[A.Stmt] = []
        self.loops = 0

    def stmt(self, s: G.Stmt) -> None:
        raise NotImplementedError

    def helper_named(self, func: G.Func) -> str:
        """irgl's name of a function that expressions call."""
        raise NotImplementedError

    def logic(self, e: G.Binary, op: str) -> A.Expr:
        """Statements that the right operand takes run only where it is asked for."""
        left, before = self.truth(e.left), len(self.out)
        right, span = self.truth(e.right), e.span
        if len(self.out) == before:
            return A.Binary(op, left, right, span=span)
        more, word = tuple(self.out[before:]), self.names.fresh("both" if op == "&&" else "either")
        test: A.Expr = name(word, span) if op == "&&" else A.Unary("!", name(word, span), span=span)
        then = (*more, A.Assign(name(word, span), right, "plain", span=span))
        self.out[before:] = [A.VarDecl(T.BOOL, word, left, span=span), A.If(test, then, (), span=span)]
        return name(word, span)

    def operands(self, e: G.Binary) -> tuple[Value, Value]:
        """The left one is computed before the statements that the right one takes."""
        left, before = self.value(e.left), len(self.out)
        right = self.value(e.right)
        if len(self.out) == before or left.node or isinstance(left.expr, A.IntLit | A.FloatLit | A.BoolLit) or (
                left.kind in (K.STRING, K.VOID)):
            return left, right
        word, kind = self.names.fresh("left"), T.LONG if left.kind == K.SIZE else K.irgl(left.kind)
        self.out.insert(before, A.VarDecl(kind, word, left.expr, span=e.span))
        return Value(name(word, e.span), left.kind), right

    def arguments_of(self, func: G.Func, e: G.Call | G.Bound) -> dict[str, Thing]:
        """What the parameters of a function stand for where it is called. Raises IrglError for another number of
        arguments, and for a functor that is bound to nothing, or to too much."""
        bound = e.bound or ()
        refuse_bound(func, bound if e.bound is not None else None, e)
        args = e.args if isinstance(e, G.Call) else ()
        if len(args) != len(func.params):
            fail(f"'{func.name}' takes {len(func.params)} argument{'s' * (len(func.params) != 1)}, not {len(args)}",
                 e.span)
        pairs = zip((*func.bound, *func.params), (*bound, *args), strict=True)
        return {p.name: self.given(func, p, arg) for p, arg in pairs}

    def given(self, func: G.Func, p: G.Param, arg: G.Expr) -> Thing:
        """What a parameter stands for: the argument itself, or a variable with its value."""
        kind = self.unit.resolve(p.type)
        if not isinstance(kind, K.Number):
            thing = self.thing(arg.id, arg.span) if isinstance(arg, G.Name) else None
            if thing is None or not _fits(thing.kind, kind):
                fail(f"'{func.name}' wants {K.a(kind)} as its '{p.name}'", arg.span, "name a variable of that type")
            return thing
        v = self.value(arg)
        if isinstance(kind, K.Vertex) and v.node and isinstance(arg, G.Name):
            return self.thing(arg.id, arg.span)
        expr = self.number_of(v, kind)
        word = self.names.fresh(p.name)
        self.out.append(A.VarDecl(K.irgl(kind), word, expr, span=arg.span))
        return Thing("number", kind, word, lambda s: A.Name(word, span=s), span=p.span)

    def inline(self, func: G.Func, given: dict[str, Thing]) -> Value | None:
        """The statements of a function in the place of its call; its result."""
        outer, self.scopes = self.scopes, [dict(given)]
        result: Value | None = None
        if func.result is not None and func.result.name not in given:
            kind = self.result_of(func)
            word = self.local(func.result.name, kind, func.result.span)
            self.out.append(A.VarDecl(K.irgl(kind), word, None, span=func.result.span))
            result = Value(A.Name(word, span=func.result.span), kind)
        loops, self.loops = self.loops, 0
        self.scopes.append({})
        for s in func.body:
            self.stmt(s)
        self.scopes, self.loops = outer, loops
        return result

    def result_of(self, func: G.Func) -> K.Number:
        assert func.result is not None
        kind = self.unit.resolve(func.result.type)
        if isinstance(kind, K.Vertices):
            fail(f"'{func.name}' gives {K.a(kind)}, and no number", func.result.type.span,
                 f"store it in a vertexset of main's: frontier = {func.name}(...);")
        if not isinstance(kind, K.Number) or kind == K.STRING:
            fail(f"a function can't give {K.a(kind)} yet", func.result.type.span, "let it change a const")
        return kind

    def as_expression(self, func: G.Func, given: dict[str, Thing]) -> Value | None:
        """What a function gives that does nothing but `result = expr;`, as this expression; None for another one."""
        match func.body:
            case (G.Assign(place=G.Name(id=word), op="=", value=expr),) if func.result and word == func.result.name:
                outer, self.scopes = self.scopes, [dict(given)]
                kind = self.result_of(func)
                made = Value(self.exactly(self.value(expr), kind), kind)
                self.scopes = outer
                return made
            case _:
                return None

    def user_call(self, e: G.Call) -> Value:
        """A call in an expression: the function's own expression, a call of a helper, or the function's statements."""
        func = self.unit.function(e.function, e.span)
        if func.result is None:
            fail(f"'{func.name}' gives no value", e.span, "give it a result: -> output : int")
        refuse_bound(func, e.bound, e)
        if len(e.args) == len(func.params) and all(isinstance(x, G.Name | G.Number) for x in (*e.args, *(e.bound
                                                                                                         or ()))):
            before = len(self.out)
            names = [n for n in G.walk(func.body[0]) if isinstance(n, G.Name)] if len(func.body) == 1 else []
            given = self.arguments_of(func, e)
            if len(self.out) == before and names and (made := self.as_expression(func, given)) is not None:
                return Value(made.expr, made.kind)
            del self.out[before:]
        if self._wants_statements(func):
            found = self.inline(func, self.arguments_of(func, e))
            assert found is not None
            return found
        return self.helper(func, e)

    def _wants_statements(self, func: G.Func) -> bool:
        """Does a function, or one that it calls, ask for what a helper of irgl's does not know?"""
        if not all(isinstance(self.unit.resolve(p.type), K.Number) for p in func.params):
            return True
        own = {n.name for n in G.walk(func) if isinstance(n, G.Param | G.Var)}
        things = [self.unit.things.get(n.id) for n in G.walk(func) if isinstance(n, G.Name) and n.id not in own]
        return any(t is not None and t.what in ("set", "array", "list") for t in things) or any(
            (self._wants_statements(self.unit.funcs[n.function]) if n.function in self.unit.funcs
             else n.function in _BY_CHANCE) for n in G.walk(func) if isinstance(n, G.Call))

    def helper(self, func: G.Func, e: G.Call) -> Value:
        """A call of a function of irgl's."""
        if func.bound:
            fail(f"the functor '{func.name}' is called in an expression, which is not supported yet", e.span,
                 "apply it, or make a function without brackets of it")
        if len(e.args) != len(func.params):
            fail(f"'{func.name}' takes {len(func.params)} argument{'s' * (len(func.params) != 1)}, not {len(e.args)}",
                 e.span)
        word = self.helper_named(func)
        kinds = [self.unit.resolve(p.type) for p in func.params]
        args = [self.vertex(x) if isinstance(k, K.Vertex) else self.number(x, k)  # type: ignore[arg-type]
                for x, k in zip(e.args, kinds, strict=True)]
        return Value(A.Call(word, (name("g", e.span), *args), span=e.span), self.result_of(func))


def refuse_bound(func: G.Func, bound: tuple[G.Expr, ...] | None, e: G.Expr) -> None:
    """Raises IrglError for a functor that is not bound as its brackets say."""
    wanted = len(func.bound)
    if wanted and bound is None:
        shown = ", ".join(p.name for p in func.bound)
        fail(f"the functor '{func.name}' is not bound", e.span, f"name what it is bound to: {func.name}[{shown}]")
    if bound is not None and not wanted:
        fail(f"'{func.name}' is no functor, and is bound to nothing", e.span, "leave the brackets out")
    if bound is not None and len(bound) != wanted:
        fail(f"'{func.name}' is bound to {wanted} value{'s' * (wanted != 1)}, not {len(bound)}", e.span)


def _fits(given: K.Kind, wanted: K.Kind) -> bool:
    """May a variable of one type stand for a parameter of another?"""
    match given, wanted:
        case K.Vector(), K.Vector():
            return given.length == wanted.length
        case K.List(), K.List():
            return given == wanted
        case _:
            return type(given) is type(wanted)
