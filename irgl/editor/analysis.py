"""What is known of a text that is open: its mistakes as `irglc check` tells them, and its last text without any."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from irgl.analysis.explain.facts import Explained
from irgl.analysis.names.symbols import Checked
from irgl.cli.check import each_program
from irgl.cli.explaining.places import at_places
from irgl.driver import checked_program, front
from irgl.frontends.kept import Kept, keeping
from irgl.frontends.load import load, source_of
from irgl.frontends.python.load import programs
from irgl.frontends.python.places import PythonSource
from irgl.frontends.scheduled import schedule_of
from irgl.plan import Plan
from irgl.source import IrglError, Source


@dataclass(slots=True)
class Document:
    """A text that is open. good: its last source without mistakes, of which hovers speak while the text is broken."""

    path: str
    text: str
    good: Source | None = None
    checked: Checked | None = None
    mistakes: list[IrglError] = field(default_factory=list)
    _told: tuple[Source, list[tuple[Explained, list[str]]]] | None = None

    def places(self, kept: Kept) -> list[tuple[Explained, list[str]]]:
        """What `irglc explain` tells of each place of the last text without mistakes; asked once for each text."""
        if self.good is None:
            return []
        if self._told is None or self._told[0] is not self.good:
            with keeping(kept):
                self._told = self.good, at_places(self.good, Plan())
        return self._told[1]


class Workspace:
    """The texts that are open, and what is kept of them and of what they import."""

    def __init__(self) -> None:
        self.kept = Kept()
        self.open: dict[str, Document] = {}

    def change(self, path: str, text: str) -> Document:
        """A text as it is now; it is not looked at yet."""
        document = self.open.setdefault(path, Document(path, text))
        document.text = text
        self.kept.texts[Path(path).resolve()] = text.removeprefix("\ufeff")
        return document

    def close(self, path: str) -> None:
        """Forgets a text: what the disk has holds again."""
        self.open.pop(path, None)
        self.kept.texts.pop(Path(path).resolve(), None)

    def look(self, document: Document) -> list[IrglError]:
        """The mistakes of a text, each once: those of parts that can't be read, or the first that the checker tells."""
        try:
            document.mistakes = self._mistakes(document)
        except IrglError as e:
            document.mistakes = [e]
        return document.mistakes

    def _mistakes(self, document: Document) -> list[IrglError]:
        source = source_of(document.path, document.text)
        if isinstance(source, PythonSource) and "irgl" not in source.text:
            return []
        with keeping(self.kept):
            if isinstance(source, PythonSource) and not programs(source) and "@" not in source.text:
                return []
            for one in each_program(source):
                if not one.text.strip():
                    front(one)
                program = load(one)
                if self.kept.mistakes:
                    return list(self.kept.mistakes)
                checked = checked_program(program, one)
                schedule_of(one, "cpu")
                document.good, document.checked = one, checked
        return []
