"""From a program's text to its syntax; the notations share what stands here."""
