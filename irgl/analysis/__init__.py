"""What is known of a checked program: side tables keyed by node, never stored on nodes."""
