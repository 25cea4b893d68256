"""A Pygments lexer for GraphIt's .gt files: `pygmentize -l graphit`, and every tool that highlights with Pygments."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, include, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

_CONTROL = ("if", "elif", "else", "while", "do", "for", "par_for", "in", "end", "break", "return", "print", "println",
            "delete", "new", "from", "to", "srcFilter", "dstFilter", "apply", "applyModified", "applyUpdatePriority",
            "applyUpdatePriorityExtern", "where", "filter", "modified")
_TYPES = ("int", "uint", "uint_64", "float", "double", "bool", "string", "vector", "vertexset", "edgeset", "list",
          "priority_queue")
#: GraphIt's own functions, but for methods.
_FUNCTIONS = ("load", "atoi", "fabs", "floor", "log", "max", "to_double", "writeMin", "atomicAdd", "startTimer",
              "stopTimer", "getRandomOutNgh", "getRandomInNgh", "intersection", "intersectNeighbor")


def _word(*some: str) -> words:
    return words(some, prefix=r"\b", suffix=r"\b")


class GraphItLexer(RegexLexer):  # type: ignore[misc]
    """GraphIt's language and, behind `schedule:`, its languages of schedules. It takes half-written text, too."""

    name = "GraphIt"
    aliases = ("graphit",)
    filenames = ("*.gt",)
    mimetypes = ("text/x-graphit",)
    tokens = {  # noqa: RUF012 - Pygments' own form
        "root": [
            (r"(schedule)(\s*)(:)", bygroups(Keyword.Namespace, Whitespace, Punctuation), "schedule"),
            (r"(#)(\s*)([A-Za-z_]\w*)(\s*)(#)", bygroups(Punctuation, Whitespace, Name.Label, Whitespace, Punctuation)),
            (r"(func)(\s+)([A-Za-z_]\w*)", bygroups(Keyword.Declaration, Whitespace, Name.Function)),
            (r"(element)(\s+)([A-Za-z_]\w*)", bygroups(Keyword.Declaration, Whitespace, Name.Class)),
            (r"(?:min|max|asyncMin|asyncMax)=(?!=)", Operator),
            (_word("element", "const", "extern", "export", "func", "var"), Keyword.Declaration),
            (_word(*_CONTROL), Keyword),
            (_word("and", "or", "xor", "not"), Operator.Word),
            (_word(*_TYPES), Keyword.Type),
            (_word("true", "false"), Keyword.Constant),
            (_word("argv"), Name.Builtin.Pseudo),
            (words(_FUNCTIONS, prefix=r"\b", suffix=r"(?=\s*\()"), Name.Builtin),
            (r"(\.)(\s*)([A-Za-z_]\w*)", bygroups(Punctuation, Whitespace, Name.Function)),
            include("anywhere"),
            (r"[-+*/<>=!#]+", Operator),
            (r".", Text),
        ],
        "schedule": [
            (r"//[^\n]*", Comment.Single),
            (_word("program"), Name.Builtin.Pseudo),
            (_word("SimpleGPUSchedule", "HybridGPUSchedule"), Keyword.Type),
            (r"(->|\.)(\s*)([A-Za-z_]\w*)", bygroups(Operator, Whitespace, Name.Function)),
            (r"0[xX][0-9a-fA-F]+", Number.Hex),
            (_word("INPUT_VERTEXSET_SIZE"), Name.Constant),
            include("anywhere"),
            (r"[-=]", Operator),
            (r".", Text),
        ],
        "anywhere": [
            (r"\s+", Whitespace),
            (r"%[^\n]*", Comment.Single),
            (r'"[^"\n]*"', String),
            (r"(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+", Number.Float),
            (r"[0-9]+", Number.Integer),
            (r"[A-Za-z_]\w*(?=\s*\()", Name.Function),
            (r"[A-Za-z_]\w*", Name),
            (r"[{}()\[\];:,.]", Punctuation),
        ],
    }
