"""Showing figures: the benchmark's tables and pictures as a web page, Markdown, CSV, Parquet and on the terminal.

Figures come in as frames and leave as text; measuring does not belong here.
"""
