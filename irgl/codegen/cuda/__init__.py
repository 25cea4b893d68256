"""Units for GPUs."""
