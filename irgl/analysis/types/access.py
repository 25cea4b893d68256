"""Members, methods and elements: of graphs, nodes, edges, ranges, worklists, structs and library objects."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from irgl.analysis.names import members as M
from irgl.analysis.names import remedies
from irgl.analysis.names.conversions import arguments, graph_of, literal_value, same_graph
from irgl.analysis.names.homes import Homes
from irgl.analysis.names.methods import library_type, methods_of, of_object
from irgl.analysis.names.symbols import fail
from irgl.analysis.ownership.own import is_own
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import expression
from irgl.ast.visit import walk
from irgl.source import IrglError


class Access(Homes):
    """Types what stands behind a dot or in brackets. `indexed`: what stands before the innermost of these."""

    indexed: A.Expr | None = None

    def owner_graph(self, graph: str, e: A.Expr) -> A.GraphType:
        """The graph type behind a node or edge of the graph variable `graph` ('' = the only one in scope)."""
        name = graph or self.graph
        symbol = self.lookup(name) if name else None
        if symbol is None:
            if not name and self.place in ("function", "kernel"):
                fail(f"no graph is in reach of this {self.place}", e, "give it the graph as a parameter: Graph g")
            fail(f"no graph '{name}' is in reach here", e, None)
        assert isinstance(symbol.type, T.Named)
        return self.checked.graph_types[symbol.type.name]

    def member(self, e: A.Member) -> T.Type:
        if isinstance(e.object, A.Name) and e.object.id not in M.WORDS and e.object.id not in self.ended:
            self._refuse_unknown_owner(e.object, e.name)
        t = self.type(e.object)
        table = self._members(t, e)
        if e.name in table:
            if isinstance(t, T.NodeT | T.EdgeT) and e.name != "id":
                self.owner_graph(t.graph, e)
            self._count_worklist_use(e)
            found = table[e.name]
            if self.checked.fields(t) is not None and isinstance(found, T.NodeT | T.EdgeT):
                return self.of_graph(found, self.home_of(e.object))
            return found
        known = list(table)
        if isinstance(t, T.NodeT | T.EdgeT):
            owner = "node" if isinstance(t, T.NodeT) else "edge"
            graph_type = self.owner_graph(t.graph, e)
            prop = self.checked.property_of(graph_type.name, owner, e.name)
            if prop is not None:
                if isinstance(prop.type, T.Vector) and e is not self.indexed:
                    fail(f"'{e.name}' has {prop.type.length} values for each node", e, f"name one: {expression(e)}[0]")
                return self.of_graph(prop.type, t.graph or self.graph)
            known += [p.name for p in graph_type.properties if p.owner == owner]
            other = "edge" if owner == "node" else "node"
            if self.checked.property_of(graph_type.name, other, e.name) is not None:
                fail(
                    f"'{e.name}' is a property of the {other}s of {graph_type.name}, not of its {owner}s",
                    e,
                    f"write e.{e.name} for an edge e" if other == "edge" else f"write n.{e.name} for a node n",
                )
            fail(
                f"{graph_type.name} declares no {owner} property '{e.name}'",
                e,
                remedies.member(self.checked, t, e.name)
                or M.nearest(e.name, known)
                or f"declare it: graph {graph_type.name} {{ {owner} int {e.name}; }}",
            )
        if isinstance(t, T.Named) and t.name in self.checked.graph_types:
            fail(
                f"a graph has no '{e.name}'",
                e,
                remedies.member(self.checked, t, e.name)
                or M.nearest(e.name, known)
                or "properties belong to nodes and edges",
            )
        fields = self.checked.fields(t)
        if fields is not None:
            fail(f"{t} has no field '{e.name}'", e, M.nearest(e.name, fields) or f"it has {', '.join(fields)}")
        hint = remedies.member(self.checked, t, e.name) or M.nearest(e.name, [*known, *methods_of(self.checked, t)])
        if isinstance(t, T.Position):
            hint = "a loop over a list gives positions: loop over .items, or take the item by pop(...)"
        if hint is None and known:
            hint = f"it has {', '.join(known)}"
        raise IrglError(f"{T.bare(t)} has no '{e.name}'", e.span, hint)

    def _refuse_unknown_owner(self, name: A.Name, wanted: str) -> None:
        """Raises IrglError where the name in front of a dot is unknown, and what is behind it tells what is meant."""
        hint = remedies.owner_of(self.checked, name.id, wanted)
        if hint is not None and not M.nearest(name.id, self.visible()) and self.lookup(name.id) is None:
            fail(f"'{name.id}' is not declared", name, hint)

    def _refuse_library(self, name: A.Name, called: str) -> None:
        """Raises IrglError for a call of a library, unless a variable is meant."""
        hint = remedies.library(called)
        if hint is not None and not M.nearest(name.id, self.visible()) and name.id not in self.ended:
            fail(f"'{name.id}' is not declared", name, hint)

    def of_graph(self, t: T.Type, graph: str) -> T.Type:
        """A node or edge type that names no graph, as one of `graph`'s."""
        if isinstance(t, T.NodeT) and not t.graph:
            return T.NodeT(graph)
        if isinstance(t, T.EdgeT) and not t.graph:
            return T.EdgeT(t.incoming, graph)
        if isinstance(t, T.Worklist):
            return replace(t, item=self.of_graph(t.item, graph))
        return t

    def _members(self, t: T.Type, e: A.Member) -> dict[str, T.Type]:
        match t:
            case T.Named() if t.name in self.checked.graph_types:
                return M.graph_members(e.object.id if isinstance(e.object, A.Name) else "", self.checked.lowered)
            case T.NodeT():
                return M.node_members(t.graph or self.graph)
            case T.EdgeT():
                known = M.edge_members(t.graph or self.graph)
                return known if self.checked.has_property("edge", M.REVERSE) else known | {
                    M.REVERSE: T.EdgeT(graph=t.graph or self.graph)}
            case T.Range():
                return {"size": T.LONG}
            case T.Worklist():
                return M.worklist_members(t)
            case T.Reduced():
                return {"old": t.of, "changed": T.BOOL}
            case T.Named() if t.name in self.checked.structs:
                return self.checked.fields(t) or {}
            case T.Named() if t.name in self.checked.libraries:
                return {
                    f.name: library_type(self.checked, f.type, t)
                    if isinstance(f, A.Attribute)
                    else T.Range(library_type(self.checked, f.item, t), False)  # nothing says that no item comes twice
                    for f in self.checked.libraries[t.name].features
                    if isinstance(f, A.Attribute | A.Iterator)
                }
            case _:
                return {}

    def method(self, e: A.MethodCall) -> T.Type:
        if isinstance(e.object, A.Name) and e.object.id not in M.WORDS and self.lookup(e.object.id) is None:
            self._refuse_library(e.object, e.name)
        t = self.type(e.object)
        methods = methods_of(self.checked, t, e.object.id if isinstance(e.object, A.Name) else "")
        if e.name not in methods:
            if isinstance(t, T.Worklist) and e.name in ("pop", "contains", "update"):
                fail(f"a {t.kind} has no '{e.name}'", e, "choose another kind: list, set, bitmap, bytemap or buckets")
            said = self._says(e.object) if isinstance(t, T.Worklist) and t.kind == T.QUEUE else methods
            known = f"it has {', '.join(said)}" if said else None
            plain = None
            if e.name in self._members(t, A.Member(e.object, e.name, span=e.span)):
                plain = f"it is no function: write .{e.name} without ( )"
            hint = plain or remedies.member(self.checked, t, e.name) or M.nearest(e.name, methods) or known
            fail(f"{T.bare(t)} has no method '{e.name}'", e, hint)
        if isinstance(t, T.Range) and of_object(self.checked, e.object):
            fail(f"items of a list have no method '{e.name}'", e, "only the edges of a graph or a node have it")
        signature = methods[e.name]
        self.checked.params[e] = signature.params
        if len(e.args) != len(signature.params):
            fail(
                f"'{e.name}' takes {arguments(len(signature.params))}, not {len(e.args)}",
                e,
                f"write .{e.name} without ( ), for all of them"
                if not e.args and e.name in self._members(t, A.Member(e.object, e.name, span=e.span))
                else f"it reads: {e.name}({', '.join(str(T.bare(p)) for p in signature.params)})",
            )
        for arg, want in zip(e.args, signature.params, strict=True):
            if e.name == "update" and isinstance(t, T.Worklist):
                self._updated_from(t, arg)
            elif e.name in ("swap", "stack", "unstack") and isinstance(t, T.Worklist):
                self.value(arg, T.Worklist(t.kind, t.item), f"'{e.name}'")
            else:
                self.value(arg, want, f"'{e.name}'")
            self.at_home(arg, e.object)
            if (
                e.name in ("update", "swap", "stack", "unstack")
                and isinstance(e.object, A.Name)
                and isinstance(arg, A.Name)
                and (arg.id == e.object.id)
            ):
                fail(f"'{e.name}' wants another list than '{arg.id}' itself", arg, "leave the statement out")
        if e.name == "pop" and isinstance(t, T.Worklist):
            self._of_this_list(e)
        if isinstance(t, T.Worklist) and t.kind == T.QUEUE and e.name not in self._says(e.object):
            word = e.object.id if isinstance(e.object, A.Name) else ""
            fail(f"{'a kernel' if e.name == 'finished' else 'the Program'} can't say {word}.{e.name}", e,
                 "the Program asks it: Iterate Until (WL.finished(goal)) ..." if e.name == "finished" else
                 "kernels fill and run it" if word == "WL" else "kernels that run it move its nodes")
        if isinstance(t, T.Worklist):
            if t.kind == T.QUEUE and e.args and isinstance(e.args[0], A.Name) and e.args[0].id == "NONE":
                fail("NONE can't be in a priority queue", e.args[0], "name a node")
            if t.kind == T.QUEUE and e.name == "finished" and any(isinstance(n, A.Reduce | A.InvokeResult) or (
                    isinstance(n, A.Call) and n.function in ("random", "cas")) for n in walk(e.args[0])):
                fail("'finished' looks at its node several times, and this may be another each time", e.args[0],
                     "make a variable first: node goal = ...;")
            self._worklist_effect(e, t, signature)
        elif self.depth > 0 and signature.effect == "writes" and not self._of_this_iteration(e.object):
            instead = "a sequential For" if is_own(self.checked, e.object) else "the Program, between kernels"
            fail(f"'{e.name}' inside a ForAll would race with the other iterations", e, f"do it in {instead}")
        if (e.name == "sort" and isinstance(t, T.Named) and self.checked.libraries[t.name].header == "array.hpp"
                and t.args and self.checked.fields(t.args[0]) is not None):
            fail(f"{M.a(t)} can't be sorted: structs have no order", e,
                 "sort the numbers or nodes that it goes by, in an array of their own")
        return signature.returns

    def _says(self, queue: A.Expr) -> Collection[str]:
        """The methods of a queue that can be called here: a kernel's own, that of a loop around, or a variable."""
        if self.place != "entry":
            return ("push", "pop", *M.UPDATES)
        return ("finished",) if isinstance(queue, A.Name) and queue.id == "WL" else ("push", "finished")

    def _of_this_iteration(self, e: A.Expr) -> bool:
        """Does an object belong to the iteration that uses it, and not to one around that?"""
        return is_own(self.checked, e) and self.checked.symbols[e].depth == self.depth

    def _updated_from(self, t: T.Worklist, arg: A.Expr) -> None:
        got = self.type(arg)
        fits = (
            isinstance(got, T.Worklist) and T.bare(got.item) == T.bare(t.item) and got.kind not in ("count", "scratch")
            and got.by is None
        )
        if not fits or not same_graph(graph_of(got), graph_of(t)):
            hint = (
                "push them one by one, or write Initial (...)"
                if isinstance(got, T.Range)
                else ("only lists that hold such items can be added")
            )
            fail(f"'update' wants a worklist of {T.beside(t.item, got)}, not {T.beside(got, t)}", arg, hint)

    def _of_this_list(self, e: A.MethodCall) -> None:
        """A position is one of the list that its loop runs over."""
        position = e.args[0]
        symbol = self.checked.symbols.get(position) if isinstance(position, A.Name) else None
        over = symbol.origin if symbol is not None and symbol.kind == "loop" else None
        if not (isinstance(over, A.Name) and isinstance(e.object, A.Name) and over.id == e.object.id):
            fail(
                "this is not a position in the list that it is popped from",
                position,
                "pop takes the variable of a loop over the list itself: ForAll (i In WL) { node n = WL.pop(i); }",
            )

    def _worklist_effect(self, e: A.MethodCall, t: T.Worklist, signature: M.Signature) -> None:
        implicit = isinstance(e.object, A.Name) and e.object.id == "WL"
        if t.kind == "scratch" and signature.effect == "appends":
            assert isinstance(e.object, A.Name)
            if self.checked.symbols[e.object].depth < self.depth:
                fail(
                    f"a nested ForAll changes the scratch set '{e.object.id}' of the iteration around it",
                    e,
                    "fill it in a sequential For",
                )
        if implicit and self.facts is not None:
            forms = dict(M.LIST_FORMS).values() if self.checked.lowered else ()
            self.facts.pushes |= e.name in ("push", *M.UPDATES, *forms)
            self.facts.retries |= self.checked.lowered and e.name in dict(M.AGAIN_FORMS).values()
            self.facts.reads |= e.name == "pop"
            self.facts.asks |= signature.effect == "reads"
        if self.depth > 0 and signature.effect == "writes":
            fail(
                f"'{e.name}' inside a ForAll would race with the other iterations",
                e,
                "do it in the Program, between kernels",
            )
        if implicit and signature.effect == "writes":
            fail(f"WL can't be changed as a whole by '{e.name}'", e, "Pipe and Iterate swap and clear it")

    def _count_worklist_use(self, e: A.Member) -> None:
        word = e.object.id if isinstance(e.object, A.Name) else ""
        own = word == "WL"
        if own and self.place == "entry" and self.queue is not None and (
                self.queue.kind == T.QUEUE or e.name != "priority"):
            fail(f"the Program can't say WL.{e.name}", e, "of a queue it asks WL.finished(node) alone")
        t = self.checked.types[e.object]
        if isinstance(t, T.Worklist) and t.by is not None:
            if own and e.name == "empty":
                fail("a kernel can't say WL.empty", e, "the Program asks it, of a queue that is a variable")
            if not own and e.name not in ("empty", "priority"):
                fail(f"the Program can't say {word}.{e.name}", e,
                     "kernels run the items of a queue: Invoke KERNEL(...) WL queue;")
        if own and self.facts is not None:
            self.facts.reads |= e.name == "items"
            self.facts.asks |= e.name != "items"

    def before_index(self, e: A.Index) -> T.Type:
        """The type of what is indexed, which may be a property of several values; there may be an index in it, too."""
        around, self.indexed = self.indexed, e.object
        t = self.type(e.object)
        self.indexed = around
        return t

    def index(self, e: A.Index) -> T.Type:
        t = self.before_index(e)
        if isinstance(t, T.Vector):
            self.value(e.index, T.LONG, "an index")
            known = literal_value(e.index)
            if known is not None and not 0 <= known < t.length:
                of = f"{e.object.name}' has {t.length} values for each node" if isinstance(e.object, A.Member) else (
                    f"{e.object.id}' has {t.length} values" if isinstance(e.object, A.Name) else "'")
                fail(f"'{of}, and none at {known}", e.index,
                     f"they are counted from 0 to {t.length - 1}")
            return t.of
        if isinstance(t, T.Range) and isinstance(t.item, T.EdgeT) and not of_object(self.checked, e.object):
            self.value(e.index, T.LONG, "an index")
            return t.item
        if isinstance(t, T.Named) and t.name in self.checked.libraries:
            for f in self.checked.libraries[t.name].features:
                if isinstance(f, A.Elements):
                    self.value(e.index, T.LONG, "an index")
                    return library_type(self.checked, f.item, t)
        raise IrglError(f"{T.bare(t)} has no elements to index", e.span, self._instead_of_index(e, t))

    def _instead_of_index(self, e: A.Index, t: T.Type) -> str | None:
        match e.object:
            case _ if isinstance(t, T.Worklist):
                return "a worklist's item is WL.pop(position)"
            case A.Member(object=A.Name(id=g), name="nodes"):
                return f"write {g}.node(...)"
            case A.Name(id=g) if isinstance(t, T.Named) and t.name in self.checked.graph_types:
                return f"a node's edges are n.edges, its properties n.NAME; the node with a number is {g}.node(...)"
            case A.Name(id=n) if isinstance(t, T.NodeT | T.EdgeT) and isinstance(e.index, A.StringLit):
                return f"write {n}.{e.index.value}"
            case A.Member(object=A.Name(id=n), name=name) if T.is_number(t):
                return f"write {n}.{name}: it is the one value that belongs to {n}"
            case _ if isinstance(t, T.Range):
                return "loop over the items: they are in no order"
            case _:
                return None
