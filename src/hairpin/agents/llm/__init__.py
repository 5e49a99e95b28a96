"""The roles played by models: what each is shown, the form of its answer, and what becomes of it."""
