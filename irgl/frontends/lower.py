"""From pycparser's C nodes to ours, refusing what C allows and the language does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from pycparser import c_ast

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.source import IrglError, Span

_INT_WORDS = {"int", "long", "short", "char", "signed", "unsigned"}
_UPDATES = {"+", "-", "|", "&", "^", "*", "/", "%", "<<", ">>"}


class Parsed(c_ast.Node):  # type: ignore[misc]
    """A finished node of our syntax, carried through pycparser's lists."""

    __slots__ = ("coord", "node")
    attr_names = ()

    def __init__(self, node: Any) -> None:
        self.node = node
        self.coord = None

    def children(self) -> tuple[()]:
        return ()


def _fail(message: str, span: Span, hint: str | None = None) -> NoReturn:
    raise IrglError(message, span, hint)


class Lowering:
    """Turns C declarations, statements and expressions into ours; `span_of` tells where a C node stands."""

    def __init__(self, span_of: Callable[[c_ast.Node], Span]) -> None:
        self._span = span_of

    # Types

    def specifier(self, spec: Any, span: Span) -> T.Type:
        """The type that declaration specifiers name."""
        if spec["storage"] and spec["storage"] != ["auto"]:
            _fail(f"'{spec['storage'][0]}' is not part of the language", span)
        if spec["function"]:
            _fail(f"'{spec['function'][0]}' is not part of the language", span)
        types = spec["type"]
        if not types:
            return T.AUTO
        return self._named_type(types[-1] if len(types) == 1 else c_ast.IdentifierType(
            [n for t in types for n in getattr(t, "names", [])]), span)

    def type(self, node: Any) -> T.Type:
        """The type of a declarator; pointers, arrays and functions are refused."""
        match node:
            case c_ast.TypeDecl():
                return self._named_type(node.type, self._span(node))
            case c_ast.Typename():
                return self.type(node.type)
            case c_ast.PtrDecl():
                _fail("pointers are not part of the language", self._span(node),
                      "use nodes, edges, properties and arrays")
            case c_ast.ArrayDecl():
                _fail("C arrays are not part of the language", self._span(node), 'import "array.irgl" and use array<T>')
            case _:
                _fail("this type is not part of the language", self._span(node))

    def _named_type(self, node: Any, span: Span) -> T.Type:
        if isinstance(node, c_ast.Struct):
            return T.Named(node.name)
        if not isinstance(node, c_ast.IdentifierType):
            _fail("this type is not part of the language", span)
        names = node.names
        if all(n in _INT_WORDS for n in names):
            return _integer(names)
        if len(names) == 1:
            return parse_type(names[0])
        _fail(f"'{' '.join(names)}' is no type", span)

    # Declarations

    def declaration(self, node: c_ast.Node) -> list[A.Decl]:
        """A declaration outside all braces."""
        span = self._span(node)
        match node:
            case Parsed():
                return [node.node]
            case c_ast.FuncDef():
                return [self._function(node)]
            case c_ast.Decl(type=c_ast.Struct() as struct):
                return [self._struct(struct, span)]
            case c_ast.Decl(type=c_ast.FuncDecl()):
                _fail(f"function '{node.name}' has no body", span, "helpers may be used before they are written")
            case c_ast.Decl():
                init = None if node.init is None else self.expr(node.init)
                return [A.Global(self.type(node.type), node.name, init, span=self._name_span(node))]
            case c_ast.Typedef():
                _fail("typedef is not part of the language", span, "use the type's own name")
            case c_ast.EmptyStatement() | c_ast.Pragma():
                return []
            case _:
                _fail("this is not a declaration of the language", span)

    def _name_span(self, decl: Any) -> Span:
        c = decl.coord
        source = self._span(decl).source
        return Span(source, c.line, c.column, c.line, c.column + len(decl.name or " "))

    def _struct(self, node: c_ast.Struct, span: Span) -> A.Struct:
        if node.decls is None:
            _fail(f"struct {node.name} has no fields", span)
        if node.name is None:
            _fail("a struct needs a name", span)
        fields = []
        for d in node.decls:
            if not isinstance(d, c_ast.Decl) or d.bitsize is not None or d.name is None:
                _fail("a struct holds plain fields", span)
            fields.append(A.Field(self.type(d.type), d.name, span=self._name_span(d)))
        return A.Struct(node.name, tuple(fields), span=span)

    def _function(self, node: c_ast.FuncDef) -> A.Function:
        decl = node.decl
        span = self._name_span(decl)
        params = []
        args = decl.type.args.params if decl.type.args is not None else []
        for p in args:
            if isinstance(p, c_ast.Typename) and isinstance(p.type, c_ast.TypeDecl) and p.type.declname is None:
                if isinstance(p.type.type, c_ast.IdentifierType) and p.type.type.names == ["void"] and len(args) == 1:
                    break
                _fail("a parameter needs a name", self._span(p))
            if not isinstance(p, c_ast.Decl):
                _fail("this parameter is not part of the language", self._span(p))
            params.append(A.Param(self.type(p.type), p.name, None, (), span=self._name_span(p)))
        return A.Function(self.type(decl.type.type), decl.name, tuple(params), self.body(node.body), span=span)

    # Statements

    def body(self, node: Any) -> tuple[A.Stmt, ...]:
        """The statements of a block, or the one statement that stands without braces."""
        if isinstance(node, c_ast.Compound):
            return tuple(s for item in node.block_items or [] for s in self.stmt(item))
        return tuple(self.stmt(node))

    def stmt(self, node: Any) -> list[A.Stmt]:
        span = self._span(node)
        match node:
            case Parsed():
                return [node.node if not isinstance(node.node, A.Expr) else A.ExprStmt(node.node, span=span)]
            case c_ast.Compound():
                return [A.Block(self.body(node), span=span)]
            case c_ast.Decl():
                return [self._variable(node)]
            case c_ast.DeclList():
                return [self._variable(d) for d in node.decls]
            case c_ast.If():
                orelse = () if node.iffalse is None else self.body(node.iffalse)
                return [A.If(self.expr(node.cond), self.body(node.iftrue), orelse, span=span)]
            case c_ast.While():
                return [A.While(self.expr(node.cond), self.body(node.stmt), span=span)]
            case c_ast.DoWhile():
                return [A.DoWhile(self.body(node.stmt), self.expr(node.cond), span=span)]
            case c_ast.For():
                init = () if node.init is None else tuple(self.stmt(node.init))
                test = None if node.cond is None else self.expr(node.cond)
                step = () if node.next is None else tuple(self.stmt(node.next))
                return [A.CFor(init, test, step, self.body(node.stmt), span=span)]
            case c_ast.Break():
                return [A.Break(span=span)]
            case c_ast.Continue():
                return [A.Continue(span=span)]
            case c_ast.Return():
                return [A.Return(None if node.expr is None else self.expr(node.expr), span=span)]
            case c_ast.Label():
                inner = self.stmt(node.stmt)
                if len(inner) != 1:
                    _fail(f"label '{node.name}' stands before nothing", span)
                return [A.Labeled(node.name, inner[0], span=span)]
            case c_ast.EmptyStatement():
                return []
            case c_ast.ExprList():
                return [s for e in node.exprs for s in self.stmt(e)]
            case c_ast.Assignment(op="="):
                return [A.Assign(self.expr(node.lvalue), self.expr(node.rvalue), "plain", span=span)]
            case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--"):
                return [A.ExprStmt(A.Reduce(node.op.strip("p")[0], self.expr(node.expr), A.IntLit(1, T.INT, span=span),
                                            span=span), span=span)]
            case c_ast.Typedef() | c_ast.Pragma() | c_ast.StaticAssert():
                _fail("this is not a statement of the language", span)
            case c_ast.Decl() | c_ast.FuncDef():
                _fail("a function can't stand inside another", span)
            case _:
                return [A.ExprStmt(self.expr(node), span=span)]

    def _variable(self, d: Any) -> A.Stmt:
        span = self._name_span(d)
        if isinstance(d.type, c_ast.FuncDecl):
            _fail(f"function '{d.name}' is declared inside a block", span, "functions stand outside all braces")
        if isinstance(d.type, c_ast.Struct | c_ast.Union | c_ast.Enum):
            _fail("types are declared outside all braces", self._span(d))
        if d.storage:
            _fail(f"'{d.storage[0]}' is not part of the language", span)
        init = None if d.init is None else self.expr(d.init)
        return A.VarDecl(self.type(d.type), d.name, init, span=span)

    # Expressions

    def expr(self, node: Any) -> A.Expr:
        span = self._span(node)
        match node:
            case Parsed():
                if not isinstance(node.node, A.Expr):
                    _fail("a statement stands where a value is wanted", span)
                return node.node
            case c_ast.Constant():
                return _constant(node, span)
            case c_ast.ID():
                if node.name in ("true", "false"):
                    return A.BoolLit(node.name == "true", span=span)
                return A.Name(node.name, span=span)
            case c_ast.UnaryOp():
                return self._unary(node, span)
            case c_ast.BinaryOp():
                return A.Binary(node.op, self.expr(node.left), self.expr(node.right), span=span)
            case c_ast.TernaryOp():
                return A.Conditional(self.expr(node.cond), self.expr(node.iftrue), self.expr(node.iffalse), span=span)
            case c_ast.Cast():
                return A.Cast(self.type(node.to_type), self.expr(node.expr), span=span)
            case c_ast.FuncCall():
                return self._call(node, span)
            case c_ast.StructRef():
                if node.type == "->":
                    _fail("'->' is not part of the language", span, "use '.'")
                return A.Member(self.expr(node.name), node.field.name, span=span)
            case c_ast.ArrayRef():
                return A.Index(self.expr(node.name), self.expr(node.subscript), span=span)
            case c_ast.Assignment():
                op = node.op.removesuffix("=")
                if op not in _UPDATES:
                    _fail("an assignment has no value here", span, "make it a statement of its own; compare with ==")
                return A.Reduce(op, self.expr(node.lvalue), self.expr(node.rvalue), span=span)
            case c_ast.CompoundLiteral():
                values = node.init.exprs if isinstance(node.init, c_ast.InitList) else [node.init]
                return A.StructLit(self.type(node.type), tuple(self.expr(v) for v in values), span=span)
            case c_ast.InitList():
                _fail("a bare { list } has no type", span, "write (Type){ values }")
            case c_ast.NamedInitializer():
                _fail("fields are given in order, without names", span)
            case c_ast.ExprList():
                _fail("the comma operator is not part of the language", span, "write two statements")
            case _:
                _fail("this expression is not part of the language", span)

    def _unary(self, node: Any, span: Span) -> A.Expr:
        if node.op in ("p++", "++", "p--", "--"):
            _fail(f"'{node.op.strip('p')}' has no value here", span, "make it a statement of its own")
        if node.op in ("*", "&"):
            _fail("pointers are not part of the language", span, "use nodes, edges, properties and arrays")
        if node.op not in ("-", "+", "!", "~"):
            _fail(f"'{node.op}' is not part of the language", span)
        return A.Unary(node.op, self.expr(node.expr), span=span)

    def _call(self, node: Any, span: Span) -> A.Expr:
        args = tuple(self.expr(a) for a in (node.args.exprs if node.args is not None else []))
        match node.name:
            case c_ast.ID():
                return A.Call(node.name.name, args, span=span)
            case c_ast.StructRef(type="."):
                return A.MethodCall(self.expr(node.name.name), node.name.field.name, args, span=span)
            case _:
                _fail("only functions, kernels' helpers and methods are called", span)


