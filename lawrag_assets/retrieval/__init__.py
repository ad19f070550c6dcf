"""From a question's vector to ranked sections: the index of a cell, exact search, aggregation to sections, run tables.

Embedding a question and judging a run do not belong here.
"""
