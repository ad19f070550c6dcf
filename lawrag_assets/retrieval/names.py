"""The retrievers' names, apart from what they are made of, so that settings and the command line need not load that."""

RETRIEVERS = ("dense", "dense_collapsed", "dense_centred", "lexical", "fused", "reranked")
BEST = "fused"
"""The best of those that need neither labelled questions nor another model."""
