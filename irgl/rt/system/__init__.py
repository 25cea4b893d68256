"""The system below: processes and how they end, files that are whole or absent, what is refused to us."""
