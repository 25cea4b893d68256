"""Checked and lowered programs to C++ text; templates/ are skeletons."""
