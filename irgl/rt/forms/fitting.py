"""What a plan leaves to the machine: how many nodes have what edges use of them in half of the second-level cache."""

from __future__ import annotations

from dataclasses import replace

from irgl.forms.find import form
from irgl.forms.segments import AUTO, OFF
from irgl.rt.manifests.manifest import FormNeed
from irgl.rt.system import caches


def fitted(need: FormNeed, gpu_cache: int = 0) -> FormNeed:
    """The need with a number of nodes in the place of `auto`; off where edges use nothing of their far ends.

    gpu_cache: the bytes of the cache of the GPU that is meant, 0: of the usual one.
    """
    option = form(need.form).segmented
    if (option, AUTO) not in need.options:
        return need
    cache = (gpu_cache or caches.OF_A_GPU) if need.part else caches.of_a_core()
    said = f"{max(1, cache // 2 // need.touched)}n" if need.touched else OFF
    return replace(need, options=tuple((name, said if name == option else value) for name, value in need.options))
