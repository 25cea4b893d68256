"""The parts of a session on a GPU, each with a run(suite)."""
