"""Expressions in CUDA C++: in kernels, in the Program on the host, and in loops that were outlined to the device."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irgl.analysis.effects.effects import changed_variables, effects_of, stored_in, stored_variable
from irgl.analysis.effects.sequence import Holder, operands
from irgl.analysis.names import members as M
from irgl.analysis.names.methods import methods_of
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.names.vectors import of_vector
from irgl.analysis.ownership.own import is_own, own_types
from irgl.analysis.values.none_values import leaves_loops
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cxx.code import CONDITIONAL, Code
from irgl.codegen.cxx.expressions import ExpressionsCxx
from irgl.codegen.cxx.names import cxx_type, name, scalar_name
from irgl.passes.aggregate_appends import level_of


class DeviceExpressions(ExpressionsCxx):
    """In an operator or at a kernel's own level: `c` is the device's part of the context, `t` the thread."""

    modular = True  # nvcc has no -fwrapv
    marks = False

    def __init__(self, checked: Checked) -> None:
        super().__init__(checked)
        self.shared_depths: dict[int, str] = {}  # of the ForAlls around: do several threads work for one item?
        self.lanes = 0  # that run an iteration together, side by side along its vectors; 0: one thread does
        self.value_turn: dict[Symbol, str] = {}  # of the loop over values around: which of its lane's values it is at
        self.locked = False  # under a lock, where a processor's cache may hold what another has changed
        self.together: Callable[[], bool] = lambda: False  # do all threads of the grid run this with the same values?

    def scalar(self, word: str) -> str:
        return f"c.globals->{scalar_name(word)}"

    def thread(self) -> str:
        return "t"

    def parallel(self, depth: int) -> str:
        found = [text for d, text in self.shared_depths.items() if d > depth]
        return "true" if "true" in found else " || ".join(dict.fromkeys(found)) or "false"

    def code(self, e: A.Expr, want: T.Type | None = None) -> Code:
        """`e`, by one thread for all where all run it together, and it changes what they share or they may differ."""
        t = T.BOOL if isinstance(self.checked.types[e], T.Reduced) else self.checked.types[e]
        if not self.together() or e in self.computed or isinstance(t, T.Void | T.Range) or not self._acts(e):
            return super().code(e, want)
        kept, self.together = self.together, lambda: False
        text = super().code(e, want if want is not None else t).at(CONDITIONAL)
        self.together = kept
        given = cxx_type(want if want is not None else t, self.checked)
        own = self._changed([e])
        return Code(f"irgl::from_first<{given}>({', '.join(['t', 'c', f'[&] {{ return {text}; }}', *own])})")

    def hand_out(self, nodes: Sequence[A.Node]) -> list[str]:
        """Behind what one thread alone did: the statement by which all have its variables, where it changed any."""
        own = self._changed(nodes)
        return [f"irgl::hand_out({', '.join(['t', 'c', *own])});"] if own else []

    def _changed(self, nodes: Sequence[A.Node]) -> list[str]:
        return [self.variable(v) for v in changed_variables(self.checked, nodes)]

    def _acts(self, e: A.Expr) -> bool:
        """Does one thread compute `e`? Its own variables each changes where it can."""
        if not one_computes(self.checked, e):
            return False
        return not changed_variables(self.checked, [e]) or self._changes_shared(e)

    def _changes_shared(self, e: A.Expr) -> bool:
        """Is it `e` itself that does so, and not a part of it? What an update gives is asked for with the update."""
        if isinstance(e, A.Member):
            return isinstance(self.checked.types[e.object], T.Reduced) and self._changes_shared(e.object)
        if isinstance(e, A.Reduce) or (isinstance(e, A.Call) and e.function == "cas"):
            return stored_variable(self.checked, next(stored_in([e]))) is None
        return isinstance(e, A.Call | A.MethodCall)

    def one_of(self, variable: str, e: A.Index, k: str) -> str:
        """Of a vector whose values lie side by side in lanes: this lane's, or one that another lane has."""
        if not self.lanes:
            return super().one_of(variable, e, k)
        turn = self.value_turn.get(self.checked.symbols[e.index]) if isinstance(e.index, A.Name) else None
        return f"irgl::value_at({variable}, {k})" if turn is None else f"{variable}.at[{turn}]"

    def _load(self, e: A.Member | A.Index) -> Code:
        return Code(f"irgl::load({self.location(e)})") if self.locked else super()._load(e)

    def updating(self, location: A.Expr, word: str) -> str:
        """Under a lock past the processor's cache; but what a thread has for itself no atomic operation can touch."""
        found = super().updating(location, word)
        if isinstance(location, A.Index) and isinstance(self.checked.symbols.get(location.object), Symbol):
            if is_own(self.checked, location.object):
                return found
            symbol = self.checked.symbols[location.object]
            if found.startswith("atomic_") and symbol.kind == "param" and symbol.type in own_types(self.checked):
                own = f"irgl::is_own<decltype({self.value(location.object)}), {cxx_type(symbol.type, self.checked)}>"
                return f"reduce_{word}<!{own}>"
        return f"atomic_{word}" if self._is_for_next(found) and not isinstance(location, A.Name) else found

    def _is_for_next(self, update: str) -> bool:
        """Is what a thread would do for itself, for whoever takes its lock next?"""
        return self.locked and update.startswith(("plain_", "watched_"))

    def _method(self, e: A.MethodCall) -> Code:
        """Aggregated forms of a library's methods have no place: where there is no room, the library says so."""
        t = self.checked.types[e.object]
        level = level_of(self.checked, e) if isinstance(t, T.Named) and t.name in self.checked.libraries else None
        if level is None:
            return super()._method(e)
        params = methods_of(self.checked, t)[e.name].params
        args = [self.value(a, want) for a, want in zip(e.args, params, strict=True)]
        first = [] if level == "task" else [self.thread()]
        return Code(f"{self.value(e.object)}.{e.name}({', '.join([*first, *args])})")

    def _worklist_method(self, e: A.MethodCall, t: T.Worklist, obj: str, thread: str) -> Code:
        if e.name in (*dict(M.LIST_FORMS).values(), *dict(M.AGAIN_FORMS).values()):
            place = e.name in ("put", "put_again")
            wants = [T.LONG, t.item, T.LONG] if place else [T.LONG, T.LONG]
            args = [self.value(a, want) for a, want in zip(e.args, wants, strict=False)]
            return Code(f"{obj}.{e.name}({', '.join(args if place else [thread, *args])})")
        return super()._worklist_method(e, t, obj, thread)


