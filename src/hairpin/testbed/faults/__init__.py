"""Seeded faults of the testbed, switched on one by one, and the record of when each one struck."""
