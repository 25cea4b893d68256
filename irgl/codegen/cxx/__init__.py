"""What both targets' C++ has in common: names, places, expressions, statements, loops."""
