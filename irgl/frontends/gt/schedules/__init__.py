"""Schedules of GraphIt, as plans."""
