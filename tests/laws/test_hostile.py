"""Files made to harm: one clear InputError each, within seconds and well under a gigabyte, and never a byte from the network."""

import io
import random
import re
import resource
import socket
import time
import zipfile

import pytest
from laws.made import document, items, norm

from lawrag_assets.errors import InputError
from lawrag_assets.laws.batch import parse_file
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.safe_xml import MAX_MARKUP, MAX_XML_BYTES, xml_from_zip

BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE dokumente [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    + b"]><dokumente><norm><metadaten><jurabk>&j;</jurabk></metadaten></norm></dokumente>"
)
EXTERNAL = b'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><dokumente>&x;</dokumente>'
DEEP = b"<dokumente>" + b"<norm>" * 100_000 + b"</norm>" * 100_000 + b"</dokumente>"
WIDE = b"<dokumente>" + b"<a/>" * (MAX_MARKUP + 1) + b"</dokumente>"
HUGE = b"<dokumente>" + b" " * (MAX_XML_BYTES + 1) + b"</dokumente>"


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        pytest.param(BOMB, "entities", id="entity bomb"),
        pytest.param(BOMB.decode().encode("utf-16"), "entities", id="entity bomb in UTF-16"),
        pytest.param(b"\xef\xbb\xbf" + BOMB, "entities", id="entity bomb behind a byte order mark"),
        pytest.param(EXTERNAL, "entities", id="external entity"),
        pytest.param(b"<!DOCTYPE dokumente [<!ELEMENT dokumente ANY>]><dokumente/>", "DTD", id="internal DTD"),
        pytest.param(b"<dokumente>&undeclared;</dokumente>", "well-formed|gii-norm", id="undeclared entity"),
        pytest.param(DEEP, "well-formed", id="deep nesting"),
        pytest.param(WIDE, "tags", id="millions of tags"),
        pytest.param(HUGE, "bytes of XML", id="too large"),
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b" \n ", "empty", id="blank"),
        pytest.param(b"<!DOCTYPE html><html><body>Fehler</body></html>", "HTML", id="HTML"),
        pytest.param(b"<html><p>Fehler<br></html>", "HTML", id="older HTML"),
        pytest.param(b"<?xml version='1.0'?><rss><channel/></rss>", "gii-norm", id="other XML"),
        pytest.param(b"<dokumente/>", "gii-norm", id="no norm"),
        pytest.param(b"<dokumente><norm/></dokumente>", "gii-norm", id="norm with no name"),
        pytest.param(b"just text", "well-formed", id="text"),
        pytest.param(bytes(range(256)) * 100, "null bytes|well-formed", id="binary"),
        pytest.param(document(norm("<P>Ä</P>")).decode().encode("latin-1"), "well-formed", id="Latin-1 that says UTF-8"),
        pytest.param(document().replace(b"UTF-8", b"UTF-7"), "encoding", id="UTF-7"),
        pytest.param(document().replace(b"UTF-8", b"IBM037"), "encoding", id="EBCDIC"),
        pytest.param(document().replace(b"UTF-8", b"x\xff"), "encoding", id="no encoding"),
        pytest.param(b"\xff\xfe<\x00\x00", "UTF-16", id="broken UTF-16"),
        pytest.param(document(norm("<P>A.</P>"))[:-60], "well-formed", id="truncated"),
    ],
)
def test_one_clear_line(xml, reason):
    started = time.monotonic()
    with pytest.raises(InputError, match=reason) as caught:
        parse_law(xml, slug="evil")
    assert time.monotonic() - started < 10
    assert str(caught.value).startswith("evil: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_nothing_is_fetched():
    """A server that a DTD and entities point to hears nothing; the DOCTYPE that published files have is ignored."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/x.dtd"
        published = document(norm("<P>A.</P>")).replace(b"?>", f'?><!DOCTYPE dokumente SYSTEM "{url}">'.encode(), 1)
        assert parse_law(published, slug="x").sections[0].text == "A."
        for declaration in (f'<!ENTITY x SYSTEM "{url}">', f'<!ENTITY % x SYSTEM "{url}">%x;'):
            with pytest.raises(InputError, match="entities"):
                parse_law(f"<!DOCTYPE dokumente [{declaration}]><dokumente/>".encode(), slug="x")
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_other_encodings_that_say_so(encoding):
    declared = {"utf-8-sig": "UTF-8"}.get(encoding, encoding)
    xml = document(norm("<P>Öl.</P>")).decode().replace("UTF-8", declared).encode(encoding)
    assert parse_law(xml, slug="x").sections[0].text == "Öl."


def zip_bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.xml", "w", force_zip64=True) as member:
        for _ in range(300):
            member.write(b" " * 1_000_000)
    return buffer.getvalue()


def test_a_zip_bomb():
    started = time.monotonic()
    with pytest.raises(InputError, match="bytes of XML"):
        xml_from_zip(zip_bomb(), "bomb.zip")
    assert time.monotonic() - started < 10


def test_a_file_of_200_megabytes_is_not_even_read(tmp_path):
    path = tmp_path / "big.xml"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError, match="no law is that large"):
        parse_file(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kilobytes


CROWDS = {
    "italics": "a<I/>",
    "italic Absätze": "<I>(1) a</I><BR/>",
    "Absätze": "(1) a<BR/>",
    "items": "<DL><DT>1.</DT><DD>b</DD></DL>",
    "sentences": "Der. ",
    "abbreviations": "a. A ",
    "open brackets": "(Der. ",
    "open quotes": "„Der. ",
    "paragraph signs": "§ 1, 2 ",
    "names": "§ 1 des Gesetzes über die alten ",
}


@pytest.mark.slow
@pytest.mark.parametrize("crowd", CROWDS)
def test_crowds_take_no_more_than_their_share_of_time(crowd):
    started = time.process_time()
    law = parse_law(document(norm(f"<P>{CROWDS[crowd] * 60_000}</P>")), slug="x")
    assert len(law.sections) == 1
    assert time.process_time() - started < 10


def test_deep_lists_that_a_tree_may_have():
    content = "Ende"
    for _ in range(40):
        content = items(content)
    (made,) = parse_law(document(norm(f"<P>{content}</P>")), slug="x").sections
    assert made.text.endswith("1. Ende")


MUTANTS = 250
LONG_RUN = 6000


def mutate(xml: bytes, chance: random.Random) -> bytes:
    """Spoil a file in one of the ways files are spoilt: bytes, tags, text, length."""
    at = chance.randrange(len(xml))
    until = min(len(xml), at + chance.choice((1, 5, 200, 5000)))
    kind = chance.randrange(7)
    if kind == 0:
        return xml[:at] + xml[until:]
    if kind == 1:
        return xml[:at] + bytes(chance.randrange(256) for _ in range(until - at)) + xml[until:]
    if kind == 2:
        return xml[:at]
    if kind == 3:
        return xml[:at] + xml[at:until] * 3 + xml[until:]
    tags = [m.span() for m in re.finditer(rb"<[^>]*>", xml[at : at + 20_000])]
    if len(tags) < 2:
        return xml[::-1]
    (a, b), (c, d) = sorted(chance.sample(tags, 2))
    if kind == 4:
        return xml[: at + a] + xml[at + c : at + d] + xml[at + b : at + c] + xml[at + a : at + b] + xml[at + d :]
    if kind == 5:
        return xml[: at + a] + xml[at + b : at + c] + xml[at + d :]
    old = chance.choice((b"P", b"DL", b"DT", b"LA", b"enbez", b"gliederungsbez", b"Content", b"SUP", b"table", b"row"))
    new = chance.choice((b"BR", b"norm", b"text", b"pre", b"F", b"I", b"noindex", b"titel", b"x"))
    return re.sub(rb"(</?)" + old + rb"\b", rb"\1" + new, xml)


def run_mutants(laws: list[tuple[str, bytes]], count: int) -> tuple[int, int]:
    """Parse mutants: (parsed, refused). Anything but a law or an InputError, or a long wait, fails the test."""
    parsed = refused = 0
    for seed in range(count):
        chance = random.Random(seed)
        slug, xml = chance.choice(laws)
        mutant = mutate(xml, chance)
        started = time.monotonic()
        try:
            law = parse_law(mutant, slug=slug)
        except InputError as error:
            refused += 1
            assert "\n" not in str(error), seed  # noqa: PT017
        else:
            parsed += 1
            assert len({s.section_id for s in law.sections}) == len(law.sections), seed
            assert all(s.text[a.start : a.end] == a.text for s in law.sections for a in s.subsections), seed
        assert time.monotonic() - started < 10, seed
    return parsed, refused


def small_laws(every_law, limit: int) -> list[tuple[str, bytes]]:
    return [(slug, xml) for _, slug, xml in every_law("today") if len(xml) < limit]


def test_mutants(every_law):
    parsed, refused = run_mutants(small_laws(every_law, 60_000), MUTANTS)
    assert parsed > MUTANTS / 10
    assert refused > MUTANTS / 10


@pytest.mark.slow
def test_many_mutants(every_law):
    parsed, refused = run_mutants(small_laws(every_law, 250_000), LONG_RUN)
    assert parsed + refused == LONG_RUN >= 5000
