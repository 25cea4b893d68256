"""What notebooks show: well-formed HTML with everything in it escaped, and nothing fetched from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import scipy.sparse as sp
from support.places import PROGRAMS

import irgl
from irgl.notebook.html import STYLE, table, tag
from irgl.plan import Plan
from irgl.rt.call.answer import Answer
from irgl.rt.call.callable import Program

TEXT = """graph Graph { node int hops = INF; }
long met = 0;
Kernel start(Graph g, node src) { src.hops = 0; WL.push(src); }
Kernel step(Graph g) { ForAll (n In WL.items) { met += n.hops < 3 && n.hops > 1; } }  // <b>bold</b>
Kernel ask(Graph g) { ForAll (n In g.nodes) { met += 1; ReduceAndReturn(n.hops == INF); } }
Program nested(Graph g, node src = first) {
  Pipe Once { Invoke start(g, src); Pipe { Invoke step(g); } }
  Iterate While Any ask(g) { if (met > 9) { stop("<over> & out"); } src.hops = 0; }
}
"""


class Reader(HTMLParser):
    """The elements of a text, which must close what they open; the text in each kind."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.open.append(name)
        self.found.append((name, dict(attributes)))

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name

    def handle_data(self, text: str) -> None:
        self.texts.append((tuple(self.open), text))

    def text_in(self, name: str) -> str:
        return "".join(text for path, text in self.texts if name in path)

    def count(self, name: str, **attributes: str) -> int:
        wanted = {n.removesuffix("_"): v for n, v in attributes.items()}
        return sum(n == name and wanted.items() <= has.items() for n, has in self.found)


@pytest.fixture(scope="module")
def nested() -> Program:
    return irgl.compile("<b>nested</b>.irgl", text=TEXT, target="cpu")


@pytest.fixture(scope="module")
def answer() -> Answer:
    matrix = sp.csr_array([[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    return irgl.compile(PROGRAMS / "bfs.irgl", target="cpu")(matrix, src=0, repeat=3)


@pytest.fixture(scope="module")
def shown(nested: Program, answer: Answer) -> dict[str, str]:
    things: dict[str, Any] = {"program": nested, "plan": Plan.parse("np=tb step.loop1.np=serial", "cuda"),
                              "answer": answer, "explanation": nested.explain()}  # fmt: skip
    return {name: thing._repr_html_() for name, thing in things.items()}


@pytest.mark.parametrize("name", ["program", "plan", "answer", "explanation"])
def test_every_element_is_closed_and_none_asks_for_anything_outside(shown: dict[str, str], name: str) -> None:
    read = Reader(shown[name])
    assert {n for n, _ in read.found} & {"script", "link", "img", "iframe", "object", "b>nested<"} == set()
    assert re.search(r"https?:|url\(|@import|\b(?:src|href)=", shown[name]) is None


def test_a_program_is_its_source_beside_its_code(nested: Program, shown: dict[str, str]) -> None:
    read = Reader(shown["program"])
    assert read.count("pre") == 2
    shown_text = read.text_in("pre").replace("\n", "")
    assert shown_text == (TEXT + nested.text).replace("\n", "")
    assert "Source: <b>nested</b>.irgl" in read.text_in("p")


def test_words_of_the_language_are_coloured(shown: dict[str, str]) -> None:
    assert '<span class="kd">Kernel</span>' in shown["program"]
    assert ".irgl .kd" in STYLE


def test_the_outline_tree_has_a_box_for_each_loop_and_tells_what_keeps_one_off_the_gpu(shown: dict[str, str]) -> None:
    read = Reader(shown["program"])
    assert (read.count("rect"), read.count("rect", class_="bad"), read.count("path")) == (3, 1, 1)
    assert read.text_in("tspan") == "nested.pipe1nested.pipe1.pipe1nested.iterate1"
    assert "it can end the program (line 8)" in read.text_in("text")


def test_a_program_without_loops_has_no_tree() -> None:
    text = "graph G { node int p = 0; } Kernel k(G g) { ForAll (n In g.nodes) { n.p = 1; } } "
    text += "Program flat(G g) { Invoke k(g); }"
    flat = irgl.compile("flat.irgl", text=text, target="cpu")
    assert flat.explain().svg == ""
    assert Reader(flat._repr_html_()).count("svg") == 0


def test_a_plan_is_a_table_of_its_options_and_of_what_holds_for_one_place(shown: dict[str, str]) -> None:
    read = Reader(shown["plan"])
    assert read.count("tr") == 1 + len(Plan(target="cuda").options) + 1
    assert "step.loop1.np" in read.text_in("code")


def test_an_answer_shows_its_scalars_and_the_beginning_of_its_arrays(answer: Answer, shown: dict[str, str]) -> None:
    read = Reader(shown["answer"])
    assert "0, 1, INF" in read.text_in("code")
    assert f"reached{answer.reached}" in read.text_in("td")
    assert "(3 runs, the fastest " in read.text_in("h4")


def test_a_long_array_is_cut() -> None:
    found = irgl.compile(PROGRAMS / "bfs.irgl", target="cpu")("path:100", src=0)
    assert "0, 1, 2, 3, 4, 5, 6, 7, ..." in Reader(found._repr_html_()).text_in("code")


def test_rows_of_values_and_what_the_emulator_counts_are_shown() -> None:
    text = """graph Graph { node int x[2] = INF; }
Kernel k(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.x[1] min= 5; } } }
Program p(Graph g) { Invoke k(g); }
"""
    found = irgl.compile("rows.irgl", text=text, target="simt")(sp.csr_array([[0, 1], [0, 0]]))
    read = Reader(found._repr_html_())
    assert "[INF, INF], [INF, 5]" in read.text_in("code")
    assert "2 x 2" in read.text_in("td")
    assert "timed_transfers: 0" in read.text_in("td")


def test_both_themes_have_every_colour() -> None:
    used = set(re.findall(r"var\((--\w+)\)", STYLE))
    for theme in ("light", "dark"):
        given = re.search(rf"\{{([^{{}}]*color-scheme:{theme})", STYLE)
        assert given is not None and used <= set(re.findall(r"(--\w+):", given[1]))


def test_text_and_attributes_are_escaped() -> None:
    assert tag("p", '<i>"&', title='"<') == '<p title="&quot;&lt;">&lt;i&gt;&quot;&amp;</p>'
    assert table((), [("<i>",)]) == "<table><tbody><tr><td>&lt;i&gt;</td></tr></tbody></table>"


def test_an_explanation_is_the_text_that_the_command_prints(nested: Program) -> None:
    text = str(nested.explain())
    assert text.startswith("start  (line 3)  Kernel start\n")
    assert "  outline   no\n            it can end the program (line 8); stop after it, from a program scalar" in text
    assert nested.explain().dot.startswith("digraph irgl {")


def test_an_explanation_is_of_the_text_that_was_compiled(tmp_path: Path) -> None:
    file = tmp_path / "nested.irgl"
    file.write_text(TEXT)
    made = irgl.compile(file, target="cpu")
    file.write_text("something else")
    assert [p.path for p in made.explain().places][:2] == ["start", "step"]


def test_a_decorated_program_explains_itself() -> None:
    spaces: dict[str, Any] = {}
    code = (PROGRAMS / "python" / "bfs.py").read_text()
    exec(compile(code, str(PROGRAMS / "python" / "bfs.py"), "exec"), spaces)
    assert "bfs.iterate1" in str(spaces["bfs"].explain())


def test_text_stays_readable_without_pygments(nested: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "irgl.notebook.lexer", None)
    read = Reader(nested._repr_html_())
    assert TEXT.strip("\n") in read.text_in("pre")
