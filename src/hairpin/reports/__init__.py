"""Reports of a run: one ``ReportModel``, laid out as HTML, JSON, JUnit XML and plain text.

No renderer computes; what a report shows is computed once, in ``reports.build``.
"""
