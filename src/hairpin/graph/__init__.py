"""The state machine that drives every conversation; the only home of LangGraph."""
