"""What NetworkX asks when it is imported: this module loads nothing."""

from __future__ import annotations

from typing import Any

#: Function: what is covered, where that is not everything.
FUNCTIONS: dict[str, str] = {}


def get_info() -> dict[str, Any]:
    """The entry point `networkx.backend_info`."""
    return {
        "backend_name": "irgl",
        "project": "irgl",
        "package": "irgl",
        "short_summary": "Graph algorithms compiled to parallel code.",
        "functions": {name: {"additional_docs": docs} if docs else {} for name, docs in FUNCTIONS.items()},
    }
