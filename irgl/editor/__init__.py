"""The language server: what editors show of programs while they are typed."""
