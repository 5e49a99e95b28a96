"""Built-in adapters to assistants under test."""
