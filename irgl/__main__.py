"""python -m irgl: irglc, where no such command is installed."""

from __future__ import annotations

from irgl.cli import main

main()
