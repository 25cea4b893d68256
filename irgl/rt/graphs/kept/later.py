"""Attributes that are made when they are first asked for: arrays that a run may never touch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any


class Later:
    """Something with such attributes. later: how each is made, by its name."""

    later: Mapping[str, Callable[[], Any]] = MappingProxyType({})

    def put_off(self, later: Mapping[str, Callable[[], Any]]) -> None:
        """From now on those attributes, which are there, are as if they were not, until somebody asks."""
        self.later = later
        for name in later:
            delattr(self, name)  # __getattr__ has it

    def __getattr__(self, name: str) -> Any:
        make = self.later.get(name)
        if make is None:
            raise AttributeError(name)
        made = make()
        setattr(self, name, made)
        return made
