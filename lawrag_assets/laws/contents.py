"""The table of contents that the official site publishes (`gii-toc.xml`): which laws it has. What is made of it, `watch` decides."""

import re

from lawrag_assets.errors import InputError
from lawrag_assets.laws.safe_xml import parse_xml

FILE_NAME = "gii-toc.xml"

_LINK = re.compile(r"/([^/]+)/xml\.zip\s*$")


def read_contents(xml: bytes, name: str) -> frozenset[str]:
    """The slugs of all laws in the table of contents. InputError, naming `name`, for a page that is none: it is never empty."""
    root = parse_xml(xml, name)
    found = (_LINK.search(link.text or "") for link in root.iterfind("item/link"))
    slugs = frozenset(match[1] for match in found if match)
    if root.tag != "items" or not slugs:
        raise InputError(f"{name}: no table of contents (root element <{str(root.tag)[:60]}>, {len(slugs)} links to laws)")
    return slugs
