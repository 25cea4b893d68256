"""What a run leaves, how two of them differ, and whether a verifier accepts one."""
