"""Sets that needn't know who is in them: they become lists, and claims of their nodes stores."""
