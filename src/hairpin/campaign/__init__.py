"""Running planned conversations."""
