"""A tuning from its first trial to its winner."""
