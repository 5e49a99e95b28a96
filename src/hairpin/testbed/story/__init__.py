"""A second small assistant: it answers questions about a story from what the story tells, and from nothing else."""
