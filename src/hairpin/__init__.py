"""Hairpin tests conversational assistants through many-turn conversations."""
