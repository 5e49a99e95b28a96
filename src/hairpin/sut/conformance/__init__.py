"""The conformance kit: whether an adapter and its assistant can be trusted in a campaign."""
