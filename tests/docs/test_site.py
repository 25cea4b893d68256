"""The documentation as a site, which `make docs` builds: complete, without a warning, and without another host."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.docs import PAGES
from support.places import ROOT

#: The pages of the navigation.
NAV = re.findall(r"^ +- [^:\n]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
#: Pages that lie outside docs/, by their names on the site.
OUTSIDE = {"README.md": "index.md", "ARCHITECTURE.md": "architecture.md", "CHANGELOG.md": "changelog.md"}


def test_the_navigation_has_every_page_once() -> None:
    assert sorted(NAV) == sorted(OUTSIDE.get(page, page.removeprefix("docs/")) for page in PAGES)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with warnings as errors."""
    pytest.importorskip("material", reason="no mkdocs-material is installed, which the docs extra brings")
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_pages_load_nothing_from_other_hosts(site: Path) -> None:
    loading = re.compile(r'<(?:script|img|iframe)\b[^>]*\bsrc="(?:https?:)?//|<link\b[^>]*\bhref="(?:https?:)?//')
    assert [page.name for page in site.rglob("*.html") if loading.search(page.read_text(encoding="utf-8"))] == []


def test_a_source_that_a_page_leads_to_is_on_the_site(site: Path) -> None:
    assert 'href="source/programs.html"' in (site / "index.html").read_text(encoding="utf-8")
    assert "ForAll" in (site / "source" / "programs" / "more" / "cc_union.irgl.html").read_text(encoding="utf-8")


def test_what_tests_know_of_a_block_is_not_shown(site: Path) -> None:
    assert "result=" not in (site / "language.html").read_text(encoding="utf-8")


def test_search_knows_options_by_their_headings_and_no_sources(site: Path) -> None:
    found = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    titles = {re.sub("<[^>]+>", "", entry["title"]) for entry in found if entry["location"].startswith("cli.html#")}
    assert {"irglc run --worklist-capacity", "irglc graph info --index-bits", "frontier= (CPU)"} <= titles
    assert [entry["location"] for entry in found if entry["location"].startswith("source/")] == []
