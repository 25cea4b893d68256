"""`irglc lsp` answers an editor: one server, asked over its pipes as editors do."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.places import ROOT

from irgl.driver import front
from irgl.frontends.load import source_of
from irgl.source import IrglError

pytest.importorskip("pygls", reason="the language server needs pygls")
BFS = (ROOT / "programs" / "bfs.irgl").read_text(encoding="utf-8")


class Editor:
    """A client: it opens and changes texts, and asks."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number = folder, 0
        self.server = subprocess.Popen([sys.executable, "-m", "irgl", "lsp"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ask("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
        self.tell("initialized", {})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def tell(self, method: str, params: dict[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def heard(self) -> dict[str, Any]:
        assert self.server.stdout is not None
        length = 0
        while (line := self.server.stdout.readline().strip()):
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
        assert length, "the server is gone"
        found: dict[str, Any] = json.loads(self.server.stdout.read(length))
        return found

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        while (answer := self.heard()).get("id") != self.number:
            pass
        return answer["result"] if "error" not in answer else answer["error"]["message"]

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> list[dict[str, Any]]:
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": "irgl", "version": 1, "text": text}})
        return self.told(name)

    def change(self, name: str, text: str) -> list[dict[str, Any]]:
        self.tell("textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": 2},
                                             "contentChanges": [{"text": text}]})
        return self.told(name)

    def close(self, name: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})
        assert self.told(name) == []

    def told(self, name: str) -> list[dict[str, Any]]:
        while True:
            message = self.heard()
            params = message.get("params", {})
            if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == self.uri(name):
                found: list[dict[str, Any]] = params["diagnostics"]
                return found

    def at(self, what: str, name: str, line: int, unit: int) -> Any:
        return self.ask(f"textDocument/{what}", {"textDocument": {"uri": self.uri(name)},
                                                 "position": {"line": line, "character": unit}})


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    found = Editor(tmp_path_factory.mktemp("edited"))
    yield found
    found.ask("shutdown", {})
    found.tell("exit", {})
    assert found.server.wait(20) == 0


def place(text: str, word: str, behind: int = 0) -> tuple[int, int]:
    at = text.index(word) + behind
    return text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1


def test_a_right_program_has_no_mistakes_and_one_that_breaks_says_what_a_check_does(editor: Editor) -> None:
    assert editor.open("a.irgl", BFS) == []
    broken = BFS.replace("In WL", "in WL", 1)
    with pytest.raises(IrglError) as refused:
        front(source_of(str(editor.folder / "a.irgl"), broken))
    [told] = editor.change("a.irgl", broken)
    assert told["message"] == f"{refused.value.message}\nhint: {refused.value.hint}"
    assert refused.value.span is not None
    assert told["range"]["start"] == {"line": refused.value.span.line - 1, "character": refused.value.span.column - 1}
    editor.close("a.irgl")


def test_each_declaration_that_can_t_be_read_is_told(editor: Editor) -> None:
    found = editor.open("two.irgl", "int a() {\n  return 1 +;\n}\n\nint b() {\n  return * ;\n}\n")
    assert [told["range"]["start"]["line"] for told in found] == [1, 5]
    editor.close("two.irgl")


def test_places_are_counted_in_utf_16(editor: Editor) -> None:
    [told] = editor.open("wide.irgl", "int f() { /* 𝔊𝔊 */ return nobody; }\n")
    assert told["range"]["start"] == {"line": 0, "character": 28}
    editor.close("wide.irgl")


@pytest.mark.parametrize("name", ["python/bfs.py", "gt/bfs.gt", "falcon/bfs.fal"])
def test_other_notations_have_diagnostics(editor: Editor, name: str) -> None:
    text = (ROOT / "programs" / name).read_text(encoding="utf-8")
    short = name.split("/")[1]
    assert editor.open(short, text) == []
    assert editor.change(short, text + "\n)(\n") != []
    editor.close(short)


def test_python_files_are_not_executed(editor: Editor) -> None:
    mark = editor.folder / "executed"
    editor.open("evil.py", f"import irgl\nopen({str(mark)!r}, 'w')\n@irgl.kernel\ndef k(): pass\n")
    assert not mark.exists()
    editor.close("evil.py")


def test_a_hover_says_what_explain_does_also_while_the_text_is_broken(editor: Editor) -> None:
    editor.open("h.irgl", BFS)
    (editor.folder / "h.irgl").write_text(BFS, encoding="utf-8")
    explained = subprocess.run([sys.executable, "-m", "irgl", "explain", str(editor.folder / "h.irgl"), "--plan",
                                "default"], capture_output=True, text=True, check=True).stdout.splitlines()
    line, unit = place(BFS, "ForAll")
    told = editor.at("hover", "h.irgl", line, unit)["contents"]["value"]
    assert "ForAll" in told
    assert {t.strip() for t in told.splitlines()} <= {t.strip() for t in explained}
    assert editor.change("h.irgl", BFS + "\nint f( {") != []
    assert editor.at("hover", "h.irgl", line, unit)["contents"]["value"] == told
    editor.close("h.irgl")


def test_a_kernel_s_definition_is_found_across_imports_that_are_not_saved(editor: Editor) -> None:
    (editor.folder / "helper.irgl").write_text("int two() { return 3; }\n", encoding="utf-8")
    editor.open("helper.irgl", "\n\nint twice(int x) { return 2 * x; }\n")
    text = 'import "helper.irgl";\nint four() { return twice(2); }\n'
    assert editor.open("user.irgl", text) == []
    found = editor.at("definition", "user.irgl", *place(text, "twice"))
    assert (found["uri"], found["range"]["start"]["line"]) == (editor.uri("helper.irgl"), 2)
    editor.close("user.irgl")
    editor.close("helper.irgl")


def test_a_renamed_scalar_is_changed_where_it_is_declared_and_used(editor: Editor) -> None:
    text = "long total = 0;\nKernel k(Graph g) { ForAll (n In g.nodes) { total += 1; } }\ngraph Graph { }\n"
    assert editor.open("n.irgl", text) == []
    line, unit = place(text, "total +=")
    assert editor.at("prepareRename", "n.irgl", line, unit)["start"] == {"line": line, "character": unit}
    assert len(editor.at("documentHighlight", "n.irgl", line, unit)) == 2
    asked = {"textDocument": {"uri": editor.uri("n.irgl")}, "position": {"line": line, "character": unit}}
    assert len(editor.ask("textDocument/references", {**asked, "context": {"includeDeclaration": True}})) == 2
    edits = editor.ask("textDocument/rename", {**asked, "newName": "whole"})["changes"][editor.uri("n.irgl")]
    assert [(e["range"]["start"]["line"], e["newText"]) for e in edits] == [(0, "whole"), (1, "whole")]
    assert "is not a name" in editor.ask("textDocument/rename", {**asked, "newName": "2"})
    editor.close("n.irgl")


def test_members_of_nodes_are_offered_behind_a_dot(editor: Editor) -> None:
    text = "graph Graph { node int level; }\nKernel k(Graph g) { ForAll (n In g.nodes) { n.level = 1; } }\n"
    assert editor.open("c.irgl", text) == []
    found = editor.at("completion", "c.irgl", *place(text, "n.level", 2))
    assert {"level", "degree", "edges"} <= {item["label"] for item in found["items"]}
    editor.close("c.irgl")


def test_declarations_are_listed(editor: Editor) -> None:
    editor.open("s.irgl", "int one() { return 1; }\nlong total = 0;\n")
    found = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": editor.uri("s.irgl")}})
    assert [each["name"] for each in found] == ["one", "total"]
    editor.close("s.irgl")


def test_random_edits_leave_the_server_alive(editor: Editor) -> None:
    dice, text = random.Random(1), BFS
    editor.open("r.irgl", text)
    for _ in range(10_000 if os.environ.get("IRGL_MATRIX") else 200):
        at = dice.randrange(len(text) + 1)
        typed = dice.choice(["{", "}", "(", ";", '"', "/*", "n", ".", "é", "𝔊", " "])
        text = text[:at] + typed + text[at + dice.randrange(3) :]
        text = BFS if dice.random() < 0.1 else text
        assert not any("bug in irgl" in told["message"] for told in editor.change("r.irgl", text))
    assert editor.change("r.irgl", BFS) == []
    editor.close("r.irgl")


def test_a_keystroke_in_the_longest_program_is_answered_soon(editor: Editor) -> None:
    text = (ROOT / "programs" / "dmr.irgl").read_text(encoding="utf-8")
    editor.open("dmr.irgl", text)
    took = []
    for k in range(5):
        began = time.monotonic()
        assert editor.change("dmr.irgl", text.replace("1.0;", f"1.{k};", 1)) == []
        took.append(time.monotonic() - began)
    assert min(took) < (0.6 if os.environ.get("CI") else 0.3), took
    editor.close("dmr.irgl")
