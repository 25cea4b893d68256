"""Priority queues: what their words mean in terms of buckets."""
