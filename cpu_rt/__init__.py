"""Header library for generated C++; shipped as package data."""
