"""What is known of values: which may be NONE, overflow, or hang on the numbers of nodes."""
