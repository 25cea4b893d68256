"""Programs of GraphIt (.gt)."""
