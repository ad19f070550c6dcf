"""German words as search sees them: small words left out, stems, the parts of compounds, and letters in runs of five.

Stems are Snowball's and the list of small words comes with bm25s; splitting compounds is this file's own, for it needs no more than the
words of the law itself.
"""

import re
from collections.abc import Iterable

MEANINGLESS_BELOW = 4
"""A part of a compound has at least so many letters: shorter ones ("ein", "an", "ge") would cut words that are none."""
_LINKS = ("", "s", "es", "n", "en", "er", "e")
"""What German puts between the parts: Arbeit-s-zeit, Kind-er-geld."""
_GRAM = 5
_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, lower-case, in order."""
    return _WORD.findall(text.lower())


class GermanAnalysis:
    """Turns words into terms. Compounds are split into words of `lexicon` (stems), so what is found depends on the law's own words."""

    def __init__(self, lexicon: Iterable[str]) -> None:
        import Stemmer
        from bm25s.stopwords import STOPWORDS_GERMAN

        self._stem = Stemmer.Stemmer("german").stemWord
        self._small = frozenset(STOPWORDS_GERMAN)
        self._lexicon = frozenset(lexicon)

    @classmethod
    def of_words(cls, words: Iterable[str]) -> "GermanAnalysis":
        """An analysis whose lexicon is the stems of these words."""
        bare = cls(())
        return cls(bare._stem(word) for word in words if len(word) >= MEANINGLESS_BELOW and word not in bare._small)

    def stems(self, word: str) -> list[str]:
        """The word's stem and those of its parts; nothing for a small word."""
        if word in self._small:
            return []
        return [self._stem(word), *(self._stem(part) for part in self.parts(word))]

    def grams(self, word: str) -> list[str]:
        """The word's runs of five letters, its ends among them; nothing for a small word."""
        if word in self._small:
            return []
        framed = f" {word} "
        return [framed[at : at + _GRAM] for at in range(max(1, len(framed) - _GRAM + 1))]

    def parts(self, word: str) -> list[str]:
        """The parts of a compound, [] for any other word: of all ways to cut it in two known words the most even, then each again."""
        ways = [
            (min(len(left), len(word) - at), left, word[at:])
            for at in range(MEANINGLESS_BELOW, len(word) - MEANINGLESS_BELOW + 1)
            if self._stem(word[at:]) in self._lexicon and (left := self._before(word[:at]))
        ]
        if not ways:
            return []
        _, left, right = max(ways)
        return [*(self.parts(left) or [left]), *(self.parts(right) or [right])]

    def _before(self, left: str) -> str | None:
        """The first part of a compound without what links it to the next, if it is a known word."""
        for link in _LINKS:
            bare = left.removesuffix(link)
            if left.endswith(link) and len(bare) >= MEANINGLESS_BELOW and self._stem(bare) in self._lexicon:
                return bare
        return None
