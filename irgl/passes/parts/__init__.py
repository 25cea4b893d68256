"""What passes share or write: which forms a plan wants where, and texts that some of them are too long for."""
