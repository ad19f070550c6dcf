"""One `norm` element of the file taken apart: its names, heading, text and notes.

What it means for the law is `gii_xml`'s concern.
"""

from dataclasses import dataclass, field

from lxml import etree

from lawrag_assets.laws.content import Content, note_text, plain_text, read_content


@dataclass(slots=True)
class Norm:
    """The parts of a `norm` (DTD: metadaten, textdaten). `enbez` None: a heading, or the first norm, which describes the
    law."""

    enbez: str | None = None
    unit: etree._Element | None = None
    title: etree._Element | None = None
    text: etree._Element | None = None
    footnotes: list[etree._Element] = field(default_factory=list)
    remarks: list[etree._Element] = field(default_factory=list)

    @property
    def key(self) -> str | None:
        """The key of its own heading (`gliederungskennzahl`), if it has one."""
        return None if self.unit is None else (self.unit.findtext("gliederungskennzahl") or "").strip()

    def heading(self) -> str:
        """Its `titel` on one line."""
        return plain_text(self.title)

    def content(self) -> Content:
        """Its running text; empty if it has none (a table of contents is no text)."""
        return Content() if self.text is None else read_content(self.text)

    def notes(self) -> list[str]:
        """Footnotes of the text (`Footnotes`) and the editors' notes (`fussnoten`), one string each."""
        found = [f"{_mark(footnote)} {note_text(footnote)}".strip() for footnote in self.footnotes]
        found += [note_text(block) for block in self.remarks]
        return [note for note in found if note]


def read_norm(element: etree._Element) -> Norm:
    """Sort the children of a `norm` by what they are; unknown ones are left."""
    norm = Norm()
    for part in element:
        if part.tag == "metadaten":
            for child in part:
                if child.tag == "enbez":
                    norm.enbez = child.text or ""
                elif child.tag == "gliederungseinheit":
                    norm.unit = child
                elif child.tag == "titel":
                    norm.title = child
        elif part.tag == "textdaten":
            for child in part:
                _read_text(child, norm)
    return norm


def _read_text(element: etree._Element, norm: Norm) -> None:
    is_text = element.tag == "text"
    for child in element:
        if child.tag == "Content":
            if is_text:
                norm.text = child
            else:
                norm.remarks.extend(child)
        elif child.tag == "Footnotes":
            norm.footnotes.extend(child)


def _mark(footnote: etree._Element) -> str:
    return "".join(footnote.get(name) or "" for name in ("Prefix", "FnZ", "Postfix"))
