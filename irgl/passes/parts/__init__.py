"""What passes write: the texts that some of them are too long for."""
