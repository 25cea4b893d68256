"""python -m irgl: irglc, where no such command is installed."""

from __future__ import annotations

from irgl.cli.main import main

main()
