"""What statements read, write and append."""
