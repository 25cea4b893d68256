"""The programs that come with irgl, each compiled when it is first asked for.

`irgl.programs.NAME(graph)` runs the program NAME: it is what `irgl.compile("NAME")` gives, made once.
`dir(irgl.programs)` and `irglc programs` list the names.
"""

from __future__ import annotations

from irgl.api import compile as _compile
from irgl.frontends.shipped import file_of as _file_of
from irgl.frontends.shipped import names as _names
from irgl.frontends.shipped import near as _near
from irgl.rt.call.callable import Program


def __getattr__(name: str) -> Program:
    if name not in _names():
        question = _near(name)
        raise AttributeError(f"no program '{name}' comes with irgl" + (f"; {question}" if question else ""))
    made = _compile(_file_of(name))
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return _names()
