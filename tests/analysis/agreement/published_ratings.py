"""Public ratings for which figures were published.

``ANXIETY_2`` and ``_3``: raters 2 and 3 of the data set anxiety of the R package irr (Gamer, Lemon, Fellows and Singh).
``DIAGNOSES``: that of Fleiss, 1971, in the same package; each line is a rater. ``KRIPPENDORFF_C``: example C of
Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011; each line is an observer.
"""

from __future__ import annotations

ANXIETY_2 = (3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4)
ANXIETY_3 = (2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2)

# 30 patients, 6 raters each; 1 depression, 2 personality disorder, 3 schizophrenia, 4 neurosis, 5 other.
_DIAGNOSES = (
    "444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 "
    "144444 124444 222333 144444 224445 333335 111455 111112 224444 133555 "
    "555555 244444 224555 114444 144445 222224 111155 224444 133333 555555"
)
DIAGNOSES = tuple(tuple(int(patient[rater]) for patient in _DIAGNOSES.split()) for rater in range(6))

KRIPPENDORFF_C: tuple[tuple[int | None, ...], ...] = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
