"""The abstract syntax, and everything that walks, prints or checks it without knowing what it means."""
