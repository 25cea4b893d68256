"""The functions that the backend offers, a module for each kind."""
