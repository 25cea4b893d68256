"""main and consts: the Program, and all that it needs."""
