"""The pages of the documentation, and the scripts beside them."""

from __future__ import annotations

import importlib.util
from functools import cache
from types import ModuleType

from support.places import ROOT

DOCS = ROOT / "docs"


def script(name: str) -> ModuleType:
    """A script of docs/, loaded."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


LINKS = script("site_links")
#: Every page, by its path in the repository.
PAGES = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", *sorted(f"docs/{path.name}" for path in DOCS.glob("*.md"))]


def links(page: str) -> list[tuple[str, str, str]]:
    """The links of a page to files and to headings: as written, the file, the anchor or an empty text."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(target, *LINKS.path_of(page, target)) for target in LINKS.targets(text)
            if LINKS.is_file(target) or target.startswith("#")]


@cache
def anchors(file: str) -> frozenset[str]:
    """The anchors of a page."""
    return frozenset(LINKS.anchors((ROOT / file).read_text(encoding="utf-8")))
