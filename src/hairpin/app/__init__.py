"""The composition root: the only place that joins ports to implementations, and where clock and ids come from."""
