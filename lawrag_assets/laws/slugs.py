"""What laws are called where they are served: a slug is a folder of the official site. What a law is called in citations is
`law_names`' concern."""

import re

from lawrag_assets.errors import InputError

OFFICIAL_SITE = "https://www.gesetze-im-internet.de"
SAMPLE_SLUG = "sample"

_SLUG = re.compile(r"[a-z0-9_][a-z0-9_.-]*")


def check_slug(slug: str) -> None:
    """InputError unless the text can be a slug: one folder name of the site, in lower case ("bgb", "sgb_9_2018")."""
    if not _SLUG.fullmatch(slug) or ".." in slug:
        rule = "lower-case letters, digits, '_', '-', '.' only, as in the site's addresses ('bgb', 'sgb_9_2018')"
        raise InputError(f"{slug!r} is no law's slug: {rule}")
