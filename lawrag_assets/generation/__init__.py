"""What a language model writes for the index: contexts, propositions, boundaries, summaries.

One protocol, two generators (any LiteLLM model, and rules without a model), and a cache in front of both. Nothing here knows
chunks, tables or vectors. Start at `protocol` (what is asked and answered) and `factory` (how to get a generator).
"""
