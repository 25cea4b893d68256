"""Every example of docs/language.md says what comes out: the interpreter and the CPU target agree with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.language_doc import DOC, EXAMPLES, RUNNING
from support.running import Example, graph_of, on_cpu

from irgl.analysis.check import check
from irgl.cli.main import exit_code
from irgl.frontends.text.load import load_text
from irgl.interpret import run


def test_every_construct_has_an_example() -> None:
    shown = "\n".join(e.text for e in EXAMPLES)
    words = [
        "ForAll (",
        "For (",
        "ReduceAndReturn",
        "Atomic",
        "Exclusive",
        "SyncRunningThreads",
        "Retry",
        "Respawn",
        "Any Invoke",
        "All Invoke",
        "Iterate While Any",
        "Initial [",
        "Initial (",
        "Pipe Once",
        "Pipe {",
        "Sections {",
        "CBlock",
        "racy ",
        "min=",
        "max=",
        ".old",
        "import ",
        "in_edges",
        "scratch<",
        "set<",
        "bitmap<",
        "struct ",
    ]
    assert [w for w in words if w not in shown] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.name for e in EXAMPLES])
def test_interpreter_gives_the_documented_result(example: Example) -> None:
    checked = check(load_text(example.text, "example.irgl"))
    if not example.graph:
        return
    graph = graph_of(example.graph)
    assert checked.entry is not None
    params = {p.name: 0 for p in checked.entry.params if p.name == "src"}
    result = run(checked, {"g": graph}, params)
    assert {k: float(v) for k, v in result.scalars.items()} == example.result


@pytest.mark.parametrize("example", RUNNING, ids=[e.name for e in RUNNING])
def test_cpu_target_gives_the_documented_result(example: Example) -> None:
    assert on_cpu(example, "example.irgl") == example.result


@pytest.mark.parametrize(("first", "code"), [("true", 0), ("false", 1)])
def test_the_verifier_of_the_page_judges(tmp_path: Path, first: str, code: int) -> None:
    (tmp_path / "verifiers").mkdir()
    (tmp_path / "verifiers" / "reach.py").write_text(DOC.read_text().partition("```python\n")[2].partition("```")[0])
    program = tmp_path / "spread.irgl"
    program.write_text(f"""graph Graph {{ node bool hit = false; }}
Kernel step(Graph g) {{ ForAll (n In WL.items) {{ ForAll (e In n.edges) {{
  if (!e.dst.hit) {{ racy e.dst.hit = true; WL.push(e.dst); }} }} }} }}
Program spread(Graph g, node src = first) verify reach(marked = hit, source = src) {{
  Iterate step(g) Initial [src] {{ }}
  src.hit = {first};
}}
""")
    (tmp_path / "g.el").write_text("1 2\n2 1\n2 3\n4 1\n")
    assert exit_code(["run", str(program), "--graph", str(tmp_path / "g.el"), "--verify", "--target", "ref"]) == code
