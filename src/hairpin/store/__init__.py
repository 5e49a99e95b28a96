"""The results database: SQLAlchemy Core behind one writer thread."""
