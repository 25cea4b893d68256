"""The notation of GraphIt's .gt files."""
