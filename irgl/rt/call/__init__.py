"""One call of a compiled program: values bound, memory laid out, run on its target, answered."""
