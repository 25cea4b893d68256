"""The checker's rules for each construct: which types stand where, and what is said otherwise."""
