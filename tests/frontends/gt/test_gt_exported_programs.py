"""The programs of programs/gt as exported functions find what main finds: a parameter stands for each of argv."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from support.gt_libraries import compiled, matrix
from support.places import PROGRAMS

FILES = sorted((PROGRAMS / "gt").glob("*.gt"))
#: Programs whose consts are vectors of a number of values, which aren't kept.
ARRAYS = {"cc_pjump"}
_LOAD = re.compile(r"const (\w+) : (edgeset\{Edge\}\([^)]*\)) = load\([^;]*\);")


def exported(text: str) -> tuple[str, list[int]]:
    """A program as a function `go` of the graph and of each argv[k], without what is said of main; the numbers k."""
    text = re.sub(r"(?m)^% irgl:.*\n", "", text)
    found = _LOAD.search(text)
    assert found is not None
    edges, kind = found.groups()
    numbers = sorted({int(k) for k in re.findall(r"atoi\(argv\[(\d+)\]\)", text)})
    text = text.replace(found[0], f"const {edges} : {kind};")
    text = re.sub(r"atoi\(argv\[(\d+)\]\)", r"a\1", text)
    params = ", ".join([f"given : {kind}", *(f"a{k} : int" for k in numbers)])
    return text.replace("func main()", f"export func go({params})\n    {edges} = given;"), numbers


def graph() -> sp.csr_array:
    """Without loops and parallel edges, which main's graphs have not."""
    made = matrix(3).tocoo()
    kept = made.row != made.col
    found = sp.csr_array((made.data[kept], (made.row[kept], made.col[kept])), made.shape)
    found.sort_indices()
    return found


@pytest.mark.parametrize("file", [f for f in FILES if f.stem not in ARRAYS], ids=lambda f: f.stem)
def test_a_function_finds_what_main_finds(file: Path) -> None:
    text = file.read_text()
    as_function, numbers = exported(text)
    wanted = compiled(text)(graph(), **{f"argv{k}": 1 for k in numbers})
    library: Any = compiled(as_function)
    library.go(graph(), *(1 for _ in numbers))
    found = library.go.answer
    shared = {*wanted} & {*found}
    assert shared
    for name in shared:
        np.testing.assert_allclose(np.asarray(found[name], float), np.asarray(wanted[name], float), rtol=1e-12)
    assert found.printed == wanted.printed
