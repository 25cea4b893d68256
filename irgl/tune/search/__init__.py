"""The space of plans, and searches in it: they propose, and are told how that went."""
