"""What a caller must know of a compiled program, kept so that a second call needs no parser."""
