"""The state machine; the only home of LangGraph."""