def one_computes(checked: Checked, e: A.Expr) -> bool:
    """Does `e` change what threads share, or may it give each of them another value behind a fault?"""
    return bool(effects_of(checked, [e]).writes) or leaves_loops(checked, e)


class HostExpressions(ExpressionsCxx):
    """In the Program: memory is the device's, so that scalars and elements are asked for one by one."""

    modular = True
    threaded = False
    marks = False

    def scalar(self, word: str) -> str:
        return f"c.read().{scalar_name(word)}"

    def stored_scalar(self, word: str) -> str:
        return f"c.write().{scalar_name(word)}"

    def element(self, graph: str, member: str, index: str) -> str:
        return f"irgl::element(c, {graph}.{member}, {index})"

    def _load(self, e: A.Member | A.Index) -> Code:
        element = isinstance(e, A.Index) and not of_vector(e, self.checked)
        return Code(self.location(e) if element else f"(*{self.location(e)})")

    def clashing(self, e: Holder) -> list[A.Expr]:
        """And what a scalar or an element of an array is updated with, where a kernel or helper may change it before:
        C++ may ask first where it lies."""
        found = super().clashing(e)
        values: tuple[A.Expr, ...] = ()
        if isinstance(e, A.Reduce) and not isinstance(e.target, A.Member):
            values = (e.value,)
        elif isinstance(e, A.Call) and e.function == "cas" and not isinstance(e.args[0], A.Member):
            values = e.args[1:]
        first = [x for x in values if x not in self.computed and self._works(x)]
        return [x for x in operands(self.checked, e) if x in found or x in first] if first else found

    def _works(self, e: A.Expr) -> bool:
        """Does a kernel or a helper run for `e`?"""
        return any(isinstance(n, A.InvokeResult) or (isinstance(n, A.Call) and n.function in self.checked.functions)
                   for n in walk(e))

    def _worklist_method(self, e: A.MethodCall, t: T.Worklist, obj: str, thread: str) -> Code:
        if e.name == "contains":
            return Code(f"{obj}.contains(c, {self.item(e.args[0], T.NODE, e)})")
        return super()._worklist_method(e, t, obj, thread)

    def rows(self, graph: str) -> str:
        return f"c.host({graph})"

    def thread(self) -> str:
        return "c"

    def list_args(self) -> list[str]:
        return ["c"]


class OutlinedExpressions(DeviceExpressions):
    """In a loop that all threads of the grid run: variables of the host live in the loop's `state`."""

    state = "s"

    def __init__(self, checked: Checked) -> None:
        super().__init__(checked)
        self.members: dict[Symbol, str] = {}

    def variable(self, symbol: Symbol) -> str:
        member = self.members.get(symbol)
        return name(symbol.name) if member is None else f"{self.state}.{member}"

    def list_args(self) -> list[str]:
        return ["t"]

    def _acts(self, e: A.Expr) -> bool:
        """What an invocation gave all of them have."""
        while isinstance(e, A.Unary) and e.op == "!":
            e = e.operand
        return e not in self.computed and super()._acts(e)

    def _member(self, e: A.Member) -> Code:
        """One thread alone counts a set by itself: the others don't come to meet it."""
        t = self.checked.types[e.object]
        is_counted = isinstance(t, T.Worklist) and t.kind in M.SETS and e.name == "size"
        if not is_counted or self.together():
            return super()._member(e)
        return Code(f"int64_t({self.value(e.object)}.size())")

    def _name(self, e: A.Name, t: T.Type) -> Code:
        return Code(f"{self.state}.wl") if e.id == "WL" else super()._name(e, t)


def view_type(t: T.Type, checked: Checked) -> str:
    """The type of a list or library object as kernels see it."""
    return f"irgl::View<{cxx_type(t, checked)}>"
