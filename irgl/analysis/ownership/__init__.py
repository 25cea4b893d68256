"""Which iteration may touch which location: what needs an atomic, and what would race."""
