"""Random whole programs, well-typed and with one result: types, scalars, helpers, kernels, orchestration, a graph.

    program = random_program(Seeded(7))          for long runs
    @given(programs())                           shrinkable
"""

from __future__ import annotations

from hypothesis import strategies as st

from support.choices import Choices, Drawn
from support.random_expressions import INTS, Item, Prop, Scope
from support.random_fixpoints import candidates, fixpoint
from support.random_parts import WORKLISTS, Parts, RandomProgram

__all__ = ["RandomProgram", "programs", "random_program"]


class Maker(Parts):
    """Adds the host's statements."""

    def put(self, text: str) -> None:
        self.host.append(text)

    def statement(self) -> None:
        options = (
            self.invoke,
            self.looping_pipe,
            self.iterate,
            self.fixpoint,
            self.pipe_once,
            self.test_value,
            self.invoke,
            self.if_any,
            self.list_work,
            self.scalar_work,
            self.repeated,
            self.grown,
            self.grown,
        )
        self.c.pick(options)()

    def scope(self) -> Scope:
        sizes = [(f"{name}.size", "long") for name, _ in self.lists]
        s = Scope([("turn", "int"), ("h", "long"), *self.scalars, *sizes], shared=self.props)
        if self.has_source:
            s.items.append(Item("src", "node"))
        return s

    def invoke(self) -> None:
        self.put(f"Invoke {self.kernel().invocation()};")
        self.put("turn++;")

    def repeated(self) -> None:
        k = self.kernel()
        self.put(f"for (int r = 0; r < {self.c.pick(('2', '1', '3'))}; r++) {{ Invoke {k.invocation()}; turn++; }}")

    def grown(self) -> None:
        """Kernels that push to a list under conditions on its size, in a loop that may run on the GPU."""
        piles = [name for name, t in self.lists if t.startswith("list<")]
        if not piles:
            return self.looping_pipe()
        c, name, r = self.c, self.c.pick(piles), f"r{len(self.host)}"
        first, then = self.kernel(pushes=name), self.kernel(pushes=c.pick(piles))
        other = c.pick(piles)
        size = c.pick((f"{name}.size < 12", f"{name}.size % 3 != 1", f"{name}.size == {other}.size", "turn > 1"))
        twins = [n for n in piles if dict(self.lists)[n] == dict(self.lists)[name] and n != name]
        between = f"{name}.swap({c.pick(twins)}); " if twins and c.chance(30) else ""
        between += c.pick(("", f"h += {name}.size; ", "", f"if ({name}.size > 9) {{ {name}.clear(); }} "))
        inside = f"if ({size}) {{ {between}Invoke {first.invocation()}; }} turn++; Invoke {then.invocation()};"
        if c.chance(50):
            inside = f"Invoke {first.invocation()}; turn++; {between}if ({size}) {{ Invoke {then.invocation()}; }}"
        test = c.pick((f"{r} < 3", f"{r} < 2 && {size}", f"{name}.size < 20 && {r} < 4"))
        return self.put(f"Pipe Once {{ for (int {r} = 0; {test}; {r}++) {{ {inside} }} }}")

    def if_any(self) -> None:
        k, word = self.kernel(returns=True), self.c.pick(("Any", "All"))
        self.put(
            f"if ({word} Invoke {k.invocation()}) {{ h += 1; }} else {{ h ^= {self.maker.e.integer(self.scope())}; }}"
        )

    def _limited(self) -> str:
        stop = f"stop{len(self.host)}"
        self.put(f"int {stop} = turn + {self.c.pick(('2', '1', '3', '4'))};")
        whole = [(name, t) for name, t in self.scalars if t in INTS]
        also = ""
        if whole and self.c.chance(20):
            name, t = self.c.pick(whole)
            also = f"{name} += ({t})((h += {self.c.between(1, 9)}).old); "
        return f"turn++; {also}if (turn >= {stop}) break;"

    def test_value(self) -> None:
        k = self.kernel(returns=True)
        mode, word = self.c.pick(("While", "Until")), self.c.pick(("Any", "All"))
        limit = self._limited()
        self.put(f"Iterate {mode} {word} {k.invocation()} {{ {limit} }}")

    def iterate(self) -> None:
        worklist = self.c.pick(WORKLISTS)
        returns = self.c.chance(30)
        k = self.kernel(worklist, returns=returns)
        mode = f"{self.c.pick(('While', 'Until'))} {self.c.pick(('Any', 'All'))} " if returns else ""
        limit = self._limited()
        self.put(f"Iterate {mode}{k.invocation()} Initial {self.initial(worklist)} {{ {limit} }}")

    def looping_pipe(self) -> None:
        worklist = self.c.pick(WORKLISTS)
        inside = [self.kernel(worklist) for _ in range(self.c.between(1, 2))]
        limit = self._limited()
        steps = " ".join(f"Invoke {k.invocation()};" for k in inside)
        extra = f"h += {self.maker.e.integer(self.scope(), 1)}; " if self.c.chance(30) else ""
        self.put(f"Pipe Initial {self.initial(worklist)} {{ {steps} {extra}{limit} }}")

    def pipe_once(self) -> None:
        worklist = self.c.pick(WORKLISTS)
        fill, use = self.kernel(worklist, reads=False), self.kernel(worklist)
        limit = self._limited()
        middle = self.c.pick(
            (
                f"Invoke {use.invocation()};",
                f"Pipe {{ Invoke {use.invocation()}; {limit} }}",
                f"Iterate {use.invocation()} {{ {limit} }}",
                self._two_loops(limit),
            )
        )
        self.put(f"Pipe Once {{ Invoke {fill.invocation()}; {middle} }}")

    def _two_loops(self, limit: str) -> str:
        """Loops in a row that ask for a value."""
        first, then = self.kernel(returns=True).invocation(), self.kernel(returns=True).invocation()
        return f"Iterate While Any {first} {{ {limit} }} turn -= 2; Iterate Until All {then} {{ {limit} }}"

    def fixpoint(self) -> None:
        if not candidates(self.props):
            return self.invoke()
        weight = "(long)(e.w)"
        k, line = fixpoint(self.c, f"k{len(self.kernels)}", self.props, weight)
        self.kernels.append(k)
        return self.put(line)

    def list_work(self) -> None:
        if not self.lists:
            return self.invoke()
        name, t = self.c.pick(self.lists)
        twins = [n for n, u in self.lists if u == t and n != name]
        fitting = [
            n for n, u in self.lists if u.endswith(t[t.index("<") :]) and n != name and not u.startswith("count")
        ]
        match self.c.below(5):
            case 1:
                self.put(f"{name}.clear();")
            case 2 if twins:
                self.put(f"{name}.swap({self.c.pick(twins)});")
            case 3 if fitting and not t.startswith("count"):
                self.put(f"{name}.update({self.c.pick(fitting)});")
            case 4 if self.has_source and t.endswith("<node>"):
                self.put(f"{name}.push(src);")
            case _:
                self.put(f"h = h * 3 + {name}.size;")
        return self.invoke()

    def scalar_work(self) -> None:
        name, t = self.c.pick(self.scalars)
        op = self.c.pick(("=", "+=", "min=", "max="))
        self.put(f"{name} {op} {self.maker.e.of(t, self.scope())};")
        stored = self.storable()
        if self.has_source and stored:
            p = self.c.pick(stored)
            self.put(f"src.{p.name} = {self.maker.e.of(p.type, self.scope())};")
        self.invoke()

    def storable(self) -> list[Prop]:
        """Properties that the host may store."""
        return [p for p in self.props if p.owner == "node" and p.type in INTS]


def random_program(c: Choices) -> RandomProgram:
    """A program with its graph and parameters."""
    return Maker(c).make()


@st.composite
def programs(draw: st.DrawFn) -> RandomProgram:
    """Programs that hypothesis can shrink."""
    return random_program(Drawn(draw))
