"""Program scalars that are one number all the time: nobody stores to them, and the text says what they begin as."""

from __future__ import annotations

import re
from collections.abc import Mapping

from irgl.analysis.effects.effects import stored_in
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


def constants(checked: Checked) -> Mapping[str, A.Expr]:
    """The whole numbers among them, by name, with their first values. O(size of the program)."""
    found = {name: g.init for name, g in checked.globals.items()
             if isinstance(g.type, T.Int) and g.init is not None and literal_value(g.init) is not None}
    if not found:
        return {}
    code = [d for d in checked.program.decls if isinstance(d, A.Kernel | A.Function | A.Entry)]
    stored = {e.id for e in stored_in(code) if isinstance(e, A.Name)}
    raw = "".join(n.text for d in code for n in walk(d) if isinstance(n, A.CBlock))
    return {name: e for name, e in found.items() if name not in stored and not re.search(rf"\b{name}\b", raw)}
