"""Which plan a run gets without a search: what is known, what irgl ships, and who asks for what."""
