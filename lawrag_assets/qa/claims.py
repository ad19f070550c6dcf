"""An answer taken apart into claims: one a sentence, or a part of one between semicolons.

Statements about the texts themselves or about the answer ("the provisions shown do not say …", "this is no legal advice") are no
claims: nothing in the law could bear them out.
"""

import re

from lawrag_assets.laws.sentences import sentences_of

_META = re.compile(
    r"""
    \b(?:vorgelegt|vorliegend|bereitgestellt|genannt|angegeben|zitiert|oben)\w*
      \s+(?:Vorschrift|Text|Bestimmung|Auszug|Auszüg|Quelle|Norm|Regelung)\w*\s+(?:\w+\s+){0,6}?(?:nicht|keine?\w*|nichts|enthalten|enthält|beantwort\w*|regeln|sagen|besagen|äußern)
    | \b(?:Vorschriften|Texte|Auszüge|Quellen)\s+(?:enthalten|beantworten|regeln|sagen|geben)\s+(?:\w+\s+){0,5}?(?:nicht|keine?\w*|nichts)
    | \b(?:provided|given|available|cited|quoted|supplied|presented|above)
      \s+(?:provisions?|texts?|passages?|excerpts?|sections?|sources?|law)\s+(?:\w+\s+){0,6}?(?:not|no|nothing|contains?|answers?|covers?|says?|address(?:es)?|mentions?)
    | \b(?:provisions?|texts?|passages?|excerpts?|sources?)\s+(?:shown|provided|given|above)\b
    | \b(?:keine|nicht\s+als)\s+Rechtsberatung\b | \b(?:not|no)\s+(?:constitute\s+)?legal\s+advice\b
    | \b(?:Fachanwalt|Rechtsanwalt|Anwältin|Anwalt|Gewerkschaft)\w*\s+(?:\w+\s+){0,4}?(?:wenden|fragen|konsultieren|aufsuchen|beraten)
    | \bconsult\s+(?:a|an|your)\s+(?:\w+\s+)?(?:lawyer|attorney|solicitor|union)\b
    | ^(?:Auf|Aus)\s+(?:der\s+)?(?:Grundlage|Basis|Grund)\s+der\s+(?:vorgelegt|vorliegend|genannt)\w*
    | ^Based\s+on\s+the\s+(?:provided|given|provisions|text|passages)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 3


def statements(text: str) -> list[str]:
    """The statements of an answer in order, without bullets; headings and fragments of fewer than three words are none."""
    found = []
    for line in text.splitlines():
        for sentence in sentences_of(re.sub(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+", "", line).strip()):
            found += [part.strip() for part in _at_semicolons(sentence)]
    return [part for part in found if len(_WORD.findall(part)) >= _FEWEST_WORDS and not part.endswith("?")]


def is_meta(statement: str) -> bool:
    """Whether a statement is about the texts or the answer, and not about the law."""
    return _META.search(statement) is not None


def _at_semicolons(sentence: str) -> list[str]:
    """The sentence's parts between semicolons; whole where a part would be no statement of its own, as within brackets."""
    parts = re.split(r";\s+(?![^()]*\))", sentence)
    return parts if all(len(_WORD.findall(part)) >= _FEWEST_WORDS for part in parts) else [sentence]