def parse_type(name: str) -> T.Type:
    """The type that one (normalised) word names: `node`, `list<node>`, `unique list<edge>`, `Light`."""
    if name in T.NAMES:
        return T.NAMES[name]
    if name.startswith("unique "):
        inner = parse_type(name.removeprefix("unique "))
        return T.Worklist(inner.kind, inner.item, True) if isinstance(inner, T.Worklist) else inner
    if "<" not in name:
        words = name.split()
        return _integer(words) if words and all(w in _INT_WORDS for w in words) else T.Named(name)
    head, _, rest = name.partition("<")
    if head in ("node", "edge"):
        return T.NodeT(rest[:-1]) if head == "node" else T.EdgeT(graph=rest[:-1])
    args = tuple(parse_type(a) for a in _split(rest[:-1]))
    if head in T.KINDS and len(args) == 1:
        return T.Worklist(head, args[0])
    return T.Named(head, args)


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += {"<": 1, ">": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return parts


def _integer(names: list[str]) -> T.Type:
    bits = 64 if "long" in names else 16 if "short" in names else 8 if "char" in names else 32
    return T.Int(bits, "unsigned" not in names)


def _constant(node: Any, span: Span) -> A.Expr:
    text: str = node.value
    if node.type == "string":
        return A.StringLit(bytes(text[1:-1], "utf-8").decode("unicode_escape"), span=span)
    if node.type == "char":
        body = bytes(text[1:-1], "utf-8").decode("unicode_escape")
        if len(body) != 1:
            _fail(f"{text} is not one character", span)
        return A.IntLit(ord(body), T.INT, span=span)
    if node.type in ("float", "double"):
        return A.FloatLit(text.rstrip("fF"), T.FLOAT if node.type == "float" else T.DOUBLE, span=span)
    if node.type == "long double":
        _fail("long double is not part of the language", span, "use double")
    digits = text.rstrip("uUlL")
    suffix = text[len(digits) :].lower()
    if digits.startswith(("0x", "0X", "0b", "0B")):
        value = int(digits, 0)
    else:
        value = int(digits, 8) if len(digits) > 1 and digits.startswith("0") else int(digits)
    signed = "u" not in suffix
    bits = 64 if "l" in suffix or value > T.Int(32, signed).max else 32
    if value > T.Int(bits, signed).max:
        if value > T.ULONG.max:
            _fail(f"{text} does not fit in 64 bits", span)
        signed = False
    return A.IntLit(value, T.Int(bits, signed), span=span)
