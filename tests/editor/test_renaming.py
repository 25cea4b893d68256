"""Names that mean the same, and programs in which they are called otherwise."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from support.places import PROGRAMS

from irgl.editor.analysis import Document, Workspace
from irgl.editor.renaming import references, renamed
from irgl.source import IrglError, Span

TEXT = """graph Graph { node int level = INF; node int other = 0; edge int w; }

long total = 0;
int twice(int x) { return x + x; }

Kernel near(Graph g, int step, int delta) WL priority_queue<node>(level / delta) {
  ForAll (n In WL.items) {
    int x = twice(n.level);  // not this level
    ForAll (e In n.edges) { WL.update_min(e.dst, x + step); }
  }
}

Kernel survey(Graph g) {
  ForAll (n In g.nodes) {
    int x = n.level;
    total += x;
  }
}

Program main(Graph g, node src = first, int delta = 4) verify shortest_paths(distances = level, source = src) {
  src.level = 0;
  Iterate near(g, 1, delta) Initial [src] { }
  Invoke survey(g);
}
"""


def opened(folder: Path, **texts: str) -> tuple[Workspace, dict[str, Document]]:
    workspace = Workspace()
    documents = {name: workspace.change(str(folder / f"{name}.irgl"), text) for name, text in texts.items()}
    for document in documents.values():
        assert workspace.look(document) == []
    return workspace, documents


def place(text: str, word: str) -> tuple[int, int]:
    at = text.index(word)
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at) - 1


def written(text: str, spans: list[Span], name: str) -> str:
    lines = text.split("\n")
    for s in sorted(spans, key=lambda s: (s.line, s.column), reverse=True):
        line = lines[s.line - 1]
        lines[s.line - 1] = line[: s.column - 1] + name + line[s.end_column - 1 :]
    return "\n".join(lines)


COUNTS = [("level /", 6), ("total =", 2), ("twice(int", 2), ("x) { return", 3), ("x = twice", 2), ("x = n.level", 2),
          ("delta) WL", 2), ("n In WL", 3), ("n In g", 2), ("near(Graph", 2), ("Graph {", 4), ("src = first", 4)]


@pytest.mark.parametrize(("at", "count"), COUNTS)
def test_each_use_of_a_declaration_is_a_reference_and_no_other_is(tmp_path: Path, at: str, count: int) -> None:
    workspace, documents = opened(tmp_path, a=TEXT)
    assert len(references(workspace, documents["a"], *place(TEXT, at))) == count


def test_a_use_finds_what_its_declaration_does(tmp_path: Path) -> None:
    workspace, documents = opened(tmp_path, a=TEXT)
    both = [references(workspace, documents["a"], *place(TEXT, at)) for at in ("level = INF", "level / delta")]
    assert both[0] == both[1]


def test_a_renamed_property_is_another_name_in_all_places(tmp_path: Path) -> None:
    workspace, documents = opened(tmp_path, a=TEXT)
    spans = renamed(workspace, documents["a"], *place(TEXT, "level / delta"), "hops")
    after = written(TEXT, spans, "hops")
    assert after == re.sub(r"(?<!this )level", "hops", TEXT)
    assert workspace.look(workspace.change(documents["a"].path, after)) == []


@pytest.mark.parametrize(("at", "name", "said"), [
    ("level = INF", "other", "would be wrong"),
    ("x = twice", "step", "already means something else"),
    ("total = 0", "x", "would be wrong"),
    ("total = 0", "2x", "is not a name"),
    ("total = 0", "ForAll", "already means something else"),
    ("items) {", "things", "no name here"),
    ("not this", "things", "no name here"),
])
def test_a_name_that_would_break_the_program_or_change_what_it_means_is_refused(
        tmp_path: Path, at: str, name: str, said: str) -> None:
    workspace, documents = opened(tmp_path, a=TEXT)
    with pytest.raises(IrglError, match=said):
        renamed(workspace, documents["a"], *place(TEXT, at), name)


def test_names_are_followed_across_imports(tmp_path: Path) -> None:
    helper = "int twice(int x) { return 2 * x; }\n"
    (tmp_path / "helper.irgl").write_text(helper, encoding="utf-8")
    text = 'import "helper.irgl";\nint four() { return twice(2); }\n'
    workspace, documents = opened(tmp_path, user=text)
    spans = renamed(workspace, documents["user"], *place(text, "twice"), "doubled")
    assert [(Path(s.source.path).name, s.line) for s in spans] == [("user.irgl", 2), ("helper.irgl", 1)]


def test_importers_that_are_open_are_renamed_too(tmp_path: Path) -> None:
    helper = "int twice(int x) { return 2 * x; }\n"
    (tmp_path / "helper.irgl").write_text("", encoding="utf-8")
    user = 'import "helper.irgl";\nint four() { return twice(2); }\n'
    workspace, documents = opened(tmp_path, helper=helper, user=user)
    spans = renamed(workspace, documents["helper"], *place(helper, "twice"), "doubled")
    assert [Path(s.source.path).name for s in spans] == ["helper.irgl", "user.irgl"]


def test_a_name_in_a_raw_block_is_not_renamed(tmp_path: Path) -> None:
    text = """graph Graph { node int p = 0; }
Kernel k(Graph g) { ForAll (n In g.nodes) { CBlock reads() writes(n.p) { g.p[n] = 1; } } }
"""
    workspace, documents = opened(tmp_path, a=text)
    with pytest.raises(IrglError, match="raw block"):
        renamed(workspace, documents["a"], *place(text, "p = 0"), "q")


@pytest.mark.parametrize("program", ["more/ppsp_both", "mst"])
def test_any_name_of_a_program_can_be_made_another_and_back(tmp_path: Path, program: str) -> None:
    text = (PROGRAMS / f"{program}.irgl").read_text(encoding="utf-8")
    workspace, documents = opened(tmp_path, a=text)
    document = documents["a"]
    names = {}
    for m in re.finditer(r"[^\W\d]\w*", text):
        spans = references(workspace, document, *place_at(text, m.start()))
        if spans:
            names[spans[0].line, spans[0].column] = m.start()
    assert len(names) > 5
    for start in list(names.values())[:: 1 if os.environ.get("IRGL_MATRIX") else 9]:
        at = place_at(text, start)
        after = written(text, renamed(workspace, document, *at, "zz_other"), "zz_other")
        assert after != text
        assert workspace.look(workspace.change(document.path, after)) == []
        workspace.look(workspace.change(document.path, text))


def place_at(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset) - 1
