"""A program in the notation for Python. Reading that text gives an equal tree again."""

from __future__ import annotations

from typing import assert_never

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_python_expr import spelt, type_and_lengths, type_text
from irgl.ast.dump_python_stmt import INDENT, StatementWriter
from irgl.ast.visit import walk

_HEAD = ["from __future__ import annotations", "", "import irgl"]


def dump_python(program: A.Program) -> str:
    """The text of a Python file that holds the program. AssertionError for a loop that Python has no form of."""
    functions = {d.name for d in program.decls if isinstance(d, A.Function | A.Kernel)}
    scalars = {g.name for g in program.decls if isinstance(g, A.Global)}
    lines = list(_HEAD)
    last: A.Decl | None = None
    for d in program.decls:
        if isinstance(d, A.Import | A.Global | A.Constant):
            short = isinstance(last, A.Import | A.Global | A.Constant)
            lines += ["" for _ in range(1 if last is None else 0 if short else 2)]
        else:
            lines += ["", ""]
        lists = {n.name for n in walk(d) if isinstance(n, A.VarDecl | A.Param) and isinstance(n.type, T.Worklist)} | {
            "WL"
        }
        lines += _Declarations(_own(d) | scalars, functions, _list_name(d), lists).decl(d, program, scalars - _own(d))
        last = d
    return "\n".join(lines) + "\n"


def _own(d: A.Decl) -> set[str]:
    """The names of a declaration's variables."""
    return {n.name for n in walk(d) if isinstance(n, A.VarDecl | A.Param)} | {
        n.var for n in walk(d) if isinstance(n, A.For | A.ForAll)
    }


def _list_name(d: A.Decl) -> str:
    return "WL" if "wl" in _own(d) else "wl"


class _Declarations(StatementWriter):
    def decl(self, d: A.Decl, program: A.Program, scalars: set[str]) -> list[str]:
        """The lines of a declaration; scalars: the program's that it sees."""
        match d:
            case A.Import():
                return [f'irgl.include("{d.path}")']
            case A.Struct():
                return [
                    "@irgl.struct",
                    f"class {d.name}:",
                    *(f"{INDENT}{spelt(f.name)}: {type_text(f.type)}" for f in d.fields),
                ]
            case A.GraphType():
                return [
                    "@irgl.graph",
                    f"class {d.name}:",
                    *([INDENT + self._property(p) for p in d.properties] or [f"{INDENT}pass"]),
                ]
            case A.Library():
                return self._library(d)
            case A.Global():
                init = "" if d.init is None else f", {self.expr(d.init)}"
                return [f"{spelt(d.name)} = irgl.scalar({type_text(d.type)}{init})"]
            case A.Constant():
                return [f"{spelt(d.name)} = irgl.constant({d.value})"]
            case A.Function():
                head = f"def {spelt(d.name)}({self._params(d.params)}) -> {type_text(d.returns)}:"
                return ["@irgl.function", head, *self.stored(d.body, scalars), *self.indented(d.body)]
            case A.Kernel():
                self.parallel = True
                return ["@irgl.kernel", self._kernel_head(d), *self.stored(d.body, scalars), *self.indented(d.body)]
            case A.Entry():
                properties = {p.name: g.name for g in program.decls if isinstance(g, A.GraphType) for p in g.properties}
                clauses = [INDENT + self._clause(c, properties) for c in d.clauses]
                body = self.indented(d.body) if d.body or not clauses else []
                head = f"def {spelt(d.name)}({self._params(d.params)}):"
                return ["@irgl.program", head, *self.stored(d.body, scalars), *clauses, *body]
            case _:
                assert_never(d)

    def _property(self, p: A.Property) -> str:
        init = "" if p.init is None else f" = {self.expr(p.init)}"
        init = init if p.axis is None else f" = irgl.coordinate({p.axis})"
        kind = f"irgl.{p.owner}[{', '.join(type_and_lengths(p.type))}]"
        return f"{spelt(p.name)}: {f'irgl.input[{kind}]' if p.given and p.axis is None else kind}{init}"

    def _kernel_head(self, d: A.Kernel) -> str:
        params = [self._params(d.params)] if d.params else []
        if d.worklist is not None or any(isinstance(n, A.Name) and n.id == "WL" for n in walk(d)):
            of = "" if d.worklist is None else f"[{type_text(d.worklist)}]"
            params.append(f"{self.wl}: irgl.worklist{of}")
        return f"def {spelt(d.name)}({', '.join(params)}):"

    def _params(self, params: tuple[A.Param, ...]) -> str:
        found, earlier, defaults, star = [], set[str](), False, False
        for p in params:
            text = f"{spelt(p.name)}: {type_text(p.type)}"
            if p.needs:
                text += f"[{', '.join(f'irgl.{n}' for n in p.needs)}]"
            if p.default is not None:
                text += f" = {self._default(p.default, earlier)}"
                defaults = True
            elif defaults and not star:
                found.append("*")
                star = True
            earlier.add(p.name)
            found.append(text)
        return ", ".join(found)

    def _default(self, e: A.Expr, earlier: set[str]) -> str:
        if isinstance(e, A.Call) and e.function == "auto":
            return f"irgl.auto({self._default(e.args[0], earlier)})"
        outer, self.own = self.own, earlier
        text = self.expr(e)
        self.own = outer
        used = sorted(earlier & {n.id for n in walk(e) if isinstance(n, A.Name)})
        return text if not used else f"lambda {', '.join(map(spelt, used))}: {text}"

    def _clause(self, c: A.Clause, properties: dict[str, str]) -> str:
        match c:
            case A.AnyValid():
                return "irgl.any_valid()"
            case A.Tolerance():
                return f"irgl.tolerance({self.expr(c.value)})"
            case A.Verify():
                roles = [f", {spelt(r.name)}={self._role(r.value, properties)}" for r in c.roles]
                return f'irgl.verify("{c.verifier}"{"".join(roles)})'
            case _:
                assert_never(c)

    def _role(self, e: A.Expr, properties: dict[str, str]) -> str:
        if isinstance(e, A.Name) and e.id not in self.own and e.id in properties:
            return f"{properties[e.id]}.{spelt(e.id)}"
        return self.expr(e)

    def _library(self, d: A.Library) -> list[str]:
        words = ", ".join(f'"{w}"' for w in (d.header, *d.params))
        lines = [f"@irgl.library({words})", f"class {d.name}:"]
        for f in d.features:
            match f:
                case A.Attribute():
                    lines.append(f"{INDENT}{spelt(f.name)}: {type_text(f.type)}")
                case A.Iterator():
                    lines.append(f"{INDENT}{spelt(f.name)}: irgl.iterator[{type_text(f.item)}]")
                case A.Elements():
                    locked = ', "exclusive"' if f.exclusive else ""
                    lines.append(f"{INDENT}_: irgl.elements[{type_text(f.item)}{locked}]")
                case A.Own():
                    lines.append(f"{INDENT}_: irgl.own")
                case A.Stays():
                    lines.append(f"{INDENT}_: irgl.stays")
                case A.Method():
                    forms = ", ".join(f'{c.level}="{c.function}"' for c in f.forms)
                    if f.effect != "reads" or forms:
                        lines.append(f"{INDENT}@irgl.{f.effect}{f'({forms})' if forms else ''}")
                    params = "".join(f", {spelt(p.name)}: {type_text(p.type)}" for p in f.params)
                    lines.append(f"{INDENT}def {spelt(f.name)}(self{params}) -> {type_text(f.returns)}: ...")
                case _:
                    assert_never(f)
        return lines if d.features else [*lines, f"{INDENT}pass"]
