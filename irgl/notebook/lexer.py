"""A Pygments lexer for .irgl: `pygmentize -l irgl`, and every tool that highlights with Pygments."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

from irgl.ast.types import KINDS, NAMES
from irgl.frontends.text.spelling import DECLARATIONS, USAGE
from irgl.notation import FUNCTIONS, NEEDS

#: What C gives the language.
_CONTROL = ("if", "else", "while", "for", "do", "break", "continue", "return")
_C_TYPES = ("char", "short", "int", "long", "signed", "unsigned", "auto", "worklist")
#: Words with a meaning in one place, beside those that begin a statement.
_BESIDE = ("In", "Else", "Initial", "While", "Until", "Any", "All", "Once", "racy", "relaxed", "reads", "writes",
           "verify", "tolerance", "any_valid", "unique", "lower_first", "higher_first", "appends",
           "iterator")  # fmt: skip
_DECLARING = (*(w for w in DECLARATIONS if w != "import"), "struct")
_REDUCTIONS = r"(?:min|max|xchg)="


def _word(*some: str) -> words:
    return words(some, prefix=r"\b", suffix=r"\b")


class IrglLexer(RegexLexer):  # type: ignore[misc]
    """The language of docs/language.md. It takes half-written text, too: what it does not know is plain."""

    name = "IrGL"
    aliases = ("irgl",)
    filenames = ("*.irgl",)
    mimetypes = ("text/x-irgl",)
    tokens = {  # noqa: RUF012 - Pygments' own form
        "root": [
            (r"\s+", Whitespace),
            (r"//[^\n]*", Comment.Single),
            (r"/\*", Comment.Multiline, "comment"),
            (r'"(?:\\.|[^"\\\n])*"', String),
            (r"'(?:\\.|[^'\\\n])+'", String.Char),
            (r"0[xX][0-9a-fA-F]+[uUlL]*", Number.Hex),
            (r"(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFlL]?|[0-9]+[eE][+-]?[0-9]+[fFlL]?", Number.Float),
            (r"[0-9]+[uUlL]*", Number.Integer),
            (r"(\.)(\s*)([A-Za-z_]\w*)(?!\s*\()", bygroups(Punctuation, Whitespace, Name.Attribute)),
            (r"(\.)(\s*)([A-Za-z_]\w*)", bygroups(Punctuation, Whitespace, Name.Function)),
            (_REDUCTIONS, Operator),
            (r"(Kernel|Program)(\s+)([A-Za-z_]\w*)", bygroups(Keyword.Declaration, Whitespace, Name.Function)),
            (r"(graph|struct|library)(\s+)([A-Za-z_]\w*)", bygroups(Keyword.Declaration, Whitespace, Name.Class)),
            (r"\bimport\b", Keyword.Namespace),
            (_word(*_DECLARING), Keyword.Declaration),
            (_word(*USAGE, *_CONTROL, *_BESIDE, *NEEDS), Keyword),
            (_word(*KINDS, *NAMES, *_C_TYPES), Keyword.Type),
            (_word("INF", "NONE", "first", "true", "false"), Keyword.Constant),
            (r"\bWL\b", Name.Builtin.Pseudo),
            (words(FUNCTIONS, prefix=r"\b", suffix=r"(?=\s*\()"), Name.Builtin),
            (r"[A-Za-z_]\w*(?=\s*\()", Name.Function),
            (r"[A-Za-z_]\w*", Name),
            (r"[-+*/%&|^~!<>=?:]+", Operator),
            (r"[{}()\[\];,.]", Punctuation),
            (r".", Text),
        ],
        "comment": [(r"[^*]+", Comment.Multiline), (r"\*/", Comment.Multiline, "#pop"), (r"\*", Comment.Multiline)],
    }
