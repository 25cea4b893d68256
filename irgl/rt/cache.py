"""Prepared graphs by name."""

from __future__ import annotations

from typing import Any

from irgl.rt.graph import Graph
from irgl.rt.load import load
from irgl.rt.prepare import Requirements, prepare


def load_prepared(spec: str, need: Requirements, **options: Any) -> Graph:
    """`prepare(load(spec, **options), need)`."""
    return prepare(load(spec, **options), need)
