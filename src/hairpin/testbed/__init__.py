"""The reference in-car assistant with seeded faults."""
