"""What names mean: symbols, scopes, members and methods of every type, names of loops."""
