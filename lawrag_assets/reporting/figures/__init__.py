"""Pictures of the report as SVG written by hand, one idea a module; `contents` says which there are.

They take their colours from the page (`templates/report.css`: c0 to c6), which makes them light or dark. Tables do not belong here.
"""
