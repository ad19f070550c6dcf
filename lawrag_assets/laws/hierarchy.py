"""The headings above a section, by document order.

The file's key (`gliederungskennzahl`) is used for one thing: whether a heading lies inside the one before it (its key extends
the other's). As identity it is unreliable: two headings may share one key, and keys skip levels.
"""

import re
from dataclasses import dataclass

from lxml import etree

from lawrag_assets.laws.content import plain_text
from lawrag_assets.laws.model import HierarchyLevel

_ARTICLE = re.compile(r"(?:Unter)?[Aa]rt(?:ikel|\.)?\s")


@dataclass(slots=True)
class Heading:
    """A `gliederungseinheit`: its key, label ("Art 229", "Abschnitt 1") and title."""

    key: str
    label: str
    title: str

    @property
    def is_article(self) -> bool:
        """Whether it is an article (Art 229) that may hold text or §§ of its own, not a mere heading."""
        return _ARTICLE.match(self.label) is not None


class HeadingStack:
    """The headings open at the current place of the document, outermost first."""

    def __init__(self) -> None:
        """No heading is open at the start of a law."""
        self.open: list[Heading] = []

    def enter(self, heading: Heading, *, repeated: bool = False) -> None:
        """Open a heading, closing those it does not lie in.

        `repeated`: the heading stands in a section's own norm (each § of Art 229 repeats "Art 229"), so that an article of that
        name that is open already stays. A norm that is nothing but a heading always opens a new one, whatever its key.
        """
        if repeated and heading.is_article and any(known.label == heading.label for known in self.open):
            return
        while self.open and not (heading.key.startswith(self.open[-1].key) and heading.key != self.open[-1].key):
            self.open.pop()
        self.open.append(heading)

    def levels(self) -> tuple[HierarchyLevel, ...]:
        """The open headings that say anything."""
        return tuple(HierarchyLevel(h.label, h.title) for h in self.open if h.label or h.title)

    def articles(self) -> list[str]:
        """The labels of the open articles: §§ below them are numbered within them."""
        return [h.label for h in self.open if h.is_article]


def read_heading(unit: etree._Element) -> Heading:
    """A `gliederungseinheit`. A title that was typed into the label after a line break is split off; the label "-" is none."""
    label, _, rest = (unit.findtext("gliederungsbez") or "").strip().partition("\n")
    title = " ".join(filter(None, (" ".join(rest.split()), plain_text(unit.find("gliederungstitel")))))
    label = " ".join(label.split())
    return Heading((unit.findtext("gliederungskennzahl") or "").strip(), "" if label in ("-", "–", "—") else label, title)
