"""irglc: a file for each command, loaded when it is asked for."""
