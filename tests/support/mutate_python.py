"""Broken programs in Python: tokens dropped, doubled, swapped and replaced, or one expression put for another."""

from __future__ import annotations

import ast
import random
import re
from typing import Any

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def mutant(texts: list[str], seed: int) -> str:
    """The broken program number `seed`: always the same one for the same texts."""
    rng = random.Random(seed)
    text = rng.choice(texts)
    if rng.random() < 0.6:
        try:
            return _other_expressions(ast.parse(text), rng)
        except (SyntaxError, ValueError):
            pass
    pieces = _TOKEN.findall(text)
    words = _TOKEN.findall(rng.choice(texts))
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(pieces))
        match rng.randrange(4):
            case 0:
                pieces[at] = rng.choice(words)
            case 1:
                pieces.insert(at, rng.choice(words))
            case 2 if len(pieces) > 1:
                del pieces[at]
            case _:
                other = rng.randrange(len(pieces))
                pieces[at], pieces[other] = pieces[other], pieces[at]
    return "".join(pieces)


def _other_expressions(tree: ast.Module, rng: random.Random) -> str:
    """The text of a tree in which one or two expressions stand where others stood."""
    for _ in range(rng.randint(1, 2)):
        places = [(node, name, value) for node in ast.walk(tree) for name, value in ast.iter_fields(node)]
        single = [(node, name) for node, name, value in places if isinstance(value, ast.expr)]
        listed = [(value, i) for _, _, value in places if isinstance(value, list)
                  for i, v in enumerate(value) if isinstance(v, ast.expr)]  # fmt: skip
        found = [value for _, _, value in places if isinstance(value, ast.expr)]
        if not found:
            break
        new = _copied(rng.choice(found))
        if listed and rng.random() < 0.5:
            values, i = rng.choice(listed)
            values[i] = new
        else:
            node, name = rng.choice(single)
            setattr(node, name, new)
    return ast.unparse(tree)


def _copied(value: Any) -> Any:
    """A copy of a node by its own fields: a library may have hung its parent on it, and with that the whole tree."""
    if isinstance(value, list):
        return [_copied(v) for v in value]
    return type(value)(**{n: _copied(v) for n, v in ast.iter_fields(value)}) if isinstance(value, ast.AST) else value
