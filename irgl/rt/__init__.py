"""The run time, in Python."""
