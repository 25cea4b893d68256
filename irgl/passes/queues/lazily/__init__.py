"""Nodes of a priority queue that are filed together: noted first, counted, or each by itself where a loop pulls."""
