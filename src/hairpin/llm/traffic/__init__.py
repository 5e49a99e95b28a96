"""How hard an endpoint is driven: when each request may start, and what is tried again."""
