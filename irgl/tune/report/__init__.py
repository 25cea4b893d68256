"""One HTML page of a tuning."""
