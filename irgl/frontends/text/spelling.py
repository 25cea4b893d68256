"""The language's own words, how each is used, and what people write instead."""

from __future__ import annotations

USAGE = {
    "ForAll": "ForAll (n In g.nodes) { ... }",
    "For": "For (n In g.nodes) { ... }",
    "ReduceAndReturn": "ReduceAndReturn(VALUE);",
    "Atomic": "Atomic (n.LOCK) { ... } Else { ... }",
    "Exclusive": "Exclusive (g, [n, m]) { ... } Else { ... }",
    "SyncRunningThreads": "SyncRunningThreads;",
    "Retry": "Retry ITEM;",
    "Respawn": "Respawn ITEM;",
    "Invoke": "Invoke KERNEL(ARGUMENTS);",
    "Iterate": "Iterate KERNEL(ARGUMENTS) Initial [ITEM] { ... }",
    "Pipe": "Pipe { Invoke KERNEL(ARGUMENTS); ... }",
    "Sections": "Sections { { Invoke KERNEL(ARGUMENTS); ... } { Invoke OTHER(ARGUMENTS); ... } }",
    "CBlock": "CBlock reads(LOCATION) writes(LOCATION) { C text }",
}

DECLARATIONS = {
    "Kernel": "Kernel NAME(Graph g) { ... }",
    "Program": "Program NAME(Graph g) { ... }",
    "import": 'import "file.irgl";',
    "graph": "graph NAME { node int level = INF; }",
    "library": 'library NAME<T> "header.hpp" { ... }',
}

_OTHER_WORDS = {
    "foreach": "ForAll",
    "for_each": "ForAll",
    "for_all": "ForAll",
    "parallel_for": "ForAll",
    "parfor": "ForAll",
    "sync": "SyncRunningThreads",
    "barrier": "SyncRunningThreads",
    "respawn_item": "Respawn",
    "pipeline": "Pipe",
    "launch": "Invoke",
}
_BY_LOWER = {w.lower(): w for w in USAGE if w != "For"} | _OTHER_WORDS


#: Python's operators and what stands for them here.
_OPERATORS = {"and": "&&", "or": "||", "not": "!", "is": "=="}


def instead_of(word: str, before: str | None) -> str | None:
    """A hint for a word that is not expected behind `before`, where Python or a small letter explains it."""
    if word in _OPERATORS:
        return f"'{word}' is written {_OPERATORS[word]}"
    if before == "not":
        return "'not' is written !"
    if word == "in":
        return "it is spelt In"
    if word == "if":
        return "one value or another is CONDITION ? VALUE : OTHER"
    return None


def right_word(word: str) -> str | None:
    """The word of the language that `word` is, or stands for when its case or its spelling is mended."""
    return word if word in USAGE else _BY_LOWER.get(word.lower())


def is_word(word: str) -> bool:
    """Is `word` one of the language's, or one of C's that begins a statement, but for its spelling?"""
    return right_word(word) is not None or _declaration(word) is not None or word in _C_STATEMENTS


_C_STATEMENTS = ("if", "while", "for", "return", "do", "else", "break", "continue")


def _declaration(word: str) -> str | None:
    meant = "import" if word == "include" else word.lower()
    return next((d for d in DECLARATIONS if d.lower() == meant), None) if word != "Graph" else None


def no_declaration(word: str, called: bool) -> tuple[str, str]:
    """Message and hint for `word` where a declaration should begin; `called`: a `(` follows."""
    if word == "}":
        return "this '}' closes nothing", "is there one too many above?"
    meant = _declaration(word)
    if meant is not None:
        spelt = "" if meant == word else f"it is spelt {meant}: "
        hint = (spelt or "it reads: ") + DECLARATIONS[meant]
    elif word == "Graph":
        hint = f"declare it first: {DECLARATIONS['graph'].replace('NAME', 'Graph')}"
    elif right_word(word) is not None or word in _C_STATEMENTS:
        hint = "statements stand in a Kernel, a function or the Program"
    elif word == "auto":
        hint = "a program scalar needs its type"
    elif called and word.isidentifier():
        hint = f"a function begins with the type that it returns: void {word}(...)"
    else:
        hint = "a program holds graph types, structs, scalars, functions, kernels and one Program"
    return f"'{word}' does not begin a declaration", hint
