"""No letter or digit of a law is lost, doubled or moved out of its order: an independent count over every real law.

The count knows nothing of the parser. It reads the file with lxml's `itertext` and compares characters, text and notes together,
except for what is no law text: tables of contents, official sentence numbers, and the placeholders that the parser writes.
"""

import re
import unicodedata
from collections import Counter

import pytest
from lxml import etree

from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.model import Law, Section

PLACEHOLDER = re.compile(r"\[(?:Bild|Datei|Formel)(?:: [^\]]*)?\]|[①-⑳][a-z]?")
CONTENTS = re.compile(r"Inhalts(?:übersicht|verzeichnis)")
EDITORIAL = ("noindex", "kommentar", "FnArea")
UNCLEAN = re.compile("  |[\n\r\t\u00a0\u00ad\u2028\u2029\u200b\ufeff]|^ | $")


def characters(text: str) -> str:
    """The letters and digits alone."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", text))


def in_file(root: etree._Element) -> tuple[Counter[str], list[str]]:
    """All characters of texts and notes; and text by text those of law text that has no editorial matter inside, in order."""
    for skipped in [*root.iter("TOC"), *(s for s in root.iter("SUP") if s.get("class") == "Rec")]:
        skipped.text = None
        del skipped[:]
    for sign in root.iter("F"):
        if sign.text and PLACEHOLDER.fullmatch(sign.text):
            sign.text = None
    counted: Counter[str] = Counter()
    texts: list[str] = []
    for norm in root.findall("norm"):
        if CONTENTS.match(norm.findtext("metadaten/enbez") or ""):
            continue
        for note in [*norm.findall("textdaten/fussnoten/Content"), *norm.findall("textdaten/text/Footnotes/Footnote")]:
            counted.update(characters("".join(note.itertext())))
            counted.update(characters("".join(note.get(name, "") for name in ("Prefix", "FnZ", "Postfix"))))
        for text in norm.findall("textdaten/text/Content"):
            plain = "".join(text.itertext())
            counted.update(characters(plain))
            if norm.find("metadaten/enbez") is not None and next(text.iter(*EDITORIAL), None) is None and "---" not in plain:
                texts.append(characters(plain))
    return counted, texts


def beside_the_text(root: etree._Element, law: Law) -> Counter[str]:
    """Characters that the law's notes hold beside those of the file's texts: its state, and labels before the notes of headings."""
    words = ["".join(state.itertext()) for state in root.findall("norm/metadaten/standangabe")]
    labels = {" ".join((e.text or "").split()) for tag in ("gliederungsbez", "gliederungstitel") for e in root.iter(tag)}
    words += [label for note in law.notes if (label := note.partition(": ")[0]) in labels]
    return Counter(characters("".join(words)))


@pytest.mark.parametrize("builds", ["today", pytest.param("older", marks=pytest.mark.slow)])
def test_no_character_is_lost_doubled_or_moved(every_law, builds):
    wrong: dict[str, object] = {}
    for name, slug, xml in every_law(builds):
        law = parse_law(xml, slug=slug, references=False)
        root = etree.fromstring(xml, etree.XMLParser(load_dtd=False, no_network=True, remove_comments=True, remove_pis=True))
        got = Counter(characters("".join(law.notes)))
        got.subtract(beside_the_text(root, law))
        expected, texts = in_file(root)
        whole = ""
        for section in law.sections:
            shown = characters(PLACEHOLDER.sub("", section.text))
            whole += shown
            got.update(shown)
            got.update(characters("".join(section.notes)))
            check_clean(section)
        if any(got[c] != expected[c] for c in got.keys() | expected.keys()):
            wrong[name] = (got - expected, expected - got)
        at = 0
        for text in texts:
            at = whole.find(text, at) + len(text)
            assert at >= len(text), f"{name}: out of order or broken: {text[:80]}"
        ids = [section.section_id for section in law.sections]
        assert len(ids) == len(set(ids)), name
    assert not wrong


def check_clean(section: Section) -> None:
    """NFC, single spaces, no line ends or soft hyphens, offsets right, sentences without gaps."""
    assert not UNCLEAN.search(section.text), section.section_id
    assert unicodedata.is_normalized("NFC", section.text)
    for a in section.subsections:
        assert section.text[a.start : a.end] == a.text
        if a.sentences:
            assert "".join(section.text[s.start : s.end] for s in a.sentences).replace(" ", "") == a.text.replace(" ", "")
            assert all(s.text == section.text[s.start : s.end] for s in a.sentences)
