"""What the report's parts say, as sentences and tables, one part a module; `contents` puts them in order.

How they look does not belong here (`page`, `markdown`), nor do pictures (`figures`).
"""
