"""Members, elements and methods in C++: of graphs, nodes, edges, worklists, structures and library objects."""

from __future__ import annotations

from irgl.analysis.names.members import SETS, is_reverse
from irgl.analysis.names.methods import methods_of
from irgl.analysis.names.vectors import is_inside, is_inside_array, of_vector
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cxx.code import CONDITIONAL, PRIMARY, Code
from irgl.codegen.cxx.names import cxx_type, name, property_name
from irgl.codegen.cxx.places import PlacedEdge, PlacesCxx


class MembersCxx(PlacesCxx):
    """Emits what is reached through a dot or an index."""

    def _member(self, e: A.Member) -> Code:
        t = self.checked.types[e.object]
        match t:
            case T.Named() if t.name in self.checked.graph_types:
                g = self.value(e.object)
                return Code(
                    {
                        "num_nodes": f"int64_t({g}.n)",
                        "num_edges": f"int64_t({g}.m)",
                        "nodes": f"irgl::nodes({g})",
                        "edges": f"irgl::range<edge_t>(0, {g}.m)",
                        "directed": f"{g}.directed",
                        "max_degree": f"int64_t({g}.max_degree)",
                    }[e.name]
                )
            case T.NodeT():
                return self._node_member(e, t)
            case T.EdgeT():
                return self._edge_member(e, t)
            case T.Range() if (items := self._set_of(e.object)) is not None:
                return Code(f"int64_t({self.value(items)}.size({', '.join(self.list_args())}))")
            case T.Range() if isinstance(e.object, A.Name):  # perhaps of a set
                return Code(f"int64_t(irgl::present({self.value(e.object)}))")
            case T.Range():
                return Code(f"int64_t({self.code(e.object).at(PRIMARY)}.size())")
            case T.Worklist():
                obj = self.value(e.object)
                args = ", ".join(self.list_args())
                if e.name == "priority":  # of a queue that is a variable it chooses first
                    return Code(f"{obj}.priority()" if t.by is None or _is_wl(e.object) else f"{obj}.next({args})")
                return Code(f"int64_t({obj}.size({args}))" if e.name == "size" else f"{obj}.{e.name}({args})")
            case T.Reduced():
                return Code(self.code(e.object).at(PRIMARY) + "." + e.name)
            case T.Named() if t.name in self.checked.libraries:
                return Code(f"{self.value(e.object)}.{e.name}()")
            case _:
                return Code(f"{self.code(e.object).at(PRIMARY)}.{name(e.name)}")

    def _set_of(self, items: A.Expr) -> A.Expr | None:
        """The set whose items these are: it has a place for every node, and counts those that are in it."""
        t = self.checked.types.get(items.object) if isinstance(items, A.Member) and items.name == "items" else None
        return items.object if isinstance(t, T.Worklist) and t.kind in SETS and isinstance(items, A.Member) else None

    def _node_member(self, e: A.Member, t: T.NodeT) -> Code:
        if e.name == "id":
            return Code(f"int64_t({self.value(e.object, t)})")
        g, n = self.graph_of(t), self.item(e.object, t, e)
        match e.name:
            case "degree" | "out_degree":
                return Code(f"int64_t(irgl::degree({self.form(g, False)}, {n}))")
            case "in_degree":
                return Code(f"int64_t(irgl::degree({self.form(g, True)}, {n}))")
            case "edges" | "out_edges":
                return Code(f"irgl::edges({self.form(g, False)}, {n})")
            case "in_edges":
                return Code(f"irgl::edges({self.form(g, True)}, {n})")
            case _:
                return self._load(e)

    def _edge_member(self, e: A.Member, t: T.EdgeT) -> Code:
        g = self.graph_of(t)
        if e.name in ("src", "dst"):
            known = self.owners.known_end(e)
            if known is not None:
                return self.code(known, T.NODE)
            placed = self._placed(e.object)
            if placed is not None and (e.name == "src") == t.incoming:
                return Code(placed.far)
            edge = self.item(e.object, t, e)
            if (e.name == "src") == t.incoming:
                return Code(f"irgl::other({self.form(g, t.incoming)}, {edge})")
            if t.incoming:
                return Code(f"irgl::near({self.form(g, True)}, {edge})")
            return Code(f"irgl::source({self.rows(g)}, {edge})")
        if e.name == "id":
            return Code(f"int64_t({self.value(e.object, T.EDGE)})")
        if is_reverse(e, self.checked):
            edge = self.item(e.object, t, e)  # an in-edge's place is the number of its reverse
            return Code(f"irgl::edge_t({edge})" if t.incoming else f"irgl::id({self.form(g, True)}, {edge})")
        return self._weight(e) or self._load(e)

    def _placed(self, e: A.Expr) -> PlacedEdge | None:
        """The edge of a form that `e` names."""
        symbol = self.checked.symbols.get(e) if isinstance(e, A.Name) else None
        return None if symbol is None else self.placed.get(symbol)

    def _weight(self, e: A.Expr) -> Code | None:
        """The weight of a form's edge, where `e` is one: it lies there, and nobody changes it."""
        placed = self._placed(e.object) if isinstance(e, A.Member) else None
        if placed is None or not isinstance(e, A.Member) or e.name != placed.weights:
            return None
        return Code(f"irgl::weight<{cxx_type(self.checked.types[e], self.checked)}>({placed.form}, {placed.place})")

    def _load(self, e: A.Member | A.Index) -> Code:
        location = self.location(e)
        return Code(f"irgl::load({location})" if self.is_concurrent(e) else location)

    def location(self, e: A.Expr) -> str:
        """The C++ lvalue of a location or a local variable."""
        match e:
            case A.Member():
                t = self.checked.types[e.object]
                if isinstance(t, T.EdgeT) and t.incoming and e.name in self.in_weights:
                    return self.element(self.graph_of(t), f"_in_{property_name(e.name)}", self.item(e.object, t, e))
                if isinstance(t, T.NodeT | T.EdgeT):
                    want = T.NODE if isinstance(t, T.NodeT) else T.EDGE
                    return self.element(self.graph_of(t), property_name(e.name), self.item(e.object, want, e))
                return f"{self.location(e.object)}.{name(e.name)}"
            case A.Index() if of_vector(e, self.checked):
                return self._value_of_vector(e)
            case A.Index() if is_inside_array(self.checked, e):
                return f"{self.value(e.object)}.there({self.value(e.index)})"
            case A.Index():
                return f"{self.value(e.object)}.at({self.value(e.index)}, {self.place(e)})"
            case A.Name():
                symbol = self.checked.symbols[e]
                if symbol.kind == "global" and e.id not in self.accumulators:
                    return self.stored_scalar(e.id)
                return self.variable(symbol)
            case _:
                raise AssertionError(e)

    def _value_of_vector(self, e: A.Index) -> str:
        """One of the values of a node, which lie one behind the other, or of a variable; a run looks where the text
        doesn't tell that it is there."""
        of, length = e.object, self.checked.types[e.object]
        assert isinstance(of, A.Member | A.Name) and isinstance(length, T.Vector)
        k, inside = self.value(e.index, T.LONG), is_inside(self.checked, e)
        item = self.item(of.object, T.NODE, of) if isinstance(of, A.Member) else "0"
        slot = f"irgl::slot<{length.length}>({item}, {k})" if inside else (
            f"irgl::slot<{length.length}>(c, {item}, {k}, {self.place(e)})")
        if isinstance(of, A.Name):
            return self.one_of(self.variable(self.checked.symbols[of]), e, k if inside else slot)
        t = self.checked.types[of.object]
        return self.element(self.graph_of(t), property_name(of.name), slot)

    def one_of(self, variable: str, e: A.Index, k: str) -> str:  # noqa: ARG002
        """Value k of a variable of several, which `e` is."""
        return f"{variable}[{k}]"

    def _index(self, e: A.Index) -> Code:
        t = self.checked.types[e.object]
        if not isinstance(t, T.Range):
            return self._load(e)
        return Code(f"irgl::nth(c, {self.value(e.object)}, {self.value(e.index)}, {self.place(e)})")

    def iterator(self, e: A.Expr) -> str:
        """The range of a loop. A worklist stands for its items."""
        if isinstance(self.checked.types[e], T.Worklist):
            return f"{self.value(e)}.items({', '.join(self.list_args())})"
        return self.value(e)

    def _method(self, e: A.MethodCall) -> Code:
        t = self.checked.types[e.object]
        if isinstance(t, T.Named) and t.name in self.checked.graph_types:
            made = "node_at" if isinstance(self.checked.types[e], T.NodeT) else "edge_at"
            return Code(f"irgl::{made}(c, {self.value(e.object)}, {self.value(e.args[0])}, {self.place(e)})")
        if isinstance(t, T.NodeT):
            other = self.item(e.args[0], T.NODE, e)
            return Code(f"irgl::{e.name}({self.rows(self.graph_of(t))}, {self.item(e.object, T.NODE, e)}, {other})")
        if isinstance(t, T.Range):
            if e.name == "when":
                return self._when(e)
            return Code(f"irgl::{e.name}({self.value(e.object)}, {self.value(e.args[0])})")
        obj = self.value(e.object)
        thread = self.thread()
        if isinstance(t, T.Worklist):
            return self._worklist_method(e, t, obj, thread)
        method = methods_of(self.checked, t)[e.name]
        args = [thread] if method.effect == "appends" else []
        args += [self.value(a, want) for a, want in zip(e.args, method.params, strict=True)]
        args.append(self.place(e))
        return Code(f"{obj}.{e.name}({', '.join(args)})")

    def _when(self, e: A.MethodCall) -> Code:
        """Some edges, or none: what they are of is computed only where they are wanted, unless it can do no harm."""
        edges = self.value(e.object)
        if e not in self.checked.none and _of_name(e.object) and not self.clashes.acts(e.args[0]):
            return Code(f"irgl::when({edges}, {self.truth(e.args[0])})")
        wanted = self.code(e.args[0], T.BOOL).at(3)
        return Code(f"{wanted} ? {edges} : irgl::range<edge_t>(0, 0)", CONDITIONAL)

    def _worklist_method(self, e: A.MethodCall, t: T.Worklist, obj: str, thread: str) -> Code:
        match e.name:
            case "pop":
                return self.code(e.args[0])
            case "push":
                pushed = self.converted(e.args[0], t.item)
                pushed = self.some(pushed, e) if e.args[0] in self.checked.none else pushed
                args = [pushed, *(self.value(a) for a in e.args[1:])]
                if t.kind == "scratch":
                    return Code(f"{obj}.insert({args[0]})")
                return Code(f"{obj}.{self._push(e, t)}({', '.join([thread, *args])})")
            case "contains":
                obj += ".in" if obj == "wl" else ""
                return Code(f"{obj}.contains({self.item(e.args[0], T.NODE, e)})")
            case _:
                call = f"{obj}.{e.name}({', '.join([*self.list_args(), *(self.value(a) for a in e.args)])})"
                return Code(f"{self.refuse_none(e.args[0], e)}, {call}", 0) if e in self.checked.none else Code(call)

    def _push(self, e: A.MethodCall, t: T.Worklist) -> str:
        """The method by which an item comes into a worklist; by its own iteration without atomics, as far as can be."""
        item, status = e.args[0], self.checked.access.get(e)
        if status not in ("own", "outer"):
            return "push"
        apart = self.owners.owner(item) == 1 if t.kind == "set" else t.kind == "bitmap" and self._walks_words(item)
        if not apart:
            return "push"
        return "push_own" if status == "own" else f"template push_of<{self.parallel(1)}>"

    def _walks_words(self, e: A.Expr) -> bool:
        """Is `e` the item of a loop over all nodes, whose chunks hold whole words of a bitmap?"""
        loop = self.checked.symbols[e].loop
        if loop is None or loop in self.apart:
            return False
        return isinstance(loop.iterator, A.Member) and loop.iterator.name == "nodes"


def _is_wl(e: A.Expr) -> bool:
    return isinstance(e, A.Name) and e.id == "WL"


def _of_name(e: A.Expr) -> bool:
    """Is it all edges of a node that a variable holds?"""
    return isinstance(e, A.Member) and isinstance(e.object, A.Name)
