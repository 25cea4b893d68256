"""Every link of the documentation leads to a file, and to a heading where it names one."""

from __future__ import annotations

import pytest
from support.docs import LINKS, PAGES, anchors, links
from support.places import ROOT


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_that_exist(page: str) -> None:
    assert [target for target, file, _ in links(page) if not (ROOT / file).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_anchors_are_those_of_headings(page: str) -> None:
    asked = [(target, file, anchor) for target, file, anchor in links(page) if anchor and (ROOT / file).is_file()]
    assert [target for target, file, anchor in asked if anchor not in anchors(file)] == []


def test_no_two_headings_of_a_page_that_are_linked_to_are_equal() -> None:
    """The second one has another anchor on a site than in a repository browser."""
    asked = {(file, anchor) for page in PAGES for _, file, anchor in links(page) if anchor}
    assert [(file, anchor) for file, anchor in asked if f"{anchor}-1" in anchors(file)] == []


def test_links_in_code_are_none() -> None:
    text = "[a](b.md) `[c](d.md)`\n\n```\n[e](f.md)\n```\n\n[`g`\nh](i.md#j) ![k](l.svg)\n"
    assert list(LINKS.targets(text)) == ["b.md", "i.md#j", "l.svg"]


def test_anchors_are_made_as_on_github() -> None:
    text = "# `--plan auto`\n\n## A [link](x.md), and C++\n\n```\n# no heading\n```\n\n## Edges\n\n## Edges\n"
    assert LINKS.anchors(text) == ["--plan-auto", "a-link-and-c", "edges", "edges-1"]
