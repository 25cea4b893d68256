"""C++ that builds forms of edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irgl.rt.compile.native import function


def native(node_bits: int, edge_bits: int) -> Callable[[str, str], Any]:
    """Gives a function of cpu_rt/forms/make_NAME.hpp: (NAME, function). It takes whole numbers, and addresses or None.

    Raises IrglError where there is no compiler.
    """
    return lambda name, of: function(f"cpu_rt/forms/make_{name}.hpp", of, node_bits, edge_bits)
