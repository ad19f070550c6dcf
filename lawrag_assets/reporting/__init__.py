"""Showing figures: the benchmark's table as Markdown, CSV, a web page and on the terminal.

Figures come in as frames and leave as text; measuring does not belong here.
"""
