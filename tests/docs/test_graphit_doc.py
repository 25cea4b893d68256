"""The code of docs/graphit.md runs, and its ranks are NetworkX's."""

from __future__ import annotations

import re
from typing import Any

import networkx as nx
import pytest
from support.places import ROOT

PAGE = (ROOT / "docs" / "graphit.md").read_text(encoding="utf-8")


def test_the_ranks_of_the_page_are_networkx_s() -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        exec(compile(block, "graphit.md", "exec"), names)
    expected = nx.pagerank(names["g"], weight=None, tol=1e-10)
    assert dict(zip(names["g"], names["ranks"].tolist(), strict=True)) == pytest.approx(expected, abs=1e-8)
