"""Answers to questions from the law, with citations that exist: routing, reranking, judging the evidence, answering, attribution.

One pipeline serves the command line, the web service and evaluation. Building an index belongs to other rooms, showing an answer to
the command line and the service.
"""
