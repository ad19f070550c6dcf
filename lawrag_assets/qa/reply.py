"""The whole of an answer as it is handed out, and the sentences that are said in every answer's place."""

from dataclasses import asdict, dataclass
from typing import Any

from lawrag_assets.qa.model import Candidate, Claim, Judgement, Language, LawBuild, Passage, RemovedCitation, Route

REFUSALS: dict[Language, str] = {
    "de": "Die durchsuchten Vorschriften beantworten diese Frage nicht.",
    "en": "The provisions searched do not answer this question.",
}
NO_ADVICE: dict[Language, str] = {"de": "Keine Rechtsberatung.", "en": "No legal advice."}
NOTES: dict[str, dict[Language, str]] = {
    "no model": {
        "de": "Das Sprachmodell hat nicht geantwortet; statt dessen der Wortlaut.",
        "en": "The language model gave no answer; the words of the law stand in its place.",
    },
    "cut short": {
        "de": "Die Antwort des Sprachmodells brach ab.",
        "en": "The language model's answer broke off.",
    },
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a question. `milliseconds` has the time of each stage, `by` who wrote: a model's name or `extractive`."""

    question: str
    language: Language
    refused: bool
    answer: str
    by: str
    claims: tuple[Claim, ...]
    evidence: tuple[Passage, ...]
    candidates: tuple[Candidate, ...]
    routes: tuple[Route, ...]
    judgement: Judgement
    removed_citations: tuple[RemovedCitation, ...]
    notes: tuple[str, ...]
    laws: tuple[LawBuild, ...]
    milliseconds: dict[str, float]

    @property
    def disclaimer(self) -> str:
        """What every answer says of itself, in its language."""
        return NO_ADVICE[self.language]

    def as_json(self) -> dict[str, Any]:
        """The reply as JSON values, with the disclaimer."""
        return {**asdict(self), "disclaimer": self.disclaimer}
