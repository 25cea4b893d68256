"""The protocol: an editor's notices and questions, on pygls. What is answered stands in asked.py."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from typing import Any

from lsprotocol import types as L
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from irgl import __version__
from irgl.editor import asked, renaming
from irgl.editor.analysis import Document, Workspace
from irgl.editor.positions import characters, range_of
from irgl.source import IrglError, Span

#: Seconds that a change waits for the next one, so that of several keys in a row the last is answered.
_WAIT = 0.01
_KINDS = {"kernel": L.SymbolKind.Function, "program": L.SymbolKind.Function, "function": L.SymbolKind.Function,
          "graph": L.SymbolKind.Class, "struct": L.SymbolKind.Struct, "library": L.SymbolKind.Interface,
          "scalar": L.SymbolKind.Variable}  # fmt: skip

server = LanguageServer("irgl", __version__)
workspace = Workspace()
_waiting: dict[str, asyncio.TimerHandle] = {}


def start(port: int | None) -> None:
    """Serves until the editor leaves."""
    logging.getLogger("pygls").setLevel(logging.ERROR)
    if port is None:
        with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:  # which pygls closes
            server.start_io(sys.stdin.buffer, out)
    else:
        server.start_tcp("127.0.0.1", port)


def _path(uri: str) -> str:
    return to_fs_path(uri) or uri


def _range(span: Span) -> L.Range:
    line, unit, end_line, end_unit = range_of(span)
    return L.Range(L.Position(line, unit), L.Position(end_line, max(end_unit, unit if end_line == line else 0)))


def _diagnostic(e: IrglError) -> L.Diagnostic:
    at = _range(e.span) if e.span is not None else L.Range(L.Position(0, 0), L.Position(0, 1))
    return L.Diagnostic(at, e.message + (f"\nhint: {e.hint}" if e.hint is not None else ""),
                        severity=L.DiagnosticSeverity.Error, source="irgl")


def _publish(uri: str) -> None:
    _waiting.pop(uri, None)
    document = workspace.open.get(_path(uri))
    if document is None:
        return
    try:
        found = workspace.look(document)
    except Exception as e:  # a mistake of irgl's own must not end the server
        found = [IrglError(f"irgl failed here: {type(e).__name__}: {e}",
                           hint="this is a bug in irgl, please report it")]
    own = [_diagnostic(e) for e in found if e.span is None or e.span.source.path == document.path]
    own += [_elsewhere(e) for e in found if e.span is not None and e.span.source.path != document.path]
    server.text_document_publish_diagnostics(L.PublishDiagnosticsParams(uri, own))


def _elsewhere(e: IrglError) -> L.Diagnostic:
    """A mistake in what a text imports, told at its begin."""
    return _diagnostic(IrglError(f"{e.span}: {e.message}", None, e.hint))


def _changed(uri: str) -> None:
    text = server.workspace.get_text_document(uri).source
    workspace.change(_path(uri), text)
    for other in [uri, *(from_fs_path(p) or p for p in workspace.open)]:
        if other in _waiting:
            _waiting.pop(other).cancel()
        _waiting[other] = asyncio.get_running_loop().call_later(_WAIT, _publish, other)


@server.feature(L.TEXT_DOCUMENT_DID_OPEN)
def _did_open(params: L.DidOpenTextDocumentParams) -> None:
    _changed(params.text_document.uri)


@server.feature(L.TEXT_DOCUMENT_DID_CHANGE)
def _did_change(params: L.DidChangeTextDocumentParams) -> None:
    _changed(params.text_document.uri)


@server.feature(L.TEXT_DOCUMENT_DID_CLOSE)
def _did_close(params: L.DidCloseTextDocumentParams) -> None:
    workspace.close(_path(params.text_document.uri))
    server.text_document_publish_diagnostics(L.PublishDiagnosticsParams(params.text_document.uri, []))


def _at(params: Any) -> tuple[Document | None, int, int]:
    """The document that a question is of, with line (from 1) and column (from 0) in characters."""
    document = workspace.open.get(_path(params.text_document.uri))
    lines = document.text.split("\n") if document is not None else []
    line = params.position.line
    text = lines[line] if line < len(lines) else ""
    return document, line + 1, characters(text, params.position.character)


@server.feature(L.TEXT_DOCUMENT_HOVER)
def _hover(params: L.HoverParams) -> L.Hover | None:
    document, line, column = _at(params)
    try:
        found = asked.hover(document, workspace.kept, line, column) if document is not None else []
    except IrglError:
        found = []  # an import was broken meanwhile
    return L.Hover(L.MarkupContent(L.MarkupKind.PlainText, "\n".join(found))) if found else None


@server.feature(L.TEXT_DOCUMENT_DEFINITION)
def _definition(params: L.DefinitionParams) -> L.Location | None:
    document, line, column = _at(params)
    span = asked.definition(document, line, column) if document is not None else None
    uri = from_fs_path(span.source.path) if span is not None else None
    return L.Location(uri, _range(span)) if span is not None and uri is not None else None


def _locations(spans: list[Span]) -> list[L.Location]:
    """Spans whose files have an address."""
    found = ((from_fs_path(s.source.path), s) for s in spans)
    return [L.Location(uri, _range(s)) for uri, s in found if uri is not None]


@server.feature(L.TEXT_DOCUMENT_REFERENCES)
def _references(params: L.ReferenceParams) -> list[L.Location]:
    document, line, column = _at(params)
    return _locations(renaming.references(workspace, document, line, column)) if document is not None else []


@server.feature(L.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def _highlight(params: L.DocumentHighlightParams) -> list[L.DocumentHighlight]:
    document, line, column = _at(params)
    found = renaming.highlights(document, line, column) if document is not None else []
    return [L.DocumentHighlight(_range(s)) for s in found]


@server.feature(L.TEXT_DOCUMENT_PREPARE_RENAME)
def _prepare_rename(params: L.PrepareRenameParams) -> L.Range | None:
    document, line, column = _at(params)
    span = renaming.span_of_name(document, line, column) if document is not None else None
    return _range(span) if span is not None else None


@server.feature(L.TEXT_DOCUMENT_RENAME, L.RenameOptions(prepare_provider=True))
def _rename(params: L.RenameParams) -> L.WorkspaceEdit | None:
    document, line, column = _at(params)
    if document is None:
        return None
    try:
        found = renaming.renamed(workspace, document, line, column, params.new_name)
    except IrglError as e:
        raise JsonRpcInvalidParams(e.message + (f"; {e.hint}" if e.hint is not None else "")) from None
    changes: dict[str, list[L.TextEdit]] = {}
    for at in _locations(found):
        changes.setdefault(at.uri, []).append(L.TextEdit(at.range, params.new_name))
    return L.WorkspaceEdit(changes)


@server.feature(L.TEXT_DOCUMENT_COMPLETION, L.CompletionOptions(trigger_characters=["."]))
def _completion(params: L.CompletionParams) -> L.CompletionList:
    document, line, column = _at(params)
    names = asked.completion(document, line, column) if document is not None else []
    return L.CompletionList(False, [L.CompletionItem(name) for name in names])


@server.feature(L.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def _symbols(params: L.DocumentSymbolParams) -> list[L.DocumentSymbol]:
    document = workspace.open.get(_path(params.text_document.uri))
    found = asked.symbols(document) if document is not None else []
    return [L.DocumentSymbol(name, _KINDS[kind], _range(span), _range(span)) for name, kind, span in found]
