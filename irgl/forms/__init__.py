"""Forms: the ways in which a graph's edges may lie in memory. One file each, found by its name.

A form NAME is NAME.py here, which says what it can do and builds it; cpu_rt/forms/NAME.hpp, which generated C++ asks
for edges; and cuda_rt/forms/NAME.cuh, the same for CUDA. Rows (`csr`) are what all are made from, and stand elsewhere.
IRGL_FORMS names a folder of further ones, where the three files of a form stand side by side.
"""

from __future__ import annotations

import os

if os.environ.get("IRGL_FORMS"):
    __path__.append(os.environ["IRGL_FORMS"])
