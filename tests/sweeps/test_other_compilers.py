"""The code of the CPU target is C++ to compilers that are not x86's g++, and they do not warn of a program's.

clang sees what g++ lets pass; g++ for another processor has none of this one's instructions. Each is skipped where it
is not there (on Debian or Ubuntu: apt install clang libomp-dev g++-aarch64-linux-gnu).
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache

import pytest
from support.choices import Seeded
from support.programs import EVERY, PLACE
from support.random_programs import random_program

from irgl import driver
from irgl.rt.compile import toolchain

CLANG = ("clang++", *(f"clang++-{version}" for version in range(30, 13, -1)))
ARM = ("aarch64-linux-gnu-g++", *(f"aarch64-linux-gnu-g++-{version}" for version in range(20, 9, -1)))
#: A loop over the items of a list in one thread, which adds up.
ITEMS = """graph Graph { node int unused = 0; }
long sum = 0;
Kernel add(Graph g, list<int> xs) {
  ForAll (n In g.nodes) { long s = 0; ForAll (x In xs.items) { s += x; } sum += s; }
}
Program p(Graph g) { list<int> xs; xs.push(1); Invoke add(g, xs); }
"""
ONE_PROCESSORS = re.compile(r"__builtin_ia32_|\b_mm\d*_|\w+intrin\.h|asm\b")


@cache
def command(names: tuple[str, ...]) -> list[str]:
    """The compiler of one of the names that has OpenMP's headers, with irgl's flags; nothing where there is none."""
    full = toolchain.command(32, 32)[len(toolchain.compiler()):]
    flags = [f for f in full if f not in toolchain.SHARED and not f.startswith("-march")]
    for name in filter(shutil.which, names):
        words = [name, *flags, "-fsyntax-only", "-x", "c++", "-"]
        if subprocess.run(words, input="#include <omp.h>\n", capture_output=True, text=True).returncode == 0:
            return words
    return []


def complaints(names: tuple[str, ...], text: str, *flags: str) -> str:
    """What a compiler says of a unit; '' for nothing."""
    words = command(names)
    if not words:
        pytest.skip(f"no {names[0]} with OpenMP")
    done = subprocess.run([*words, *flags], input=text, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


@pytest.mark.parametrize("names", [CLANG, ARM], ids=["clang", "arm"])
@pytest.mark.parametrize("name", EVERY)
def test_programs_are_taken(name: str, names: tuple[str, ...]) -> None:
    text = driver.compile(str(PLACE / f"{name}.irgl")).text
    assert complaints(names, text, "-Wall", "-Wextra", "-Werror") == ""


@pytest.mark.parametrize("names", [CLANG, ARM], ids=["clang", "arm"])
@pytest.mark.parametrize("seed", range(6))
def test_random_programs_are_taken(seed: int, names: tuple[str, ...]) -> None:
    assert complaints(names, driver.compile("p.irgl", text=random_program(Seeded(seed)).text).text) == ""


def test_a_loop_over_items_is_taken() -> None:
    assert complaints(CLANG, driver.compile("p.irgl", text=ITEMS).text) == ""


@pytest.mark.parametrize("header", sorted(p.name for p in toolchain.headers().glob("*.hpp")))
def test_what_one_processor_has_stands_behind_its_name(header: str) -> None:
    lines = (toolchain.headers() / header).read_text().splitlines()
    found = [i for i, line in enumerate(lines) if ONE_PROCESSORS.search(line.split("//")[0])]
    assert [lines[i] for i in found if not re.match("#(if|elif).*__(x86_64|aarch64)__", lines[i - 1])] == []
