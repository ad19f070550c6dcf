"""Sentences as lawyers count them: what ends one, what does not, and what the Civil Code itself says of its own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.made import items, section

from lawrag_assets.laws.sentences import sentences_of


@pytest.mark.parametrize(
    "text",
    [
        "Die Frist nach § 5 Abs. 1 Satz 2 beträgt drei Wochen.",
        "Wer das 18. Lebensjahr vollendet hat, darf wählen.",
        "Das Gesetz tritt am 1. Januar 2031 in Kraft.",
        "Es gilt Nr. 2 der Anlage i. V. m. Satz 3 dieser Vorschrift.",
        "Dies gilt z. B. für Boote, u. a. für Kähne.",
        "Vgl. die Bekanntmachung im BGBl. I S. 12 und im BAnz. Nr. 3.",
        "Die Rechtsverordnung (vgl. § 3. Die Klammer bleibt.) gilt fort.",
        "Das Zeichen trägt die Aufschrift „Halt. Hier wird gebaut.“ auf gelbem Grund.",
        "Zuständig ist der 2. Senat; der 3. Senat vertritt ihn.",
        "Der Zuschlag beträgt 1.250 Euro; er wird im 2. Quartal gezahlt.",
        "Anwendbar ist Satz 1 2. Halbsatz, Nr. 4 Buchst. a und Abs. 3 Nr. 1. Halbsatz zwei entfällt nicht mit.",
        "Prof. Dr. Muster und die Fa. Beispiel sowie Dipl. Ing. Probe sind zu hören.",
    ],
)
def test_one_sentence(text):
    assert sentences_of(text) == [text]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Das Boot ist zurückzugeben.", "§ 12 gilt entsprechend."],
        ["Es gilt § 5 Absatz 2.", "Die Frist beginnt neu."],
        ["Es gelten die §§ 7 und 8.", "Bootsführer sind davon ausgenommen."],
        ["Dies gilt bis zum Jahr 2031.", "Verträge bleiben unberührt."],
        ["Ist das erlaubt?", "Das entscheidet die Behörde!", "Sie hört den Rat."],
        ["Er trägt die Kosten usw.", "Der Rat trägt den Rest."],
        ["So steht es im Buch.", "„Boot“ ist jedes Wasserfahrzeug."],
        ["Anzuwenden ist Buchstabe a.", "Die übrigen gelten nicht."],
        ["Die Fläche misst 10 Quadratmeter.", "5 Prozent bleiben frei."],
        ["Siehe § 3 Abs. 1 Nr. 2.", "Im Übrigen gilt Satz 1."],
        ["Es gilt Artikel 5 Abs. 1.", "Ausgenommen ist der Rat."],
        ["Wohnt jemand auf Höfen i. S. d. Gesetzes, gilt das auch.", "(Der Rat ist zu hören.)"],
    ],
)
def test_several_sentences(sentences):
    assert sentences_of(" ".join(sentences)) == sentences


def counted(content: str) -> list[str]:
    (only,) = section(content).subsections
    return [s.text for s in only.sentences]


@pytest.mark.parametrize(
    ("content", "sentences"),
    [
        ("<P>Wer" + items("rudert,", "segelt,") + "haftet. Er zahlt.</P>", ["Wer 1. rudert, 2. segelt, haftet.", "Er zahlt."]),
        (
            "<P>Es haftet, wer" + items("rudert.", "Auch wer segelt.") + "§ 4 gilt.</P>",
            ["Es haftet, wer 1. rudert. 2. Auch wer segelt.", "§ 4 gilt."],
        ),
        (
            "<P>Es haftet, wer" + items("rudert oder", "segelt") + "Die Haftung ist begrenzt.</P>",
            ["Es haftet, wer 1. rudert oder 2. segelt", "Die Haftung ist begrenzt."],
        ),
        ("<P>Verboten ist,</P><P>" + items("rudern,") + "ohne zu fragen.</P>", ["Verboten ist, 1. rudern, ohne zu fragen."]),
        ("<P>Erlaubt ist es.</P><P>Verboten nicht.</P>", ["Erlaubt ist es.", "Verboten nicht."]),
        (
            "<P>Arten:<BR/>1. Boote,<BR/>2. Kähne.<BR/>Der Rat ergänzt sie.</P>",
            ["Arten: 1. Boote, 2. Kähne.", "Der Rat ergänzt sie."],
        ),
        (
            "<P><SUP class='Rec'>1</SUP>Eins <SUP class='Rec'>2</SUP>§ 3 gilt nicht. Auch hier.</P>",
            ["Eins", "§ 3 gilt nicht. Auch hier."],
        ),
        (
            "<P>Frei sind" + items("A; <SUP class='Rec'>2</SUP>Satz zwei der Nummer;", "B.") + "Das gilt.</P>",
            ["Frei sind 1. A; Satz zwei der Nummer; 2. B.", "Das gilt."],
        ),
    ],
)
def test_lists_and_official_numbers(content, sentences):
    assert counted(content) == sentences


def test_official_numbers_are_kept():
    (only,) = section("<P><SUP class='Rec'>1</SUP>A. <SUP class='Rec'>2</SUP>B. <SUP class='Rec'>4</SUP>D.</P>").subsections
    assert [(s.number, s.text) for s in only.sentences] == [(1, "A."), (2, "B."), (4, "D.")]


def test_counting_starts_anew_in_each_subsection():
    made = section("<P>(1) Eins. Das gilt.</P><P>(2) Zwei.</P>")
    assert [[s.number for s in a.sentences] for a in made.subsections] == [[1, 2], [1]]


# § 1316 Abs. 1 has its "Satz 2" inside number 1 of a list, where counting is the number's own.
UNCOUNTED = {"§ 1316 Abs. 1 BGB"}


def test_the_civil_codes_own_citations_of_second_sentences(real):
    """An oracle for free: what the law cites at "Satz n" must have n sentences."""
    law = real("bgb")
    cited: dict[str, int] = {}
    for made in law.sections:
        for target in (target for reference in made.references for target in reference.targets):
            if match := re.fullmatch(r"(§ \S+(?: Abs\. \S+)?) Satz (\d+)(?: .*)? BGB", target):
                place = f"{match[1]} BGB"
                cited[place] = max(cited.get(place, 0), int(match[2]))
    cited = {place: number for place, number in cited.items() if number >= 2}
    has = {a.citation: len(a.sentences) for made in law.sections for a in made.subsections}
    assert len(cited) >= 178
    assert {place for place, number in cited.items() if has.get(place, 0) < number} == UNCOUNTED


def test_the_number_of_sentences_of_the_civil_code(real):
    count = sum(len(a.sentences) for made in real("bgb").sections for a in made.subsections)
    assert 7300 <= count <= 7500


@given(st.text(alphabet="Der Satz. § 12! „x“ (Abs.) ?1;,", max_size=200))
def test_no_character_is_lost_and_none_doubled(text):
    clean = " ".join(text.split())
    assert "".join(sentences_of(clean)).replace(" ", "") == clean.replace(" ", "")


@given(
    st.lists(
        st.sampled_from(["Der Rat tagt.", "Wer rudert, haftet.", "§ 7 gilt.", "Die Frist nach § 5 Abs. 2 läuft ab."]), min_size=1
    )
)
def test_plain_sentences_joined_come_apart_again(sentences):
    assert sentences_of(" ".join(sentences)) == sentences
