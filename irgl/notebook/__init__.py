"""irgl in notebooks: pictures of programs, plans and results, the cell magic, progress bars, and a lexer for Pygments.

Nothing here is loaded before a notebook asks for it.
"""
