"""The code of docs/python.md runs, and does what the page says."""

from __future__ import annotations

import contextlib
import io
import linecache
import re

import pytest
from support.places import ROOT
from support.running import Example, graph_of, on_cpu

from irgl.analysis.names.members import FLOAT_FUNCTIONS, FLOAT_FUNCTIONS_OF_TWO
from irgl.driver import front
from irgl.frontends.load import source_of
from irgl.interpret import run
from irgl.notation import WORDS
from irgl.source import IrglError

PAGE = (ROOT / "docs" / "python.md").read_text()
_PROGRAM = re.compile(r"^```python run=(\S+) result=(\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CALLS = re.compile(r"^```python call\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _examples() -> list[Example]:
    found = []
    for m in _PROGRAM.finditer(PAGE):
        line = PAGE[: m.start()].count("\n") + 1
        pairs = (p.split("=") for p in m[2].split(","))
        found.append(Example(f"line_{line}", m[1], {k: float(v) for k, v in pairs}, m[3]))
    return found


EXAMPLES = _examples()


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.name for e in EXAMPLES])
def test_the_interpreter_gives_the_documented_result(example: Example) -> None:
    checked = front(source_of("example.py", example.text))
    assert checked.entry is not None
    params = {p.name: {"src": 0, "delta": 2}[p.name] for p in checked.entry.params[1:]}
    result = run(checked, {"g": graph_of(example.graph)}, params)
    assert {k: float(v) for k, v in result.scalars.items()} == example.result


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.name for e in EXAMPLES])
def test_the_cpu_gives_the_documented_result(example: Example) -> None:
    assert on_cpu(example, "example.py") == example.result


def test_the_calls_of_the_page_do_what_it_says() -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    said = io.StringIO()
    for number, m in enumerate(_CALLS.finditer(PAGE)):
        file = f"<docs {number}>"
        linecache.cache[file] = (len(m[1]), None, m[1].splitlines(keepends=True), file)
        with contextlib.redirect_stdout(said):
            exec(compile(m[1], file, "exec"), names)
    assert "error: 'hops' wants int, not long" in said.getvalue()


def test_the_message_on_the_page_is_the_one_that_is_told() -> None:
    shown = re.search(r"^```\n(search\.py:.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    first = _CALLS.search(PAGE)
    assert shown is not None and first is not None
    wrong = first[1].replace("irgl.reduce.min(e.dst.hops, level).old", "e.dst.hops")
    wrong = wrong.replace("wl.push(e.dst)", "e.dst.hops = level")
    wrong = re.sub(r" +# .*", "", wrong)
    with pytest.raises(IrglError) as caught:
        front(source_of("search.py", wrong))
    assert str(caught.value) == shown[1].rstrip("\n")


def test_every_word_of_the_notation_is_on_the_page() -> None:
    missing = {w for w in WORDS if not re.search(rf"\b{w}\b", PAGE)}
    #: Types and functions that the page names as families, and the twins of words that it shows.
    family = {"int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "ulong", "float64", "double"}
    functions = {*FLOAT_FUNCTIONS, *FLOAT_FUNCTIONS_OF_TWO, "isinf", "isnan", "popcount", "max_weight",
                 "average_weight"}
    assert missing - family - functions - {"NONE", "directed", "sorted", "weighted", "transpose", "reads"} == set()
