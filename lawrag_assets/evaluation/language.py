"""Which of the two languages of question sets a text is written in, guessed by counting small words.

Good for finding wrongly labelled questions, not for texts of other languages.
"""

import re
from typing import Literal

# Words of one language only: "die", "dies", "war", "was", "in", "an", "am", "so", "man", "will" and the like are in both.
_GERMAN = """
aber als auch auf aus bei bin bis da dann das dass daß dem den der des diese diesem diesen dieser doch dürfen darf durch ein eine
einem einen einer eines er es für gegen gibt haben habe hatte ich ihm ihn ihr ihre im ist ja jetzt kann kein keine keinen können
mein meine meinem meinen meiner mich mir mit muss müssen nach nicht noch nun nur ob oder ohne schon sehr sei sein seine seit sich
sie sind soll über um und uns unser unsere vom von vor wann warum weil wenn wer werden wie wieder wir wird wurde wurden zu zum zur
"""
_ENGLISH = """
a about after all and any are at be because been before but by can could did do does for from get had has have he her his how i if
is it its may me my no not of on only or our she should than that the their them then there they this to under up we were what
when where which while who whom whose why with without would you your
"""
SMALL_WORDS = {"de": frozenset(_GERMAN.split()), "en": frozenset(_ENGLISH.split())}
_WORD = re.compile(r"[^\W\d_]+")
_FEWEST = 2


def guess_language(text: str) -> Literal["de", "en"] | None:
    """The language of which a text has at least two small words and more than twice as many as of the other; None where there is none."""
    words = _WORD.findall(text.lower())
    german, english = (sum(word in small for word in words) for small in SMALL_WORDS.values())
    if max(german, english) < _FEWEST:
        return None
    if german > 2 * english:
        return "de"
    return "en" if english > 2 * german else None
