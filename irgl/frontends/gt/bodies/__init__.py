"""Expressions and statements of functions, wherever these run; and how their stores are meant."""
