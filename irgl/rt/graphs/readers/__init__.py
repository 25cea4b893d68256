"""One reader for each format of graph files, and what tells the formats apart."""
