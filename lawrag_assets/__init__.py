"""lawrag: German federal law as retrieval indexes, every serious way of chunking compared.

The rooms of this package are listed in the README; wiring (Dagster) lives in `defs`, everything else is plain Python.
"""
