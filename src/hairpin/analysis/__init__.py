"""Statistics over conversations: pure functions from facts to frozen results, one subject per module."""
