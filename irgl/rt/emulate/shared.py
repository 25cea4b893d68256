"""Static shared memory of kernels: what ptxas would count, read off the assembly that g++ has made of a unit.

A kernel has the arrays that it names, and those of all functions that it may come to. CUDA gives a block no more of
them than MOST bytes, on every GPU: ptxas refuses a unit with a kernel that wants more, and so does the emulator.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

#: Bytes; dynamic shared memory is beside them.
MOST = 49152

_LABEL = re.compile(r"^([A-Za-z_][\w.$]*):\n", re.MULTILINE)
_THREAD_LOCAL = re.compile(r"^\t\.section\t\.t(?:bss|data)\b.*\n((?:(?!\t\.(?:section|text|data|bss)\b).*\n)*)", re.M)
_ARRAY = re.compile(r"^\t\.size\t([^\s,]+), (\d+)\n", re.MULTILINE)
_DIRECTIVE = re.compile(r"^\t\.(?!quad|[48]byte|x?word|long).*\n", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_][\w.$]*")
_FILE = re.compile(r'^\t\.file (\d+) (?:"[^"\n]*" )?"([^"\n]*)"', re.MULTILINE)
_LINE = re.compile(r"^\t\.loc (\d+) (\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Excess:
    """A kernel with more static shared memory than a block may have, and where it begins."""

    kernel: str
    size: int
    place: str


def excess(assembly: str, kernels: Collection[str]) -> Excess | None:
    """The first kernel with too much static shared memory; `kernels` are the names of all."""
    sizes = {m[1]: int(m[2]) for part in _THREAD_LOCAL.finditer(assembly) for m in _ARRAY.finditer(part[1])
             if not m[1].startswith(("_ZGV", "__tls_guard"))}
    if sum(sizes.values()) <= MOST:
        return None
    bodies = dict(_bodies(assembly.partition("\n\t.section\t.debug_")[0]))
    names = {symbol: set(_WORD.findall(body)) & bodies.keys() for symbol, body in bodies.items()}
    for symbol in bodies:
        if (kernel := plain_name(symbol)) in kernels:
            size = sum(sizes.get(s, 0) for s in _reached(symbol, names))
            if size > MOST:
                return Excess(kernel, size, place_of(assembly, symbol))
    return None


def plain_name(symbol: str) -> str:
    """The function's own name, without namespaces and template arguments, of a symbol; "" of what is inside of one."""
    if not symbol.startswith("_Z"):
        return symbol
    at, found = 2 + symbol.startswith("_ZN"), ""
    while (m := re.compile(r"L?(\d+)(?=[A-Za-z_])").match(symbol, at)) is not None:
        at = m.end() + int(m[1])
        found = symbol[m.end():at]
    return found


def _bodies(assembly: str) -> Iterator[tuple[str, str]]:
    """What stands behind each symbol's label: a function's instructions, or an object's data."""
    labels = list(_LABEL.finditer(assembly))
    for m, end in zip(labels, [*(n.start() for n in labels[1:]), len(assembly)], strict=True):
        yield m[1], _DIRECTIVE.sub("", assembly[m.end():end].partition(f"\t.size\t{m[1]}, .-{m[1]}\n")[0])


def _reached(symbol: str, names: Mapping[str, set[str]]) -> set[str]:
    found, waiting = {symbol}, [symbol]
    while waiting:
        new = names[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def place_of(assembly: str, symbol: str) -> str:
    """Its line where it stands in the file itself; behind #line the numbers are another file's."""
    files = {m[1]: m[2] for m in _FILE.finditer(assembly)}
    line = _LINE.search(assembly, assembly.index(f"\n{symbol}:\n"))
    own = line is not None and files.get(line[1]) == files["0"]
    return f"{files['0']}:{line[2]}" if line is not None and own else files["0"]
