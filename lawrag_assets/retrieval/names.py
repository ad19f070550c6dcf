"""The retrievers' names, apart from what they are made of, so that settings and the command line need not load that."""

RETRIEVERS = ("dense", "dense_collapsed", "dense_centred", "lexical", "fused", "linked", "reranked")
BEST = "fused"
"""What `search` takes of those that need neither labelled questions nor another model.

Ahead of each of its parts on the BGB (R@10 on forum questions .21 against .17 and .18 with subsection/heading_path); `linked` is ahead of
it there. On a law of thirty sections, such as the ArbZG, `dense_centred` alone ranks better, and `linked` worse.
"""
LEARNED = "learned"
"""The one that is fitted on labelled questions; it belongs to a profile, not to a cell (`ranking`)."""
