"""Assistants of Hairpin's own as servers: REST, WebSocket and OpenAI-compatible, on one port."""
