"""Learning to rank sections from labelled questions: what a retriever gains where people have already said which sections answer what.

Everything here is supervised. That no tested question is ever learned from is this room's first concern (`split`). Retrieving without
labels belongs to `retrieval`, judging a ranking to `evaluation`.
"""
