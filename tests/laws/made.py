"""Small laws in the gii-norm format, made for one test each."""

from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.model import Law, Section

HEAD = "<metadaten><jurabk>TestG</jurabk>{}</metadaten>"


def norm(
    content: str, *, enbez: str | None = "§ 1", titel: str = "", unit: str = "", notes: str = "", footnotes: str = ""
) -> str:
    """One `norm` with the given content, or with none if it is empty."""
    names = unit + (f"<enbez>{enbez}</enbez>" if enbez is not None else "") + (f"<titel>{titel}</titel>" if titel else "")
    marks = f"<Footnotes>{footnotes}</Footnotes>" if footnotes else ""
    text = f'<text format="XML"><Content>{content}</Content>{marks}</text>'
    remarks = f"<fussnoten><Content><P>{notes}</P></Content></fussnoten>" if notes else "<fussnoten/>"
    return f"<norm>{HEAD.format(names)}<textdaten>{text}{remarks}</textdaten></norm>"


def unit(key: str, label: str, title: str = "") -> str:
    """A heading (`gliederungseinheit`)."""
    return (
        f"<gliederungseinheit><gliederungskennzahl>{key}</gliederungskennzahl><gliederungsbez>{label}</gliederungsbez>"
        f"<gliederungstitel>{title}</gliederungstitel></gliederungseinheit>"
    )


def document(*norms: str, names: str = "<jurabk>TestG</jurabk>", stamp: str = "20250102030405") -> bytes:
    """A whole law's XML."""
    first = f"<norm><metadaten>{names}<langue>Testgesetz</langue></metadaten></norm>"
    return f'<?xml version="1.0" encoding="UTF-8"?><dokumente builddate="{stamp}">{first}{"".join(norms)}</dokumente>'.encode()


def law(*norms: str, names: str = "<jurabk>TestG</jurabk>", slug: str = "testg") -> Law:
    """A law of the given norms, parsed."""
    return parse_law(document(*norms, names=names), slug=slug)


def section(content: str, **parts: str) -> Section:
    """The one section of a law with this content."""
    (only,) = law(norm(content, **parts)).sections
    return only


def items(*texts: str, style: str = "{}.") -> str:
    """A numbered list (`DL`)."""
    return "<DL>" + "".join(f"<DT>{style.format(n)}</DT><DD><LA>{text}</LA></DD>" for n, text in enumerate(texts, 1)) + "</DL>"
