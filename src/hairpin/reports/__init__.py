"""Reports from a run's rows."""
