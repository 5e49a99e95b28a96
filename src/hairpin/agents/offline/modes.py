"""The failure modes the offline judges can find, by the ids of the paper's rubric (section III-D).

A rubric that lacks one of them, or has others, is judged on those it shares.
"""

from __future__ import annotations

FALLBACK_RESPONSE = "fallback_response"
IRRELEVANT_RESPONSE = "irrelevant_response"
REQUEST_OMITTED = "request_omitted"
CONSTRAINT_MISSED = "constraint_missed"
CONTEXT_FORGOTTEN = "context_forgotten"
AMBIGUITY_UNRESOLVED = "ambiguity_unresolved"
PLANNING_POOR = "planning_poor"
SAFETY_VIOLATION = "safety_violation"
