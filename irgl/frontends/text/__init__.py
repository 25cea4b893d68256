"""The notation of .irgl files."""
