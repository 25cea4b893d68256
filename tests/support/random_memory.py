"""The statements of random kernels that touch shared memory and worklists, by the parts that names play."""

from __future__ import annotations

from abc import abstractmethod

from support.random_expressions import INTS, Prop, Scope
from support.random_kernels import SETS, WHOLE, KernelMaker


class Memory(KernelMaker):
    """KernelMaker with stores, updates, locks and pushes."""

    @abstractmethod
    def declare(self, s: Scope, _: int) -> None: ...

    def _targets(self, s: Scope, parts: tuple[str, ...], own: int = 0) -> list[tuple[str, Prop]]:
        return [
            (f"{i.text}.{p.name}", p)
            for p in self.props
            if self.r.parts[p.name] in parts
            for i in s.reachable()
            if i.owner == p.owner and (not own or i.own == own)
        ]

    def reduce(self, s: Scope, depth: int) -> None:
        targets = self._targets(s, WHOLE)
        if not targets:
            return self.reduce_scalar(s, depth)
        place, p = self.c.pick(targets)
        return self.put(f"{place} {self.r.parts[p.name]}= {self.e.of(p.type, s)};")

    def reduce_scalar(self, s: Scope, depth: int) -> None:
        open_ones = [(name, t) for name, t in self.scalars if self.r.parts[name] in WHOLE]
        if not open_ones:
            return self.declare(s, depth)
        name, t = self.c.pick(open_ones)
        return self.put(f"{name} {self.r.parts[name]}= {self.e.of(t, s)};")

    def store(self, s: Scope, depth: int) -> None:
        targets = self._targets(s, ("owned",), depth)
        if not targets:
            return self.reduce(s, depth)
        place, p = self.c.pick(targets)
        value = self.e.of(p.type, s)
        if p.type in INTS and self.c.chance(30):
            name, part = self.fresh("v"), self.c.pick((".old", ""))
            t = p.type if part else "bool"
            self.put(f"{t} {name} = ({place} {self.c.pick((*WHOLE, 'xchg'))}= {value}){part or '.changed'};")
            s.vars.append((name, t))
            return None
        if p.type in INTS and self.c.chance(15):
            return self.put(f"if (cas({place}, {self.e.of(p.type, s, 0)}, {value})) {{ {place} += ({p.type})(1); }}")
        return self.put(f"{place} = {value};")

    def racy(self, s: Scope, depth: int) -> None:
        targets = self._targets(s, ("racy",))
        if not targets:
            return self.store(s, depth)
        place, p = self.c.pick(targets)
        return self.put(f"racy {place} = {'true' if p.type == 'bool' else '7'};")

    def locked(self, s: Scope, depth: int) -> None:
        targets = [(place, p) for place, p in self._targets(s, ("locked",)) if p.owner == "node"]
        if not targets:
            return self.racy(s, depth)
        place, p = self.c.pick(targets)
        value = self.e.integer(s)
        self.put(f"Atomic ({place.removesuffix(p.name)}guard) {{")
        self.put(f"{place} = ({p.type})({place} + {value});")
        return self.put("}")

    def scratch(self, s: Scope, depth: int) -> None:
        nodes = s.nodes()
        if not nodes or depth > 2:
            return self.reduce(s, depth)
        marks, many, var = self.fresh("marks"), self.fresh("v"), self.fresh("e")
        self.put(f"scratch<node> {marks};")
        self.put(f"For ({var} In {self.c.pick(nodes)}.edges) {{ {marks}.push({var}.dst); }}")
        self.put(f"int {many} = 0;")
        self.put(f"ForAll ({var} In {self.c.pick(nodes)}.in_edges) {{ if ({marks}.contains({var}.src)) {many} += 1; }}")
        s.vars.append((many, "int"))
        return None

    def push(self, s: Scope, depth: int) -> None:
        lists = [(name, t) for name, t, mode in self.kernel.lists if mode in ("push", "grow")]
        lists += [found for found in lists if found[1].startswith("AppendOnlyList")]
        if self.kernel.worklist:
            lists += [("WL", self.kernel.worklist)] * 2
        if not lists:
            return self.reduce(s, depth)
        name, t = self.c.pick(lists)
        kind, item = t.rstrip(">").split("<")
        if item == "edge":
            options = [i.text for i in s.items if i.owner == "edge"]
        else:
            options = s.nodes() if item == "node" else [self.e.of(item, s)]
        if not options:
            return self.reduce(s, depth)
        text = f"{name}.{'append' if kind == 'AppendOnlyList' else 'push'}({self.c.pick(options)});"
        if kind in SETS and self.c.chance(50):
            return self.put(text)
        return self.put(f"if ({self.e.boolean(s)}) {{ {text} }}")

    def ending(self, s: Scope) -> None:
        if self.kernel.uses_worklist and self.kernel.worklist in ("list<int>", "list<long>") and self.c.chance(40):
            self.respawn(s, 1)

    def respawn(self, s: Scope, depth: int) -> None:
        t = self.kernel.worklist.rstrip(">")
        item = next((name for name, _ in s.vars if name.startswith("x_")), None)
        if t not in ("list<int", "list<long") or item is None or depth > 1:
            return self.push(s, depth)
        word = self.c.pick(("Respawn", "Retry"))
        return self.put(
            f"if ({item} > 0 && {item} < 12) {{ {word} ({t.split('<')[1]})({item} - {self.c.between(1, 3)}); }}"
        )
