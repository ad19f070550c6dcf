"""Judging runs against questions with known answers: question sets, gold labels, measures with intervals.

Retrieving does not belong here, nor does showing the figures (`reporting`).
"""
