"""The retrievers' names, apart from what they are made of, so that settings and the command line need not load that."""

RETRIEVERS = ("dense", "dense_collapsed", "dense_centred", "lexical", "fused", "linked", "reranked")
BEST = "fused"
"""What `search` takes of those that need neither labelled questions nor another model.

Ahead of each of its parts on the BGB (R@10 on forum questions about .20 against .12 and .19); on a law of thirty sections, such as
the ArbZG, `dense_centred` alone ranks better.
"""
LEARNED = "learned"
"""The one that is fitted on labelled questions; it belongs to a profile, not to a cell (`ranking`)."""
