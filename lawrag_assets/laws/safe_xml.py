"""Opening what comes from outside: a zip and an XML file, of any size and intent, without harm.

Nothing is fetched, no entity is expanded, no DTD is read, memory stays under a gigabyte. What the XML means is `gii_xml`'s
concern.
"""

import io
import re
import zipfile
import zlib

from lxml import etree

from lawrag_assets.errors import InputError

MAX_XML_BYTES = 40_000_000
"""The largest XML accepted. The largest law of the 342 at hand has 2.7 million bytes."""

MAX_MARKUP = 1_500_000
"""The most `<` and `=` together: a tree needs memory for each element and attribute, however few bytes it has in the file."""

MAX_ZIP_BYTES = 400_000_000
"""The largest xml.zip accepted; some hold hundreds of pictures, which are never unpacked."""

_ENCODINGS = {"utf-8", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "latin1", "windows-1252"}
_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)[\"'][^>]*\?>")
_WIDE_MARKS = ((b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def xml_from_zip(data: bytes, name: str) -> bytes:
    """The one .xml file in a zip as the site serves it (`BJNR….xml`, perhaps pictures beside it). InputError names `name` and
    the reason."""
    if len(data) > MAX_ZIP_BYTES:
        raise InputError(f"{name}: larger than {MAX_ZIP_BYTES:,} bytes; that is no law's xml.zip")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [m for m in archive.infolist() if m.filename.lower().endswith(".xml")]
            if len(members) != 1:
                raise InputError(f"{name}: holds {len(members)} .xml files, where a law's zip holds one")
            with archive.open(members[0]) as member:
                xml = member.read(MAX_XML_BYTES + 1)
    # zipfile says a broken file in many ways: NotImplementedError is an unknown compression, RuntimeError an encrypted member
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise InputError(f"{name}: not a readable zip file ({error or type(error).__name__})") from error
    _check_size(xml, name)
    return xml


def parse_xml(xml: bytes, name: str) -> etree._Element:
    """The root element, without comments and processing instructions. InputError names `name` and the reason.

    The published files name an external DTD, which is ignored; a DOCTYPE with declarations of its own is refused.
    """
    _check_size(xml, name)
    xml = _as_bytes_of_one(xml, name)
    head = xml[: xml.find(b"<dokumente")] if b"<dokumente" in xml else xml
    if b"<!ENTITY" in xml or re.search(rb"<!DOCTYPE[^>]*\[", head):
        raise InputError(f"{name}: declares entities or a DTD of its own, which no published law does; refused")
    if not xml.strip():
        raise InputError(f"{name}: the file is empty")
    if re.match(rb"\s*(<!doctype\s+html|<html)", xml[:2000], re.IGNORECASE):
        raise InputError(f"{name}: an HTML page, not a law's XML")
    parser = etree.XMLParser(
        load_dtd=False, no_network=True, resolve_entities=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(xml, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        reason = str(error).splitlines()[0] if str(error) else "it cannot be read"
        raise InputError(f"{name}: not well-formed XML ({reason})") from error


def _check_size(xml: bytes, name: str) -> None:
    if len(xml) > MAX_XML_BYTES:
        raise InputError(f"{name}: more than {MAX_XML_BYTES:,} bytes of XML; no law is that large")
    if xml.count(b"<") + xml.count(b"=") > MAX_MARKUP:
        raise InputError(f"{name}: more than {MAX_MARKUP:,} tags and attributes; no law has that many")


def _as_bytes_of_one(xml: bytes, name: str) -> bytes:
    """The XML in an encoding whose markup is plain ASCII, so that a search for bytes sees what the parser will see."""
    for mark, encoding in _WIDE_MARKS:
        if xml.startswith(mark):
            try:
                text = xml.decode(encoding)
            except UnicodeDecodeError as error:
                raise InputError(f"{name}: broken {encoding.upper()} ({error.reason})") from error
            return re.sub(r"^\ufeff?\s*<\?xml[^>]*\?>", "", text).encode()
    if b"\x00" in xml[:64]:
        raise InputError(f"{name}: not text (it holds null bytes)")
    declared = _DECLARATION.match(xml.removeprefix(b"\xef\xbb\xbf"))
    if declared and declared[1].decode("ascii", "replace").lower() not in _ENCODINGS:
        raise InputError(f"{name}: declares the encoding {declared[1][:40].decode('ascii', 'replace')!r}; laws come in UTF-8")
    return xml
