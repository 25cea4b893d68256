"""The notation of decorated Python functions: read as text, never executed."""
