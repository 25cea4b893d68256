"""Any tree as .irgl text. Parsing that text gives an equal tree again (types that no program can write - a position
in a list, a range - are shown as words)."""

from __future__ import annotations

from typing import assert_never

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import expression
from irgl.ast.dump_stmt import INDENT, braced, initial, initialiser, statement
from irgl.ast.tree import tree

__all__ = ["dump", "tree"]


def dump(node: A.Node) -> str:
    """The text of a node of any kind; a Program ends with a newline, nothing else does."""
    match node:
        case A.Program():
            return "\n\n".join(_grouped(node.decls)) + "\n" if node.decls else ""
        case (
            A.Import()
            | A.Struct()
            | A.GraphType()
            | A.Library()
            | A.Global()
            | A.Constant()
            | A.Function()
            | A.Kernel()
            | A.Entry()
        ):
            return "\n".join(_decl(node))
        case A.Field():
            return f"{node.type} {node.name}"
        case A.Property():
            first = initialiser(node.init) if node.axis is None else f" = coordinate({node.axis})"
            given = "input " * (node.given and node.axis is None)
            return f"{given}{node.owner} {T.declaration(node.type, node.name)}{first}"
        case A.Param():
            return " ".join((*node.needs, T.declaration(node.type, node.name))) + initialiser(node.default)
        case A.Attribute() | A.Method() | A.Iterator() | A.Elements() | A.Own() | A.Stays():
            return _feature(node)
        case A.Cooperative():
            return f"{node.level}({node.function})"
        case A.Verify() | A.Tolerance() | A.AnyValid():
            return _clause(node)
        case A.Role():
            return f"{node.name} = {expression(node.value)}"
        case A.InitialItems() | A.InitialIterator():
            return initial(node)
        case _:
            if isinstance(node, A.Expr):
                return expression(node)
            assert isinstance(node, A.Stmt), node
            return "\n".join(statement(node))


def _grouped(decls: tuple[A.Decl, ...]) -> list[str]:
    """Declarations by paragraphs: neighbouring one-line ones of one kind stand together."""
    paragraphs: list[str] = []
    last: A.Decl | None = None
    for d in decls:
        if isinstance(d, A.Import | A.Global | A.Constant) and type(d) is type(last):
            paragraphs[-1] += "\n" + dump(d)
        else:
            paragraphs.append(dump(d))
        last = d
    return paragraphs


# Declarations


def _decl(d: A.Decl) -> list[str]:
    match d:
        case A.Import():
            return [f'import "{d.path}";']
        case A.Struct():
            return [f"struct {d.name} {{", *(f"{INDENT}{dump(f)};" for f in d.fields), "};"]
        case A.GraphType():
            return _listed(f"graph {d.name}", [f"{dump(p)};" for p in d.properties])
        case A.Library():
            params = f"<{', '.join(d.params)}>" if d.params else ""
            return _listed(f'library {d.name}{params} "{d.header}"', [_feature(f) for f in d.features])
        case A.Global():
            return [f"{d.type} {d.name}{initialiser(d.init)};{'  // no part of the answer' * d.hidden}"]
        case A.Constant():
            return [f"const int {d.name} = {d.value};"]
        case A.Function():
            return braced(f"{d.returns} {d.name}({_list(d.params)})", d.body)
        case A.Kernel():
            worklist = f" WL {d.worklist}" if d.worklist is not None else ""
            return braced(f"Kernel {d.name}({_list(d.params)}){worklist}", d.body)
        case A.Entry():
            clauses = "".join(f" {_clause(c)}" for c in d.clauses)
            return braced(f"Program {d.name}({_list(d.params)}){clauses}", d.body)
        case _:
            assert_never(d)


def _listed(head: str, lines: list[str]) -> list[str]:
    return [f"{head} {{", *(INDENT + line for line in lines), "}"] if lines else [f"{head} {{}}"]


def _list(nodes: tuple[A.Param, ...] | tuple[A.Role, ...]) -> str:
    return ", ".join(map(dump, nodes))


def _feature(f: A.Feature) -> str:
    match f:
        case A.Attribute():
            return f"{f.type} {f.name};"
        case A.Method():
            effect = "" if f.effect == "reads" else f"{f.effect} "
            forms = "".join(f" {dump(c)}" for c in f.forms)
            return f"{effect}{f.returns} {f.name}({_list(f.params)}){forms};"
        case A.Iterator():
            return f"iterator {f.item} {f.name};"
        case A.Elements():
            return f"{'exclusive ' * f.exclusive}elements {f.item};"
        case A.Own():
            return "own;"
        case A.Stays():
            return "stays;"
        case _:
            assert_never(f)


def _clause(c: A.Clause) -> str:
    match c:
        case A.Verify():
            return f"verify {c.verifier}({_list(c.roles)})"
        case A.Tolerance():
            return f"tolerance {expression(c.value)}"
        case A.AnyValid():
            return "any_valid"
        case _:
            assert_never(c)
