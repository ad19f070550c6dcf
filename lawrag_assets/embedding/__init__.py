"""Texts to vectors: one protocol, three kinds of models behind it, and a cache in front of it.

Nothing here knows law, chunks or indexes. Start at `protocol` (what an embedder is) and `factory` (how to get one).
"""
