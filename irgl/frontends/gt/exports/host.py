"""What an exported function says: the statements of its Program."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.chains import edges_of
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.calls import argument
from irgl.frontends.gt.bodies.unit import Thing, Unit, vertex
from irgl.frontends.gt.bodies.values import fail
from irgl.frontends.gt.exports.interface import Argument
from irgl.frontends.gt.exports.sets import leave, take
from irgl.frontends.gt.exports.uses import Uses
from irgl.frontends.gt.lowering.host import Host
from irgl.frontends.gt.lowering.liveness import exchanges
from irgl.frontends.gt.lowering.vectors import declare_vector
from irgl.source import Span


class Export(Host):
    """The statements of one exported function. Vectors are known by reference, as in GraphIt: `rank = given` makes one
    of two names, so that it stands where all runs pass.

    params: the Program's, beside its graph. arguments: what the function takes. stores: the const edgesets that become
    the graph; file: the path that it is loaded from. result: irgl's name of what has the result.
    """

    where = "an exported function"

    def __init__(self, unit: Unit, func: G.Func, uses: Uses) -> None:
        super().__init__(unit)
        self.func = func
        self.uses = uses
        self.params: list[A.Param] = []
        self.arguments: list[Argument] = []
        self.stores: list[str] = []
        self.file = ""
        self.names.taken |= {unit.delta}
        self._own: list[dict[str, Thing]] = [{}, {}]

    def run(self) -> str:
        """Lowers the function; what has its result in the end, '' where it gives nothing."""
        func = self.func
        if func.bound:
            fail("an exported function is bound to nothing", func.bound[0].span, "make a parameter of it")
        for p in func.params:
            self._own[0][p.name] = self._parameter(p)
        if func.result is not None:
            self._own[0][func.result.name] = self._result(func.result)
        self.scopes = self._own
        self.exchanged |= exchanges(func.body, frozenset((*self._own[0], *self.unit.things)))
        for s in func.body:
            self.stmt(s)
        self.refuse_bucket()
        if func.result is None:
            return ""
        result = self._own[0][func.result.name]
        if result.what == "unmade":
            fail(f"'{func.name}' stores nothing to its result '{func.result.name}'", func.result.span,
                 f"write {func.result.name} = new {result.kind}();")
        return self.set_left(result, func.result.name, func.result.span) if result.what == "set" else result.name

    def set_left(self, thing: Thing, word: str, span: Span) -> str:
        """The property that tells in the end which vertices are in a set."""
        inside = self.free(word)
        self.unit.properties.append(A.Property("node", T.BOOL, inside, A.BoolLit(False, span=span), False, None,
                                               span=span))
        leave(self, thing, inside, span)
        return inside

    def free(self, wanted: str) -> str:
        """A name that no property, scalar or variable has."""
        while wanted in self.unit.property_names.taken:
            wanted += "_2"
        word = self.names.fresh(wanted)
        self.unit.property_names.taken.add(word)
        return word

    # The interface

    def _parameter(self, p: G.Param) -> Thing:
        kind, span = self.unit.resolve(p.type), p.span
        word, what = "", "number"
        match kind:
            case K.Edges():
                if any(a.kind == "graph" for a in self.arguments):
                    fail("a second graph is not supported yet", span, "a function is given one edgeset")
                what, thing = "graph", Thing("edges", kind, p.name, span=span)
            case K.Vector():
                what, word = "vector", self.free(p.name)
                self.unit.properties.append(A.Property("node", K.irgl(kind), word, None, True, None, span=span))
                thing = Thing("vector", kind, word, span=span)
            case K.Vertices():
                what, word = "set", self.free(p.name)
                thing = take(self, p.name, word, kind, span)
            case K.Array():
                what, word = "array", self.free(p.name)
                self.unit.arrays = True
                self.params.append(A.Param(K.irgl(kind), word, None, (), span=span))
                thing = Thing("array", kind, word, span=span)
            case K.Vertex():
                word = self.free(p.name)
                self.params.append(A.Param(T.NODE, word, None, (), span=span))
                thing = vertex(word, kind)
            case K.Scalar() if kind != K.STRING:
                word = self.free(p.name)
                self.params.append(A.Param(K.irgl(kind), word, None, (), span=span))
                thing = Thing("number", kind, word, lambda s: A.Name(word, span=s), span=span)
            case _:
                fail(f"an exported function can't be given {K.a(kind)} yet", p.type.span,
                     "it takes an edgeset, numbers, vertices, vectors and vertexsets")
        size = p.type.size if isinstance(p.type, G.VectorType) else None
        if size is not None and not (isinstance(size, G.Number) and size.whole):
            fail("how many values it has is a plain number for a parameter", size.span, "write vector[20](float)")
        count = int(size.text[:20]) if isinstance(size, G.Number) else 0
        self.arguments.append(Argument(p.name, what, str(kind), word, count))
        return thing

    def _result(self, p: G.Param) -> Thing:
        kind = self.unit.resolve(p.type)
        if isinstance(kind, K.Vector):
            return Thing("unmade", kind, "", span=p.span)
        if isinstance(kind, K.Vertices):
            return self.new_set(p.name, p.span, kind)
        if not isinstance(kind, K.Number) or kind == K.STRING:
            fail(f"an exported function can't give {K.a(kind)} yet", p.type.span,
                 "it gives a number, a vector of vertices' values, or a vertexset")
        word = self.free(p.name)
        self.unit.globals.append(A.Global(K.irgl(kind), word, None, False, span=p.span))
        return Thing("number", kind, word, lambda s: A.Name(word, span=s), span=p.span)

    # Stores

    def assign(self, s: G.Assign) -> None:
        thing = self.thing(s.place.id, s.place.span) if isinstance(s.place, G.Name) and s.op == "=" else None
        if thing is None or not isinstance(s.place, G.Name):
            super().assign(s)
        elif thing.what == "edges":
            self._store_graph(s.place.id, thing, s)
        elif thing.what in ("vector", "array", "unmade") and self._store_vector(s.place.id, thing, s):
            pass
        elif thing.what != "all" or not is_all(s.value):
            super().assign(s)

    def _straight(self) -> bool:
        """Do all runs pass here, once?"""
        return self.scopes is self._own and len(self._own) == 2

    def _store_vector(self, word: str, thing: Thing, s: G.Assign) -> bool:
        """Stores a vector as a whole; False where that is a store to each of its values."""
        other = self.thing(s.value.id, s.value.span) if isinstance(s.value, G.Name) else None
        taken = other is not None and other.what in ("vector", "array", "unmade")
        if not taken and thing.what == "vector":
            return self.uses.begun.get(word) is s and isinstance(s.value, G.New) and self._begins(thing, s)
        own = next((scope for scope in reversed(self._own) if word in scope), self.unit.things)
        known = own is self.unit.things and self.uses.begun.get(word) is not s
        if known and thing.what == "vector":
            return False  # what others know by that name is another vector, which could only be copied
        if known or not self._straight():
            fail(f"'{word}' becomes another vector here", s.span,
                 "store it in the exported function itself, outside of loops and conditions" if not known else
                 "store each value in a loop")
        if taken and other is not None:
            if other.kind != thing.kind:
                fail(f"'{word}' is {K.a(thing.kind)}, and can't be {K.a(other.kind)}", s.span)
            if other.what == "unmade":
                fail("this has no values yet", s.value.span)
            made = other
        elif isinstance(thing.kind, K.Vector):
            made = declare_vector(self, word, thing.kind, s.value, s.span, again=False)
        else:
            assert isinstance(thing.kind, K.Array)
            if not isinstance(s.value, G.New):
                fail("a vector of a number of values becomes a new one, or one that is given", s.value.span)
            if self.unit.resolve(s.value.type) != thing.kind:
                fail(f"'{word}' is {K.a(thing.kind)}, and can't be this", s.value.span)
            made = self.new_array(word, thing.kind, s.value.type, s.value, s.span)
        own[word] = made
        return True

    def _begins(self, thing: Thing, s: G.Assign) -> bool:
        """`rank = new ...` before anybody asks for it: the property begins as it should."""
        index = next(i for i, p in enumerate(self.unit.properties) if p.name == thing.name)
        self.unit.properties.pop(index)
        assert isinstance(thing.kind, K.Vector)
        self.unit.property_names.taken.discard(thing.name)
        again = declare_vector(self, thing.name, thing.kind, s.value, s.span, again=False)
        assert again.name == thing.name
        return True

    def _store_graph(self, word: str, thing: Thing, s: G.Assign) -> None:
        if not self._straight():
            fail(f"'{word}' becomes another graph here", s.span,
                 "store it in the exported function itself, outside of loops and conditions")
        other = edges_of(self, s.value)
        match s.value:
            case _ if other is not None:
                if other.kind != thing.kind:
                    weights = "weights" if isinstance(other.kind, K.Edges) and other.kind.weight else "no weights"
                    fail(f"'{other.name}' has {weights}, unlike '{word}'", s.span, "declare both alike")
                if other.reverse != thing.reverse:
                    fail(f"'{word}' can't become a transposed graph yet", s.span)
            case G.Load(file=G.Text(value=path)):
                self.file = path
            case G.Load(file=file) if argument(file) is not None:
                fail("an exported function has no argv", file.span, "give it an edgeset as a parameter")
            case _:
                fail("an edgeset is given, or loaded from a path", s.value.span, f"write {word} = load(\"graph.el\");")
        self.stores.append(word)

    def says_argument(self, e: G.Call) -> None:
        fail("an exported function has no argv", e.span, "make a parameter of it")

    def element(self, e: G.Index) -> tuple[A.Expr, K.Number]:
        if isinstance(e.object, G.Name) and (made := self.lookup(e.object.id)) is not None and made.what == "unmade":
            fail(f"'{e.object.id}' has no values yet", e.object.span, f"write {e.object.id} = new {made.kind}();")
        return super().element(e)


def is_all(e: G.Expr) -> bool:
    """`edges.getVertices()`"""
    return isinstance(e, G.Method) and e.name == "getVertices" and isinstance(e.object, G.Name) and not e.args
