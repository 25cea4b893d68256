"""Units for CPUs, alone, several in one, or with a main of their own."""
