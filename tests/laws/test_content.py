"""Content elements become one line of text: nothing lost, nothing glued, editorial matter apart."""

import pytest
from laws.made import items, section


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<P>Eins<BR/>zwei</P>", "Eins zwei"),
        ("<P>Der <B>fette</B>, <I>schräge</I> Text</P>", "Der fette, schräge Text"),
        ("<P>Fläche in m<SUP>2</SUP> und CO<SUB>2</SUB></P>", "Fläche in m2 und CO2"),
        (f"<P>Wer{items('erstens', 'zweitens')}handelt.</P>", "Wer 1. erstens 2. zweitens handelt."),
        (f"<P>A{items('b' + items('c', 'd', style='{})'), 'e')}</P>", "A 1. b 1) c 2) d 2. e"),
        ("<P>Zwei  Leerzeichen\n und\tTabulator\u00a0fest</P>", "Zwei Leerzeichen und Tabulator fest"),
        ("<P>Zeile\u2028Zeile</P>", "Zeile Zeile"),
        ("<P>Be\u00adstands\u00admeldung</P>", "Bestandsmeldung"),
        ("<P>ermo\u0308glichen</P>", "ermöglichen"),
        ("<P>o<B>\u0308</B>ffnen</P>", "öffnen"),
        ('<P>Tag <F Value="1"/> und <F Value="2a"/></P>', "Tag ① und ②a"),
        ("<P>a <F>•</F> b, <F/> c</P>", "a • b, [Formel] c"),
        ('<P>Wie folgt:<IMG SRC="a.jpg"/>danach</P>', "Wie folgt: [Bild] danach"),
        ('<P><IMG SRC="a.jpg" alt="Ein  Rechteck"/></P>', "[Bild: Ein Rechteck]"),
        ('<P><FILE SRC="a.pdf"/></P>', "[Datei]"),
        ("<P>vor<!-- [Text: a > b ] -->nach<?pi x?>.</P>", "vornach."),
        ("<P>Eins</P><Title>Titel</Title><P>Zwei</P>", "Eins Titel Zwei"),
        ("<P>Eins</P><TOC><Ident>§ 1</Ident></TOC><P>Zwei</P>", "Eins Zwei"),
        ("<P>Formel:<DL><DT>1.</DT><DD><LA>bis 10:</LA><LA>0;</LA></DD></DL></P>", "Formel: 1. bis 10: 0;"),
    ],
)
def test_text(content, text):
    assert section(content).text == text


def test_table_rows_and_cells_stay_apart():
    row = "<row><entry>{}</entry><entry>{}</entry></row>"
    rows = row.format("Dauer", "Satz") + row.format("1<BR/>Jahr", "2 %") + row.format("", "3 %")
    content = f'<P>Siehe:<table><tgroup cols="2"><tbody>{rows}</tbody></tgroup></table>Ende.</P>'
    assert section(content).text == "Siehe: Dauer | Satz || 1 Jahr | 2 % || 3 % Ende."


def test_a_table_of_one_column_is_only_layout():
    rows = "<row><entry>Erste Zeile.</entry></row><row><entry>Zweite Zeile.</entry></row>"
    content = f'<table><tgroup cols="1"><tbody>{rows}</tbody></tgroup></table>'
    assert section(content).text == "Erste Zeile. Zweite Zeile."


@pytest.mark.parametrize(
    ("content", "text", "notes"),
    [
        ("<P>Text<noindex><kommentar>(Fundstelle: Blatt 3)</kommentar></noindex></P>", "Text", ["(Fundstelle: Blatt 3)"]),
        ("<P>Text<kommentar>Hinweis<BR/>zwei</kommentar> weiter</P>", "Text weiter", ["Hinweis zwei"]),
        ("<P>Text.<BR/>-----<BR/><small>www.beispiel.de</small></P>", "Text.", ["www.beispiel.de"]),
        ("<P>Text.<BR/>----- <DL><DT>*)</DT><DD><LA><noindex>Gilt neu.</noindex></LA></DD></DL></P>", "Text.", ["*) Gilt neu."]),
        ("<P>Text.<DL><DT>*)</DT><DD><LA>Fußnote.</LA></DD></DL></P><P>Mehr.</P>", "Text. Mehr.", ["*) Fußnote."]),
        ("<P>Text.<BR/>_________</P>", "Text.", []),
    ],
)
def test_editorial_matter_goes_to_the_notes(content, text, notes):
    made = section(content)
    assert made.text == text
    assert list(made.notes) == notes


def test_footnotes_and_the_editors_notes_are_notes():
    mark = '<P><FnR ID="a"/></P><P>Text.</P>'
    made = section(
        mark, footnotes='<Footnote ID="a" FnZ="*" Postfix=")">Amtlicher<BR/>Hinweis</Footnote>', notes="(+++ ab 1.1. +++)"
    )
    assert made.text == "Text."
    assert made.notes == ("*) Amtlicher Hinweis", "(+++ ab 1.1. +++)")
    assert [a.text for a in made.subsections] == ["Text."]
