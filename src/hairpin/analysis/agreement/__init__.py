"""How far raters agree: people among themselves, and judges with people (RQ0).

It must not read files, runs or annotations; whoever asks hands it ratings.
"""
