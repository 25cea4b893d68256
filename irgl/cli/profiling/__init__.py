"""Profiles on the command line: the table, files, the timeline."""
