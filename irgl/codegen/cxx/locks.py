"""Atomic and Exclusive in C++: what is held as an object, its body and its Else."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cxx.lines import LinesCxx
from irgl.codegen.cxx.names import made, property_name, words_of


class LocksCxx(LinesCxx):
    """Writes what runs under locks."""

    def atomic(self, s: A.Atomic) -> None:
        assert isinstance(s.lock, A.Member)
        item = s.lock.object
        t = self.checked.types[item]
        locks = f"*{self.ex.graph_of(t)}.{property_name(s.lock.name)}"
        index = self.ex.item(item, T.NODE if isinstance(t, T.NodeT) else T.EDGE, s.lock)
        self.held += 1
        held = f"held_{self.held}"
        with self.block("{", s):
            if s.blocking:
                self.put(f"irgl::{self._raced('Lock')} {held}({locks}, t, size_t({index}));")
                self.body(s.body)
            else:
                self.put(f"irgl::{self._raced('TryLock')} {held}({locks}, t, size_t({index}));")
                self.either(held, s.body, s.orelse)

    def exclusive(self, s: A.Exclusive) -> None:
        t = self.checked.types[s.object]
        library = isinstance(t, T.Named) and t.name in self.checked.libraries
        owner = self.ex.value(s.object)
        self.held += 1
        held = f"held_{self.held}"
        with self.block("{", s):
            locks = owner + ".locks()" if library else f"*{owner}.exclusive"
            self.put(f"irgl::{self._raced('Exclusive')} {held}({locks}, t);")
            self.name_elements(s, f"{held}.add")
            self.either(held, s.body, s.orelse)

    def _raced(self, lock: str) -> str:
        """The class of a lock that takes nothing where one thread alone is at work."""
        return f"{lock}If<IRGL_RACED({self.ex.inner})>" if self.ex.inner else lock

    def name_elements(self, s: A.Exclusive, add: str) -> None:
        """A call of `add` for each element, also for each of a list's."""
        for e in s.elements:
            item = self.checked.types[e]
            value = self.ex.item(e, item, s)
            if isinstance(item, T.Named):
                k = made("k", words_of(value))
                self.put(f"for (int64_t {k} = 0; {k} < {value}.size(); ++{k}) {add}({value}[{k}]);")
            else:
                self.put(f"{add}({value});")
